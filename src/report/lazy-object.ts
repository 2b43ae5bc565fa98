/** Computes each member on first access and caches it. Copying the object computes them all. */
export function createLazyObject<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const made = {};
  for (const key of Object.keys(makers)) {
    Object.defineProperty(made, key, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value: unknown = makers[key as keyof T](); // a key of this very object
        Object.defineProperty(made, key, { enumerable: true, value });
        return value;
      },
    });
  }
  return made as T; // every member of T has its maker
}
