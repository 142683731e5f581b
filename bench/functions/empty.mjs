export const handler = async ({ id }) => ({ id });
