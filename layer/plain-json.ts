// Deeper than data goes: what is nested further is taken to contain itself, which JSON cannot say.
const MAX_DEPTH = 500;

/** Whether JSON keeps the value whole: no `undefined`, no `-0`, no `toJSON`, no class instance anywhere in it. */
export function isPlainJson(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      if (value === null) return true;
      if (Array.isArray(value)) {
        // By index, since `every` passes over holes.
        for (let i = 0; i < value.length; i++) if (!isPlainJson(value[i], depth + 1)) return false;
        return true;
      }
      return isPlainObject(value) && Object.values(value).every((inner) => isPlainJson(inner, depth + 1));
    default:
      return false;
  }
}

export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) && Object.getOwnPropertySymbols(value).length === 0
  );
}
