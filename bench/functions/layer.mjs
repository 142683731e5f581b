import { lockSecondsFor, runOnce } from '/opt/nodejs/index.mjs';

export const handler = async ({ id }, context) => {
  const initialised = performance.now();
  await runOnce(id, lockSecondsFor(context), () => ({ id }));
  return { initialised };
};
