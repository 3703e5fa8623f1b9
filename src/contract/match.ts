/** What the matcher needs to know of a route. */
export interface Addressed {
  readonly method: Method;
  /** Template below `/api`, e.g. `/generator-configs/{name}`. */
  readonly path: string;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type Match<R> =
  | { readonly kind: 'found'; readonly route: R; readonly path: RawPath }
  /** The path exists, the method does not; `allow` lists those that do. */
  | { readonly kind: 'no_method'; readonly allow: readonly string[] }
  | { readonly kind: 'no_path' };

/** Path parameters as they stand in the URL, still percent-encoded. */
export type RawPath = Readonly<Record<string, string>>;

/** Segments of a path; one slash at the end does not count. */
const segmentsOf = (path: string): readonly string[] => path.replace(/^\//, '').replace(/\/$/, '').split('/');

const bind = (template: readonly string[], segments: readonly string[]): RawPath | null => {
  if (template.length !== segments.length) return null;
  const bound: [string, string][] = [];
  for (const [index, part] of template.entries()) {
    const segment = segments[index] as string;
    if (part.startsWith('{')) bound.push([part.slice(1, -1), segment]);
    else if (part !== segment) return null;
  }
  return Object.fromEntries(bound);
};

/** Methods that a path answers, as the `Allow` header lists them: every GET answers HEAD too. */
const allowOf = (routes: readonly Addressed[]): readonly string[] => {
  const methods = routes.map((route) => route.method.toUpperCase());
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
};

/**
 * Compiles the table into a matcher of one method and raw path (no query). Literal segments win over
 * parameters, whatever the order of the table. Nothing is decoded or normalised: `..` and `%2F` reach
 * the parameter, which refuses them.
 */
export const makeMatcher = <R extends Addressed>(
  routes: readonly R[],
): ((method: string, path: string) => Match<R>) => {
  const compiled = routes
    .map((route) => ({ route, template: segmentsOf(route.path) }))
    .sort((a, b) => a.template.filter(isParam).length - b.template.filter(isParam).length);
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

const isParam = (part: string): boolean => part.startsWith('{');
