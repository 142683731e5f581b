import { lockSecondsFor, runOnce } from '/opt/nodejs/index.mjs';

export const handler = ({ id }, context) => runOnce(id, lockSecondsFor(context), () => ({ id }));
