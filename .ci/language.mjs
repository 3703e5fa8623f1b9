/**
 * Reads what templates and scripts can use out of the reference: the tables of the docs, which tests hold against the
 * program. The editor of the web UI loads the result for completion, signatures and hover docs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const cellsOf = (line) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** The line below the head of a table. */
const RULE = /^\| ?---/;

/** Sections of a page: a title, and rows of the table with a certain first head. */
const sectionsOf = (text) =>
  text.split(/^(?=##+ )/m).map((part) => {
    const [first = '', ...lines] = part.split('\n');
    const tables = {};
    let rows = [];
    for (const [at, line] of lines.entries()) {
      if (!line.startsWith('|') || RULE.test(line)) continue;
      const cells = cellsOf(line);
      if (RULE.test(lines[at + 1] ?? '')) {
        rows = [];
        tables[cells[0]] = rows;
      } else rows.push(cells);
    }
    return { title: first.replace(/^#+ /, ''), lines, tables };
  });

const spansOf = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span);

/** A cell as a sentence: links as their text, without one at its end that only leads on. */
const plain = (cell = '') =>
  cell
    .replace(/: \[[^\]]*\]\([^)]*\)$/, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();

/** `choice(items)` and what is said of it, as an entry. */
const entryOf = (written, doc = '', example = '') => {
  const [, name, params] = /^([^(]+)(\(.*\))?$/s.exec(written) ?? [];
  return {
    name,
    ...(params === undefined ? {} : { params }),
    ...(doc === '' ? {} : { doc: plain(doc) }),
    ...(example === '' ? {} : { example }),
  };
};

/** Cells with several names have no meaning of each. */
const entriesOf = (rows = []) =>
  rows.flatMap(([names, doc, example]) => spansOf(names).map((written) => entryOf(written, doc, example)));

/** Other names of a filter or test, which its meaning ends with. */
const withOtherNames = (entries) =>
  entries.flatMap((entry) => {
    const [, others = ''] = / Also (.*)$/.exec(entry.doc) ?? [];
    const names = spansOf(others).filter((name) => /^\w+$/.test(name));
    return [entry, ...names.map((name) => ({ ...entry, name }))];
  });

/** Members that the meaning of a name lists; a single name is a mention. */
const membersIn = (doc) => {
  const found = spansOf(plain(doc)).filter((span) => /^\w+(\(.*\))?$/.test(span));
  return found.length < 2 ? [] : found.map((span) => entryOf(span));
};

const PAGES = [
  ...['templates', 'templates-data', 'templates-reference', 'templates-reference-random'],
  ...['templates-reference-fakes', 'templates-reference-python', 'scripts', 'worlds', 'world-kinds'],
];

/** Names of the locales below a heading. */
const localesOf = ({ lines }) =>
  spansOf(lines.find((line) => line.startsWith('Locales:'))).map((name) => ({ name }));

/** Any locale, and any sample, has the same members. */
const anyOf = (path) => path.replace(/\['\w+'\]$/, '.*').replace('samples.users', 'samples.*');

/**
 * The reference by path, from the texts of the docs. `paramsOf` gives the parameters of a function of a Python module,
 * which the docs only name.
 */
export const languageReference = (readText, paramsOf = () => null) => {
  const sections = PAGES.flatMap((page) => sectionsOf(readText(`docs/${page}.md`)));
  const rowsOf = (title, head) => {
    const rows = sections.find((one) => one.title === title && one.tables[head] !== undefined)?.tables[head];
    if (rows === undefined) throw new Error(`the docs have no table of '${head}' below '${title}'`);
    return rows;
  };
  const lineOf = (title, start) =>
    sections.find((one) => one.title === title)?.lines.find((line) => line.startsWith(start)) ?? '';

  const members = {};
  const add = (path, entries) => {
    const known = members[path] ?? [];
    members[path] = [...known, ...entries.filter(({ name }) => known.every((one) => one.name !== name))];
  };
  const language = [
    ...spansOf(lineOf('The language', 'Every template has the names')).map((name) => ({ name })),
    { name: 'loop', doc: 'the loop around, in `{% for %}`' },
  ];
  add('', entriesOf(rowsOf('What does a template see?', 'name')));
  add('', [
    entryOf('activity', 'what the timestamp observes, with an input `world`'),
    entryOf('instance', 'number of the state machine, with `instances`'),
  ]);
  add('', language);
  // An inline template of a config is one of a formatter.
  add('formatter', [
    entryOf('event', 'the event, in a formatter `template`'),
    entryOf('events', 'all events of a batch, in a formatter `template-batch`'),
    ...language,
  ]);
  add('partition', membersIn('`index`, `count`'));
  add(
    'loop',
    spansOf(lineOf('Loops', 'In `'))
      .slice(2)
      .map((span) => entryOf(span)),
  );
  add('timestamp', entriesOf(rowsOf('Times', 'member')));

  for (const { title, lines, tables } of sections) {
    const [path] = spansOf(title);
    if (path === undefined || title !== `\`${path}\``) continue;
    const any = anyOf(path);
    if (any.endsWith('locale.*')) add(any.slice(0, -2), localesOf({ lines }));
    if (tables.function !== undefined) add(any, entriesOf(tables.function));
    for (const [group, functions, example] of tables.group ?? []) {
      const [own] = spansOf(group);
      if (own !== undefined) add(any, [{ name: own, doc: 'group of functions' }]);
      add(
        own === undefined ? any : `${any}.${own}`,
        spansOf(functions).map((one) => entryOf(one)),
      );
      for (const [, call, value] of example.matchAll(/`([^`]+)` → `([^`]+)`/g)) {
        const name = call.replace(`${own}.`, '').replace(/\(.*$/s, '');
        const entry = members[own === undefined ? any : `${any}.${own}`].find((one) => one.name === name);
        if (entry !== undefined) entry.example = `\`${call}\` → \`${value}\``;
      }
    }
    for (const [name, listed] of tables.enum ?? []) {
      const [own] = spansOf(name);
      add(path, [{ name: own, doc: 'enum' }]);
      add(
        `${path}.${own}`,
        spansOf(listed).map((one) => ({ name: one })),
      );
    }
  }
  for (const [module, listed] of rowsOf('All modules', 'module')) {
    const [path] = spansOf(module);
    add(
      path,
      spansOf(listed).map((name) => entryOf(`${name}${paramsOf(path, name) ?? ''}`)),
    );
  }
  // A path is a member of the one around it.
  for (const path of Object.keys(members)) {
    const parts = path.split('.');
    for (let end = parts.length - 1; end > 0; end -= 1) {
      const name = parts[end];
      if (name !== '*') add(parts.slice(0, end).join('.'), [{ name }]);
    }
  }
  add('locals', members.shared);
  add('globals', members.shared);

  const activity = rowsOf('What does a person do all day?', 'member');
  add('activity', entriesOf(activity));
  for (const [name, doc] of activity) {
    const inner = membersIn(doc);
    if (inner.length > 0) add(`activity.${spansOf(name)[0]}`, inner);
  }
  const given = rowsOf('What is produce given?', 'member');
  const script = { '': entriesOf(given) };
  for (const [name, doc] of given) {
    const [path] = spansOf(name);
    const inner = membersIn(doc);
    if (inner.length > 0) script[path] = inner;
  }
  for (const [path, entries] of Object.entries(members))
    if (path.startsWith('activity')) script[path] = entries;
  const kinds = {};
  for (const [, kind, doc] of rowsOf('Which kinds are there?', 'group')) {
    const facts = [...doc.replace(/^.*?\. /, '').matchAll(/`(\w+)`(?: \(([^)]*)\))?/g)];
    kinds[spansOf(kind)[0]] = {
      doc: plain(doc.replace(/\. .*$/, '.')),
      facts: facts.map(([, name, more]) => entryOf(name, more)),
    };
  }
  return {
    members,
    filters: withOtherNames(entriesOf(rowsOf('Filters', 'filter'))),
    tests: withOtherNames(entriesOf(rowsOf('Tests', 'test'))),
    script,
    kinds,
  };
};

const shownDefault = (value) =>
  value === null
    ? 'None'
    : value === true
      ? 'True'
      : value === false
        ? 'False'
        : JSON.stringify(value).replace(/^"(.*)"$/, "'$1'");

/** `(a, b=None)` of a function of the template engine. Null when it reads its arguments itself. */
const shownParams = ({ params, defaults, positional }) => {
  const shown = params.map((name, at) =>
    defaults[at] === undefined ? name : `${name}=${shownDefault(defaults[at])}`,
  );
  return `(${[...shown.slice(0, positional), ...(positional < shown.length ? ['*'] : []), ...shown.slice(positional)].join(', ')})`;
};

/** The parameters of functions of Python modules, from `makeModules` of the template engine. */
export const moduleParams = (makeModules) => {
  const modules = makeModules({ random: () => null, now: () => 0, digest: (_, bytes) => bytes });
  return (path, name) => {
    let owner = null;
    for (const part of path.split('.').slice(1))
      owner = owner === null ? modules.get(part) : owner?.attribute(part);
    const direct = owner?.attribute?.(name)?.direct;
    return direct === undefined ? null : shownParams(direct.signature);
  };
};

/** The reference of a built program. */
export const builtReference = async (root) => {
  const engine = join(root, 'dist', 'src', 'template', 'modules', 'modules.js');
  const { makeModules } = await import(pathToFileURL(engine).href);
  return languageReference((path) => readFileSync(join(root, path), 'utf8'), moduleParams(makeModules));
};
