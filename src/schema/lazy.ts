/** Makes a value at its first use. */
export const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/**
 * An object that is made at the first look into it. Declarations are: a thread of a hundred plugins uses five, and a
 * declaration that nothing reads costs its text only.
 */
export const lazily = <A extends object>(make: () => A): A => {
  const made = once(make);
  return new Proxy({} as A, {
    get: (_, key) => Reflect.get(made(), key) as unknown,
    has: (_, key) => Reflect.has(made(), key),
    ownKeys: () => Reflect.ownKeys(made()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(made(), key);
      // The empty target has no such property, so a fixed one would break a rule of proxies.
      return found === undefined ? undefined : { ...found, configurable: true };
    },
  });
};
