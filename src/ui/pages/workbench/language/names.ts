import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';
import type { Dialect, NameStep } from './cursor.js';
import type { ConfigNames, DeclaredSample } from './declared.js';
import type { LocalName } from './locals.js';
import type { LanguageReference, ReferenceEntry } from './reference.js';

/** All that can be named in a file. */
export interface FileNames {
  readonly dialect: Dialect;
  readonly reference: LanguageReference;
  /** The open file, relative to the generator directory. */
  readonly file: string;
  readonly configPath: string;
  /** All files of the generator directory. */
  readonly paths: readonly string[];
  /** What the config declares. Null when it cannot be read. */
  readonly declared: ConfigNames | null;
  readonly locals: readonly LocalName[];
  /** Columns of a sample; none when they are not known yet. */
  readonly sampleColumns: (sample: DeclaredSample) => readonly string[];
  /** Macros and other names of a template that is loaded by a path as templates write it. */
  readonly exportsOf: (file: string) => readonly LocalName[];
}

/** What a name is, for its icon and its docs. */
type MemberKind = 'function' | 'group' | 'value' | 'sample' | 'column' | 'param' | 'fact' | 'local' | 'macro';

/** A name with what is known of it. */
export interface Member extends ReferenceEntry {
  readonly kind: MemberKind;
}

/** What an expression is. */
type Value =
  | { readonly is: 'path'; readonly path: string }
  | { readonly is: 'samples' }
  | { readonly is: 'sample'; readonly sample: DeclaredSample }
  | { readonly is: 'row'; readonly sample: DeclaredSample }
  | { readonly is: 'json'; readonly value: JsonObject; readonly label: string }
  | { readonly is: 'facts' }
  | { readonly is: 'template'; readonly file: string };

const MAX_LOCALS = 8;
const ROW_FUNCTIONS = new Set(['pick', 'weighted_pick']);
const TIME_FUNCTIONS = new Set(['replace', 'astimezone']);

const tableOf = ({ dialect, reference }: FileNames) =>
  dialect === 'script' ? reference.script : reference.members;

const merged = (objects: readonly JsonObject[]): JsonObject => Object.assign({}, ...objects) as JsonObject;

/** Aliases that render a file; all of them for a file that others include. */
export const aliasesOfFile = ({ declared, file }: FileNames) => {
  const own = declared?.templates.filter((one) => one.file === file) ?? [];
  return own.length > 0 ? own : (declared?.templates ?? []);
};

const rootOf = (names: FileNames, name: string, depth: number): Value | null => {
  const local = names.locals.findLast((one) => one.name === name && one.kind !== 'block');
  if (local !== undefined) return localValue(names, local, depth);
  const { declared, dialect } = names;
  if (dialect === 'jinja') {
    if (name === 'samples') return { is: 'samples' };
    if (name === 'params') return { is: 'json', value: declared?.params ?? {}, label: 'params' };
    if (name === 'vars') {
      const vars = merged(aliasesOfFile(names).map((one) => one.vars));
      return { is: 'json', value: vars, label: 'vars' };
    }
  }
  return tableOf(names)[name] === undefined ? null : { is: 'path', path: name };
};

const localValue = (names: FileNames, local: LocalName, depth: number): Value | null => {
  if (local.kind === 'import')
    return local.file === undefined || local.imported !== undefined
      ? null
      : { is: 'template', file: local.file };
  if (local.value === null || depth >= MAX_LOCALS) return null;
  // A name that is set from itself has the value that it had before.
  const before = { ...names, locals: names.locals.slice(0, names.locals.indexOf(local)) };
  const value = resolved(before, local.value, depth + 1);
  if (local.kind !== 'for') return value;
  return value?.is === 'sample' ? { is: 'row', sample: value.sample } : null;
};

