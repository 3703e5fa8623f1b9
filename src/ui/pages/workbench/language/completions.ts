import { folderOf, languageOf } from '../paths.js';
import { callAt, type Dialect, regionAt, tokensIn, typedAt, unquoted } from './cursor.js';
import { signatureOf } from './docs.js';
import { type FileNames, type Member, membersAfter, rootMembers } from './names.js';
import { paramNameOf, paramsIn, type ReferenceEntry } from './reference.js';

/** What can be written at a position. */
export interface Offer {
  readonly label: string;
  /** Short text behind the label. */
  readonly detail: string;
  /** The entry with its docs. Null when there is nothing more to say. */
  readonly entry: ReferenceEntry | null;
  /** Icon of the editor. */
  readonly type: string;
  /** What is written, with `${}` for the next places of the cursor. */
  readonly snippet: string;
}

export interface Offers {
  readonly from: number;
  readonly options: readonly Offer[];
  /** A statement of a template replaces the end of its tag, too. */
  readonly isTag: boolean;
}

/** Statements with what follows them up to the end of all their parts. */
export const TAGS: readonly { readonly name: string; readonly doc: string; readonly snippet: string }[] = [
  {
    name: 'for',
    doc: 'Repeats a part for each item. `loop` has its number.',
    snippet: 'for ${item} in ${items} %}\n${}\n{% endfor %}',
  },
  {
    name: 'if',
    doc: 'Writes a part only under a condition.',
    snippet: 'if ${condition} %}\n${}\n{% endif %}',
  },
  { name: 'elif', doc: 'Another condition of `if`.', snippet: 'elif ${condition} %}' },
  { name: 'else', doc: 'What is written otherwise; in `for`, without an item.', snippet: 'else %}' },
  { name: 'set', doc: 'Gives a name a value.', snippet: 'set ${name} = ${value} %}' },
  {
    name: 'set block',
    doc: 'Gives a name the text of a part.',
    snippet: 'set ${name} %}${}{% endset %}',
  },
  {
    name: 'do',
    doc: 'Calls something without writing its result, as `shared.set(...)`.',
    snippet: 'do ${} %}',
  },
  {
    name: 'macro',
    doc: 'Defines a function that writes a part.',
    snippet: 'macro ${name}(${arguments}) %}\n${}\n{% endmacro %}',
  },
  {
    name: 'call',
    doc: 'Calls a macro with a part, which it writes with `caller()`.',
    snippet: 'call ${macro}() %}\n${}\n{% endcall %}',
  },
  { name: 'include', doc: 'Writes another template here.', snippet: "include '${file}' %}" },
  { name: 'import', doc: 'Makes the macros of a file known.', snippet: "import '${file}' as ${name} %}" },
  { name: 'from', doc: 'Makes single macros of a file known.', snippet: "from '${file}' import ${name} %}" },
  { name: 'extends', doc: 'Fills the blocks of another template.', snippet: "extends '${file}' %}" },
  {
    name: 'block',
    doc: 'A part that a template which extends this one replaces.',
    snippet: 'block ${name} %}\n${}\n{% endblock %}',
  },
  {
    name: 'filter',
    doc: 'A filter over a whole part.',
    snippet: 'filter ${name} %}\n${}\n{% endfilter %}',
  },
  {
    name: 'with',
    doc: 'Names that only a part knows.',
    snippet: 'with ${name} = ${value} %}\n${}\n{% endwith %}',
  },
  { name: 'raw', doc: 'A part without tags: it is written as it is.', snippet: 'raw %}${}{% endraw %}' },
  { name: 'break', doc: 'Ends the loop.', snippet: 'break %}' },
  { name: 'continue', doc: 'Goes on with the next item of the loop.', snippet: 'continue %}' },
];

const ICONS: Readonly<Record<Member['kind'], string>> = {
  function: 'function',
  group: 'namespace',
  value: 'property',
  sample: 'class',
  column: 'property',
  param: 'constant',
  fact: 'property',
  local: 'variable',
  macro: 'function',
};

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll(/[{}]/g, '\\$&');

/** Parameters that a call must give, as places of the cursor. */
const requiredOf = (entry: ReferenceEntry): readonly string[] => {
  const params = paramsIn(entry);
  const optional = params.findIndex(
    (param) => param.includes('=') || param.startsWith('*') || param === '...',
  );
  return (optional === -1 ? params : params.slice(0, optional)).filter((param) => param !== '/');
};

/** A call as it is written: `integer(a, b)`. Nothing is in the parentheses of what follows one already. */
const callOf = (entry: ReferenceEntry, isCalled: boolean, isFilter: boolean): string => {
  if (entry.params === undefined || isCalled) return entry.name;
  const required = requiredOf(entry);
  if (isFilter && required.length === 0) return entry.name;
  if (entry.params === '()') return `${entry.name}()`;
  return required.length === 0
    ? `${entry.name}(\${})`
    : `${entry.name}(${required.map((param) => `\${${escaped(param)}}`).join(', ')})`;
};

const isPlain = (name: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);

const memberOffer = (member: Member, isCalled: boolean): Offer => ({
  label: member.name,
  detail: member.params ?? (member.kind === 'group' ? '…' : member.kind === 'value' ? '' : member.kind),
  entry: member,
  type: ICONS[member.kind],
  snippet: member.kind === 'group' ? member.name : callOf(member, isCalled, false),
});

