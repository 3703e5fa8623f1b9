import { type OpenCall, wordAt } from './cursor.js';
import { type FileNames, memberAt } from './names.js';
import { paramFilledBy, paramsIn, type ReferenceEntry } from './reference.js';

/** What is shown of a name. */
export interface NameDocs {
  /** Name with its parameters: parts, one of which may be the current one. */
  readonly title: readonly { readonly text: string; readonly isCurrent: boolean }[];
  /** May have code in backticks. */
  readonly doc: string;
  readonly example: string;
}

const plainTitle = (text: string): NameDocs['title'] => [{ text, isCurrent: false }];

export const docsOf = (
  { name, params = '', doc = '', example = '' }: ReferenceEntry,
  prefix = '',
): NameDocs => ({
  title: plainTitle(`${prefix}${name}${params}`),
  doc,
  example,
});

const entryNamed = (entries: readonly ReferenceEntry[], name: string): ReferenceEntry | null =>
  entries.find((one) => one.name === name) ?? null;

/** Returns the function, filter or test of a call. Null when it is unknown. */
export const signatureOf = (names: FileNames, { place, steps }: OpenCall): ReferenceEntry | null => {
  const last = steps.at(-1);
  if (last?.kind !== 'name') return null;
  const found =
    place === 'filter'
      ? entryNamed(names.reference.filters, last.name)
      : place === 'test'
        ? entryNamed(names.reference.tests, last.name)
        : memberAt(names, steps);
  return found?.params === undefined ? null : found;
};

/** The signature of a call with the argument that is being written. Null when the function is unknown. */
export const callDocs = (names: FileNames, call: OpenCall): NameDocs | null => {
  const entry = signatureOf(names, call);
  if (entry === null) return null;
  const params = paramsIn(entry);
  const current = paramFilledBy(params, call.argument, call.keyword);
  const parts = params.flatMap((text, index) => [
    ...(index === 0 ? [] : [{ text: ', ', isCurrent: false }]),
    { text, isCurrent: index === current },
  ]);
  const title = [...plainTitle(`${entry.name}(`), ...parts, ...plainTitle(')')];
  return { title, doc: entry.doc ?? '', example: entry.example ?? '' };
};

/** What is known of the word at a position, and where the word is. */
export const docsAt = (
  names: FileNames,
  text: string,
  at: number,
): { readonly from: number; readonly to: number; readonly docs: NameDocs } | null => {
  const found = wordAt(text, at, names.dialect);
  if (found === null || found.place === 'tag') return null;
  const { place, steps, word, from, to } = found;
  if (place === 'filter' || place === 'test') {
    const entry = entryNamed(place === 'filter' ? names.reference.filters : names.reference.tests, word);
    return entry === null ? null : { from, to, docs: docsOf(entry, place === 'filter' ? '| ' : 'is ') };
  }
  const member = memberAt(names, steps);
  if (member === null) return null;
  const owner = steps.slice(0, -1).map((step) => (step.kind === 'name' ? `${step.name}.` : ''));
  return { from, to, docs: docsOf(member, owner.join('')) };
};
