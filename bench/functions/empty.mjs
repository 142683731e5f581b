export const handler = async () => ({ initialised: performance.now() });
