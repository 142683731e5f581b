import { createRequire } from 'node:module';
import * as layer from '/opt/nodejs/index.mjs';
import operations from './operations.cjs';

const require = createRequire(import.meta.url);
export const handler = operations(layer, () => require('/opt/nodejs'));
