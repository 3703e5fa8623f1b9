/** What the reference says of a name. The build makes it of the docs, see `.ci/language.mjs`. */
export interface ReferenceEntry {
  readonly name: string;
  /** Parameters in parentheses. Undefined when it is not called. */
  readonly params?: string;
  /** What it is or returns; may have code in backticks. */
  readonly doc?: string;
  readonly example?: string;
}

type Members = Readonly<Record<string, readonly ReferenceEntry[]>>;

export interface LanguageReference {
  /** Members by path, such as `module.rand`; names of templates at ''. Any locale and any sample is `*`. */
  readonly members: Members;
  readonly filters: readonly ReferenceEntry[];
  readonly tests: readonly ReferenceEntry[];
  /** The same for what `produce` of a script is given. */
  readonly script: Members;
  /** Kinds of activities with their facts. */
  readonly kinds: Readonly<
    Record<string, { readonly doc: string; readonly facts: readonly ReferenceEntry[] }>
  >;
}

/** Commas between arguments, not those in strings or brackets. */
const splitParams = (list: string): readonly string[] => {
  const parts: string[] = [];
  let [depth, quote, part] = [0, '', ''];
  for (const sign of list) {
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (sign === ',' && depth === 0 && quote === '') {
      parts.push(part.trim());
      part = '';
    } else part += sign;
  }
  return [...parts, part.trim()].filter((one) => one !== '');
};

/** The parameters of a signature: `['a', 'b=1']`. */
export const paramsIn = ({ params = '' }: ReferenceEntry): readonly string[] =>
  splitParams(params.slice(1, -1));

export const paramNameOf = (param: string): string => param.replace(/^\*+/, '').replace(/[=:?].*$/s, '');

/** The index in `paramsIn` that an argument fills. Null when it fills none. */
export const paramFilledBy = (
  params: readonly string[],
  argument: number,
  keyword: string | null,
): number | null => {
  if (keyword !== null) {
    const named = params.findIndex((param) => paramNameOf(param) === keyword);
    const any = params.findIndex((param) => param === '...' || param.startsWith('**'));
    return named !== -1 ? named : any === -1 ? null : any;
  }
  const star = params.indexOf('*');
  const byPosition = star === -1 ? params : params.slice(0, star);
  if (argument < byPosition.length) return argument;
  const rest = params.findIndex((param) => /^\*\w/.test(param) || param === '...');
  return rest === -1 ? null : rest;
};