const inPath = (names: FileNames, path: string, name: string): Value | null => {
  if (path === 'activity' && name === 'facts') return { is: 'facts' };
  if (path === 'activity' && name === 'at') return { is: 'path', path: 'timestamp' };
  const table = tableOf(names);
  for (const inner of [`${path}.${name}`, `${path}.*`])
    if (table[inner] !== undefined) return { is: 'path', path: inner };
  return null;
};

const within = (names: FileNames, value: Value, name: string): Value | null => {
  switch (value.is) {
    case 'path':
      return inPath(names, value.path, name);
    case 'samples': {
      const sample = names.declared?.samples.get(name);
      return sample === undefined ? null : { is: 'sample', sample };
    }
    case 'json': {
      const inner: Json | undefined = Object.hasOwn(value.value, name) ? value.value[name] : undefined;
      return isJsonObject(inner) ? { is: 'json', value: inner, label: `${value.label}.${name}` } : null;
    }
    default:
      return null;
  }
};

/** What a call of a member gives, where it is known. */
const called = (owner: Value, name: string): Value | null => {
  if (owner.is === 'sample' && name === 'where') return owner;
  if (owner.is === 'sample' && ROW_FUNCTIONS.has(name)) return { is: 'row', sample: owner.sample };
  return owner.is === 'path' && owner.path === 'timestamp' && TIME_FUNCTIONS.has(name) ? owner : null;
};

/** Returns what an expression is. Null when it is unknown. */
export const resolved = (names: FileNames, steps: readonly NameStep[], depth = 0): Value | null => {
  const [root, ...rest] = steps;
  if (root?.kind !== 'name') return null;
  let owner: Value | null = null;
  let value = rootOf(names, root.name, depth);
  // A script calls what it is given as it likes: `given.random` is `random`.
  const [second] = rest;
  if (value === null && names.dialect === 'script' && second?.kind === 'name') {
    rest.shift();
    value = rootOf(names, second.name, depth);
  }
  for (const [at, step] of rest.entries()) {
    const last = rest[at - 1];
    if (step.kind === 'name') {
      owner = value;
      value = value === null ? null : within(names, value, step.name);
    } else if (step.kind === 'call')
      value = owner !== null && last?.kind === 'name' ? called(owner, last.name) : null;
    else value = value?.is === 'sample' ? { is: 'row', sample: value.sample } : null;
    if (value === null && owner === null) return null;
  }
  return value;
};

const asMember = (entry: ReferenceEntry, isGroup: boolean): Member => ({
  ...entry,
  kind: entry.params !== undefined ? 'function' : isGroup ? 'group' : 'value',
});

const pathMembers = (names: FileNames, path: string): readonly Member[] => {
  const table = tableOf(names);
  return (table[path] ?? []).map((entry) =>
    asMember(entry, table[path === '' ? entry.name : `${path}.${entry.name}`] !== undefined),
  );
};

/** A value of a config in a few words. */
const shownValue = (value: Json | undefined): string => {
  const text = value === undefined ? '' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

const sampleDoc = (names: FileNames, sample: DeclaredSample): string => {
  const columns = names.sampleColumns(sample);
  const from = sample.file === null ? `sample of type \`${sample.type}\`` : `sample from \`${sample.file}\``;
  return columns.length === 0
    ? from
    : `${from}; columns ${columns.map((column) => `\`${column}\``).join(', ')}`;
};

const columnMembers = (names: FileNames, sample: DeclaredSample, doc: string): readonly Member[] =>
  names
    .sampleColumns(sample)
    .map((name) => ({ name, kind: 'column', doc: `${doc} \`samples.${sample.name}\`` }));

