import { jestSuite } from './jest';
import type { Suite } from './suite';
import { missingTerraform, terraformSuite } from './terraform';
import { terratestSuite } from './terratest';

/** All that tests the Terraform module, with the program and the provider that scripts/terraform.ts finds. */
export const moduleSuites: Suite[] = [jestSuite('module', missingTerraform), terraformSuite, terratestSuite];
