import { jestSuite } from './jest';
import type { Suite } from './suite';
import { missingTerraform, terraformSuite } from './terraform';
import { terratestSuite } from './terratest';

// The provider sleeps for half a minute after each change of a queue, and version 6 for two until it is gone.
const WORKERS = 3;

/** All that tests the Terraform module, with the program and the provider that scripts/terraform.ts finds. */
export const moduleSuites: Suite[] = [
  jestSuite('module', missingTerraform, WORKERS),
  terraformSuite,
  terratestSuite,
];