/** Facts of the kinds that a template makes events of, each with the kinds that have it. */
const factMembers = (names: FileNames): readonly Member[] => {
  const { kinds } = names.reference;
  const own = [...aliasesOfFile(names).flatMap((one) => one.kinds)];
  const listed = own.length > 0 ? own : (names.declared?.kinds ?? []);
  const shown = listed.length > 0 ? listed : Object.keys(kinds);
  const facts = new Map<string, { readonly of: string[]; readonly more: Set<string> }>();
  for (const kind of new Set(shown))
    for (const { name, doc } of kinds[kind]?.facts ?? []) {
      const fact = facts.get(name) ?? { of: [], more: new Set() };
      fact.of.push(kind);
      if (doc !== undefined) fact.more.add(doc);
      facts.set(name, fact);
    }
  return [...facts].map(([name, { of, more }]) => ({
    name,
    kind: 'fact',
    doc: `${more.size === 0 ? 'fact' : [...more].join('; ')} (${of.slice(0, 6).join(', ')}${of.length > 6 ? ' …' : ''})`,
  }));
};

const MEMBER_OF_LOCAL: Readonly<Record<LocalName['kind'], MemberKind>> = {
  macro: 'macro',
  set: 'local',
  for: 'local',
  argument: 'local',
  import: 'local',
  block: 'local',
};

const LOCAL_DOCS: Readonly<Record<LocalName['kind'], string>> = {
  macro: 'macro of this file',
  set: 'set in this file',
  for: 'item of a loop',
  argument: 'argument of a macro',
  import: 'imported',
  block: 'block',
};

const localMember = (names: FileNames, local: LocalName): Member => {
  const { name, kind, params, file, imported } = local;
  const from = file === undefined ? LOCAL_DOCS[kind] : `from \`${file}\``;
  const there =
    imported === undefined || file === undefined
      ? undefined
      : names.exportsOf(file).find((one) => one.name === imported && one.kind === 'macro');
  const signature = params ?? there?.params;
  return {
    name,
    kind: signature === undefined ? MEMBER_OF_LOCAL[kind] : 'macro',
    doc: from,
    ...(signature === undefined ? {} : { params: signature }),
  };
};

const unique = (members: readonly Member[]): readonly Member[] => [
  ...new Map([...members].reverse().map((member) => [member.name, member])).values(),
];

/** The names that an expression can begin with. */
export const rootMembers = (names: FileNames): readonly Member[] =>
  unique([
    ...pathMembers(names, ''),
    ...names.locals.filter(({ kind }) => kind !== 'block').map((local) => localMember(names, local)),
  ]).toReversed();

/** The members of an expression; none when it is unknown. */
export const membersAfter = (names: FileNames, steps: readonly NameStep[]): readonly Member[] => {
  const value = resolved(names, steps);
  switch (value?.is) {
    case 'path':
      return pathMembers(names, value.path);
    case 'samples':
      return [...(names.declared?.samples.values() ?? [])].map((sample) => ({
        name: sample.name,
        kind: 'sample',
        doc: sampleDoc(names, sample),
      }));
    case 'sample':
      return [
        ...columnMembers(names, value.sample, 'all values of this column of'),
        ...pathMembers(names, 'samples.*'),
      ];
    case 'row':
      return columnMembers(names, value.sample, 'column of');
    case 'json':
      return Object.entries(value.value).map(([name, written]) => ({
        name,
        kind: 'param',
        doc: `\`${shownValue(written)}\` in \`${value.label}\` of the config`,
      }));
    case 'facts':
      return factMembers(names);
    case 'template':
      return names
        .exportsOf(value.file)
        .filter(({ kind }) => kind === 'macro' || kind === 'set')
        .map((local) => ({ ...localMember(names, local), doc: `from \`${value.file}\`` }));
    default:
      return [];
  }
};

/** Returns what is known of the last name of an expression. Null when nothing is. */
export const memberAt = (names: FileNames, steps: readonly NameStep[]): Member | null => {
  const last = steps.at(-1);
  if (last?.kind !== 'name') return null;
  const owner = steps.slice(0, -1);
  const known = owner.length === 0 ? rootMembers(names) : membersAfter(names, owner);
  const found = known.find((member) => member.name === last.name);
  if (found !== undefined || owner.length !== 1 || names.dialect !== 'script') return found ?? null;
  return rootMembers(names).find((member) => member.name === last.name) ?? null;
};
