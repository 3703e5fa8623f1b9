/**
 * Renders the docs and the READMEs of plugins and library generators into JSON files for the help of the web UI. The
 * texts are ours, but the build fails on markup that could run something.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const DOC_GROUPS = {
  Start: [...['index', 'getting-started', 'from-eventum', 'concepts', 'library', 'siem', 'ui', 'glossary']],
  'Write generators': [
    ...['learning-from-logs', 'inputs', 'inputs-rates', 'templates', 'templates-modes', 'templates-data'],
    ...['scripts', 'scripts-python', 'replay', 'recorded', 'scenarios', 'worlds', 'incidents'],
    ...['inspecting-generators', 'testing-generators'],
  ],
  Deliver: ['outputs', 'destinations', 'delivery', 'imperfections'],
  Run: [
    ...['operations', 'containers', 'upgrade', 'logs', 'partitions', 'cluster', 'cluster-nats', 'mcp'],
    ...['security', 'performance'],
  ],
  'Look up': [
    ...['cli', 'cli-operations', 'cli-tools', 'settings', 'errors', 'api', 'templates-reference'],
    ...[
      'templates-reference-fakes',
      'templates-reference-random',
      'templates-reference-python',
      'world-kinds',
    ],
  ],
  Extend: ['plugins', 'architecture'],
};
const PLUGIN_GROUPS = { inputs: 'Inputs', events: 'Events', outputs: 'Outputs', formatters: 'Formatters' };
/** Order of the groups; docs that no group names are in the last one. */
const GROUPS = [...Object.keys(DOC_GROUPS), ...Object.values(PLUGIN_GROUPS), 'Library generators', 'More'];

const ALLOWED_TAGS = new Set(
  'a blockquote br code del div em h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul'.split(
    ' ',
  ),
);
const ALLOWED_ATTRIBUTES = new Set([
  'href',
  'rel',
  'id',
  'class',
  'align',
  'start',
  'tabindex',
  'role',
  'aria-label',
]);
const TAG = /^<\/?([a-z]\w*)((?: [a-z-]+="[^"<>]*")*) ?\/?>/;

/** Throws for anything but plain markup: a tag, attribute or address that is not known to be harmless. */
export const checkMarkup = (name, html) => {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) {
    const [, tag, attributes = ''] = TAG.exec(html.slice(at)) ?? [];
    const isAllowed =
      ALLOWED_TAGS.has(tag) &&
      [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)].every(
        ([, key, value]) =>
          ALLOWED_ATTRIBUTES.has(key) && (key !== 'href' || /^(\/help\/|#|https:\/\/)/.test(value)),
      );
    if (!isAllowed) throw new Error(`${name}: the help does not show ${html.slice(at, at + 80)}`);
  }
};

/** The anchor that GitHub gives a heading. */
const slugOf = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const INLINE_TAG = /<\/?(a|code|del|em|strong)\b[^>]*>/g;
const textOf = (html) =>
  html
    .replaceAll(INLINE_TAG, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name])
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Name of the help page of a Markdown file; `null`: it is not part of the help. */
export const pageNameOf = (path) => {
  if (path === 'docs/README.md') return 'index';
  const [, doc] = /^docs\/([^/]+)\.md$/.exec(path) ?? [];
  if (doc !== undefined) return doc;
  if (path === 'src/plugins/README.md') return 'plugins/all';
  const [, plugin] = /^src\/(plugins\/\w+\/\w[\w-]*)\/README\.md$/.exec(path) ?? [];
  if (plugin !== undefined) return plugin;
  const [, generator] = /^generators\/([^/]+)\/README\.md$/.exec(path) ?? [];
  return generator === undefined ? null : `library/${generator}`;
};

const groupOf = (name) => {
  if (name === 'plugins/all') return 'Look up';
  const [first, second] = name.split('/');
  if (second !== undefined) return first === 'library' ? 'Library generators' : PLUGIN_GROUPS[second];
  return Object.keys(DOC_GROUPS).find((group) => DOC_GROUPS[group].includes(name)) ?? 'More';
};

const rankOf = ({ name, group }) => {
  const place = DOC_GROUPS[group]?.indexOf(name) ?? -1;
  return GROUPS.indexOf(group) * 1_000 + (place === -1 ? 999 : place);
};

