/** The part of a route that the matcher needs. */
export interface Addressed {
  readonly method: Method;
  /** A template below `/api`. A last parameter `{filepath+}` takes one segment or more. */
  readonly path: string;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type Match<R> =
  | { readonly kind: 'found'; readonly route: R; readonly path: RawPath }
  /** The path exists with other methods, listed in `allow`. */
  | { readonly kind: 'no_method'; readonly allow: readonly string[] }
  | { readonly kind: 'no_path' };

/** Path parameters of the URL, still percent-encoded. */
export type RawPath = Readonly<Record<string, string>>;

/** Segments of a path without its trailing slash. */
const segmentsOf = (path: string): readonly string[] => path.replace(/^\//, '').replace(/\/$/, '').split('/');

const isParam = (part: string): boolean => part.startsWith('{');
const isRest = (part: string): boolean => part.endsWith('+}');

const nameOf = (part: string): string => part.slice(1, isRest(part) ? -2 : -1);

/** Rank of a template: fewer parameters match first; one that spans slashes counts twice. */
const vagueness = (template: readonly string[]): number =>
  template.reduce((sum, part) => sum + (isParam(part) ? 1 : 0) + (isRest(part) ? 1 : 0), 0);

const bind = (template: readonly string[], segments: readonly string[]): RawPath | null => {
  const hasRest = isRest(template.at(-1) ?? '');
  if (hasRest ? segments.length < template.length : segments.length !== template.length) return null;
  const bound: [string, string][] = [];
  for (const [index, part] of template.entries()) {
    const segment = segments[index] as string;
    if (isRest(part)) bound.push([nameOf(part), segments.slice(index).join('/')]);
    else if (isParam(part)) bound.push([nameOf(part), segment]);
    else if (part !== segment) return null;
  }
  return Object.fromEntries(bound);
};

/** Methods for the `Allow` header; every GET also answers HEAD. */
const allowOf = (routes: readonly Addressed[]): readonly string[] => {
  const methods = routes.map((route) => route.method.toUpperCase());
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
};

/**
 * Compiles the table into a matcher of method and raw path. Literal segments win over parameters in any order.
 * Nothing is decoded: `..` and `%2F` reach the parameters, which reject them.
 */
export const makeMatcher = <R extends Addressed>(
  routes: readonly R[],
): ((method: string, path: string) => Match<R>) => {
  const compiled = routes
    .map((route) => ({ route, template: segmentsOf(route.path) }))
    .sort((a, b) => vagueness(a.template) - vagueness(b.template));
  return (method, path) => {
    const segments = segmentsOf(path);
    const bound = compiled.flatMap(({ route, template }) => {
      const values = bind(template, segments);
      return values === null ? [] : [{ route, values }];
    });
    if (bound.length === 0) return { kind: 'no_path' };
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    const hit = bound.find(({ route }) => route.method === wanted);
    if (hit === undefined) return { kind: 'no_method', allow: allowOf(bound.map(({ route }) => route)) };
    return { kind: 'found', route: hit.route, path: hit.values };
  };
};