const filterOffer = (entry: ReferenceEntry, isCalled: boolean): Offer => ({
  label: entry.name,
  detail: entry.params === '()' ? '' : (entry.params ?? ''),
  entry,
  type: 'function',
  snippet: callOf(entry, isCalled, true),
});

const LITERALS = ['true', 'false', 'none'].map(
  (label): Offer => ({ label, detail: '', entry: null, type: 'keyword', snippet: label }),
);

/** `name=` of the parameters of the call around that have no argument yet. */
const keywordOffers = (names: FileNames, text: string, at: number): readonly Offer[] => {
  const call = callAt(text, at, names.dialect);
  if (call === null || call.keyword !== null) return [];
  const entry = signatureOf(names, call);
  if (entry === null) return [];
  return paramsIn(entry)
    .slice(call.argument)
    .filter((param) => param.includes('='))
    .map((param) => ({
      label: `${paramNameOf(param)}=`,
      detail: param.slice(param.indexOf('=')),
      entry: null,
      type: 'keyword',
      snippet: `${paramNameOf(param)}=\${}`,
    }));
};

/** Files that a template can load, as it names them: from the folder of the config. */
const templateFiles = ({ configPath, paths, file }: FileNames): readonly string[] => {
  const folder = folderOf(configPath);
  return paths
    .filter((path) => languageOf(path) === 'jinja' && path !== file)
    .flatMap((path) => {
      if (folder === '') return [path];
      return path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [];
    });
};

/** Files in the quotes of `{% include '…` and the like. */
const fileOffers = (names: FileNames, text: string, at: number): Offers | null => {
  if (names.dialect !== 'jinja') return null;
  const before = text.slice(0, at);
  const region = regionAt(before, at);
  if (region?.kind !== 'statement') return null;
  const [word, file, more] = tokensIn(before, region.from, at, 'jinja');
  if (word === undefined || !['include', 'import', 'from', 'extends'].includes(word.text)) return null;
  if (file?.kind !== 'string' || more !== undefined || (file.text.length > 1 && /(['"])$/.test(file.text)))
    return null;
  const options = templateFiles(names).map(
    (label): Offer => ({ label, detail: '', entry: null, type: 'text', snippet: escaped(label) }),
  );
  return { from: at - unquoted(file.text).length, options, isTag: false };
};

/** Exports of the file in `{% from 'x' import …`. */
const importOffers = (names: FileNames, text: string, at: number): readonly Offer[] | null => {
  const region = regionAt(text.slice(0, at), at);
  if (region?.kind !== 'statement') return null;
  const [word, file, verb] = tokensIn(text, region.from, at, 'jinja');
  if (word?.text !== 'from' || file?.kind !== 'string' || verb?.text !== 'import') return null;
  return names
    .exportsOf(unquoted(file.text))
    .filter(({ kind }) => kind === 'macro' || kind === 'set')
    .map(({ name, params = '' }) => ({
      label: name,
      detail: params,
      entry: { name, ...(params === '' ? {} : { params }) },
      type: params === '' ? 'variable' : 'function',
      snippet: name,
    }));
};

const TAG_OFFERS: readonly Offer[] = TAGS.map(({ name, doc, snippet }) => ({
  label: name,
  detail: '',
  entry: { name, doc },
  type: 'keyword',
  snippet,
}));

const inPlace = (names: FileNames, text: string, at: number, dialect: Dialect): Offers | null => {
  const typed = typedAt(text, at, dialect);
  if (typed === null) return null;
  const isCalled = text.charAt(at) === '(';
  const { place, owner, from } = typed;
  switch (place) {
    case 'filter':
      return {
        from,
        options: names.reference.filters.map((one) => filterOffer(one, isCalled)),
        isTag: false,
      };
    case 'test':
      return { from, options: names.reference.tests.map((one) => filterOffer(one, isCalled)), isTag: false };
    case 'tag':
      return { from, options: TAG_OFFERS, isTag: true };
    case 'member': {
      const members = owner === null ? [] : membersAfter(names, owner);
      const shown = typed.isKey ? members : members.filter(({ name }) => isPlain(name));
      const options = shown.map((member) =>
        typed.isKey
          ? { ...memberOffer(member, true), snippet: escaped(member.name) }
          : memberOffer(member, isCalled),
      );
      return { from, options, isTag: false };
    }
    case 'name': {
      const imported = dialect === 'jinja' ? importOffers(names, text, at) : null;
      if (imported !== null) return { from, options: imported, isTag: false };
      const roots = rootMembers(names).map((member) => memberOffer(member, isCalled));
      const literals = dialect === 'jinja' ? LITERALS : [];
      return { from, options: [...keywordOffers(names, text, at), ...roots, ...literals], isTag: false };
    }
  }
};

/** Returns what can be written at a position. Null where nothing is known. */
export const offersAt = (names: FileNames, text: string, at: number): Offers | null => {
  const offers = fileOffers(names, text, at) ?? inPlace(names, text, at, names.dialect);
  return offers === null || offers.options.length === 0 ? null : offers;
};