/** Where a link of a file leads in the help; `null`: to a file that is not part of it. */
const hrefOf = (path, href) => {
  // Addresses of examples, such as http://localhost:8123, which Markdown makes links of.
  if (href.startsWith('http:')) return null;
  // Of other programs and places; the check decides which of them may be there.
  if (/^([a-z][\w+.-]*:|#)/i.test(href)) return href;
  const [file, anchor] = href.split('#');
  const name = pageNameOf(normalize(join(dirname(path), file)));
  return name === null ? null : `/help/${name}${anchor === undefined ? '' : `#${anchor}`}`;
};

const attributesOf = (tokens) => tokens.map(([key, value]) => ` ${key}="${value}"`).join('');

/** Renderer of one file. `anchors` maps headings to their ids; `taken` are ids in use. */
const rendererOf = (path, anchors, taken) => ({
  html({ text }) {
    if (!/^\s*(<!--[\s\S]*?-->\s*)+$/.test(text)) throw new Error(`${path}: the help does not show ${text}`);
    return '';
  },
  heading(token) {
    return `<h${token.depth} id="${anchors.get(token)}">${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
  },
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    const target = hrefOf(path, href);
    if (target === null) return text;
    const rel = target.startsWith('https:') ? [['rel', 'noreferrer']] : [];
    return `<a${attributesOf([['href', target.replaceAll('"', '&quot;')], ...rel])}>${text}</a>`;
  },
  code({ text }) {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `<pre tabindex="0"><code>${escaped}</code></pre>\n`;
  },
  table(token) {
    const row = (cells, tag) =>
      cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
    const rows = token.rows.map((cells) => {
      const id = rowIdOf(cells[0], taken);
      return `<tr${id === null ? '' : ` id="${id}"`}>${row(cells, 'td')}</tr>\n`;
    });
    const head = `<thead><tr>${row(token.header, 'th')}</tr></thead>`;
    return `<div class="table" role="group" aria-label="Table" tabindex="0"><table>${head}<tbody>${rows.join('')}</tbody></table></div>\n`;
  },
});

/** A row that begins with a name in code can be linked: `errors#not_found`. */
const rowIdOf = (cell, taken) => {
  const [, id] = /^\[?`([A-Za-z][\w.-]*)`/.exec(cell.text) ?? [];
  if (id === undefined || taken.has(id)) return null;
  taken.add(id);
  return id;
};

const anchorsOf = (tokens, plain) => {
  const anchors = new Map();
  const taken = new Set();
  for (const token of tokens.filter(({ type }) => type === 'heading')) {
    const slug = slugOf(plain(token));
    let id = slug;
    for (let n = 1; taken.has(id); n++) id = `${slug}-${n}`;
    taken.add(id);
    anchors.set(token, id);
  }
  return { anchors, taken };
};

const ROW = /<tr id="([^"]+)">([\s\S]*?)<\/tr>/g;

/** What the search finds: the text below each heading, and each row that has an id. */
const sectionsOf = (html) =>
  html
    .split(/(?=<h[23] id=)/)
    .flatMap((part) => {
      const [heading = '', id = '', title = ''] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/.exec(part) ?? [];
      const rest = part.slice(heading.length);
      const rows = [...rest.matchAll(ROW)].map(([, rowId, cells]) => ({
        id: rowId,
        title: rowId,
        text: textOf(cells).slice(rowId.length).trim(),
      }));
      return [{ id, title: textOf(title), text: textOf(rest.replaceAll(ROW, '')) }, ...rows];
    })
    .filter(({ id, text }) => id !== '' || text !== '');

/** READMEs of plugins begin with a kind, such as `output`. */
const titleOf = (name, title) =>
  name.startsWith('plugins/') ? `${title[0].toUpperCase()}${title.slice(1)}` : title;

/** The first sentence of a paragraph. */
const summaryOf = (paragraph, plain) => {
  const text = paragraph === undefined ? '' : plain(paragraph);
  return (/^.*?[.:](?= |$)/.exec(text)?.[0] ?? text).replace(/:$/, '.');
};

/** The help page of a Markdown file. */
export const renderPage = (Marked, path, text) => {
  const marked = new Marked();
  const tokens = marked.lexer(text);
  const plain = ({ tokens: inline }) => textOf(new Marked().Parser.parseInline(inline));
  const { anchors, taken } = anchorsOf(tokens, plain);
  marked.use({ renderer: rendererOf(path, anchors, taken) });
  const name = pageNameOf(path);
  const first = tokens.find(({ type, depth }) => type === 'heading' && depth === 1);
  if (first === undefined) throw new Error(`${path} has no title`);
  const body = tokens.filter((token) => token !== first);
  const html = marked.parser(body);
  checkMarkup(path, html);
  const headings = [...anchors].filter(([{ depth }]) => depth === 2);
  return {
    entry: {
      name,
      title: titleOf(name, plain(first)),
      group: groupOf(name),
      summary: summaryOf(
        tokens.find(({ type }) => type === 'paragraph'),
        plain,
      ),
    },
    page: { html, sections: headings.map(([token, id]) => ({ id, title: plain(token) })) },
    search: sectionsOf(html),
  };
};

/** Paths of the files of the help, relative to the root. */
export const helpSources = (root) =>
  ['docs', 'src/plugins', 'generators']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile() && item.name.endsWith('.md'))
    .map((item) => relative(root, join(item.parentPath ?? item.path, item.name)))
    .filter((path) => pageNameOf(path) !== null)
    .sort();

/** Name of the file of a page: the service has no folders below its assets. */
const fileOf = (name) => `page-${name.replaceAll('/', '-')}.json`;

/** All pages of the help in the order of their groups. `readText` gives the text of a file. */
export const helpPages = async (root, readText = (path) => readFileSync(join(root, path), 'utf8')) => {
  const { Marked } = await import('marked');
  return helpSources(root)
    .map((path) => ({ path, ...renderPage(Marked, path, readText(path)) }))
    .sort((a, b) => rankOf(a.entry) - rankOf(b.entry) || a.entry.name.localeCompare(b.entry.name));
};

/** What a search looks through, of pages as `helpPages` gives them. */
export const searchSections = (pages) =>
  pages.flatMap(({ entry, search }) => search.map((section) => ({ page: entry.name, ...section })));

/** Writes `pages.json` (a list), `search.json` and a file for each page into a folder. */
export const writeHelp = async (root, folder) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
  const pages = await helpPages(root);
  for (const { entry, page } of pages) write(fileOf(entry.name), page);
  write(
    'pages.json',
    pages.map(({ entry }) => entry),
  );
  write('search.json', searchSections(pages));
};
