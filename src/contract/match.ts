import { match } from 'path-to-regexp';

/** The part of a route that decides which requests are its own. */
export interface Addressed {
  readonly method: Method;
  /** A template below `/api`. A last parameter `{filepath+}` takes one segment or more. */
  readonly path: string;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Path parameters of the URL, still percent-encoded. */
export type RawPath = Readonly<Record<string, string>>;

/** The template of a route as Express writes it: `{name}` is `:name`, `{filepath+}` is `*filepath`. */
export const expressPath = (path: string): string =>
  path
    .replace(/\{(\w+)\+\}/g, '*$1')
    .replace(/\{(\w+)\}/g, ':$1')
    .replace(/(?<=.)\/$/, '');

/** Reads the parameters of a path below `/api`; null for a path that the template does not have. */
export const pathReader = (template: string): ((path: string) => RawPath | null) => {
  // Nothing is decoded: `..` and `%2F` reach the parameters, which reject them.
  const read = match<Record<string, string>>(expressPath(template), { decode: false, sensitive: true });
  return (path) => {
    const found = read(path);
    if (found === false) return null;
    // A parameter that spans slashes takes the last one, too.
    return Object.fromEntries(
      Object.entries(found.params).map(([name, text]) => [name, text.replace(/\/$/, '')]),
    );
  };
};

/** Rank of a template: fewer parameters match first; one that spans slashes counts twice. */
const vagueness = (path: string): number => (path.match(/\{|\+/g) ?? []).length;

/** Literal segments win over parameters in any order of the table. */
export const inMatchOrder = <R extends Addressed>(routes: readonly R[]): readonly R[] =>
  [...routes].sort((a, b) => vagueness(a.path) - vagueness(b.path));

/** Methods for the `Allow` header; every GET also answers HEAD. */
export const allowOf = (routes: readonly Addressed[]): readonly string[] => {
  const methods = routes.map((route) => route.method.toUpperCase());
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
};

/** Finds the route of a request that does not come through Express. */
export const makeFinder = <R extends Addressed>(
  routes: readonly R[],
): ((method: string, path: string) => { readonly route: R; readonly path: RawPath } | null) => {
  const readers = inMatchOrder(routes).map((route) => ({ route, read: pathReader(route.path) }));
  return (method, path) => {
    for (const { route, read } of readers) {
      const values = route.method === method.toLowerCase() ? read(path) : null;
      if (values !== null) return { route, path: values };
    }
    return null;
  };
};
