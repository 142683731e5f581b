/** `npm test`: all suites. With Terraform and the provider of the lock file; npm run test:opentofu and test:provider6 have others. */
import { missingForLambdaRuntime, missingNodeVersions } from './lambda-runtime';
import { jestSuite } from './test/jest';
import { moduleSuites } from './test/module';
import { report } from './test/report';
import { missingTerraform } from './test/terraform';

await report([
  jestSuite('unit'),
  jestSuite('docs', missingTerraform),
  jestSuite('protocol'),
  jestSuite('artifact', missingNodeVersions),
  jestSuite('runtime', missingForLambdaRuntime),
  ...moduleSuites,
  jestSuite('chaos'),
  jestSuite('processes'),
]);
