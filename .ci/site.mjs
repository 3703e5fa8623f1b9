/**
 * Makes a web site of the docs: `npm run site`, or `node .ci/site.mjs FOLDER` for another folder than `site`. A page is what
 * the help of the web UI shows, with relative links, so that the site works below any address. It has the Markdown files
 * too, where `llms.txt` names them.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { build } from 'esbuild';
import { root } from './build.mjs';
import { helpPages, searchSections } from './help.mjs';

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const fileOf = (name) => `${name}.html`;

/** Address of a page or file, as a page links it. */
const addressFrom = (name) => (to) => posix.relative(dirname(fileOf(name)), to);

const link = (href, text, more = '') => `<li><a href="${href}"${more}>${escaped(text)}</a></li>`;

const list = (items) => `<ul>${items.join('\n')}</ul>`;

const navigation = (entries, here, address) =>
  [...new Set(entries.map(({ group }) => group))]
    .map((group) => {
      const items = entries
        .filter((entry) => entry.group === group)
        .map(({ name, title }) =>
          link(address(fileOf(name)), title, name === here ? ' aria-current="page"' : ''),
        );
      return `<h2>${escaped(group)}</h2>\n${list(items)}`;
    })
    .join('\n');

const contents = (sections) =>
  sections.length < 3
    ? ''
    : `<nav class="contents" aria-label="On this page">${list(sections.map(({ id, title }) => link(`#${id}`, title)))}</nav>`;

/** The help has absolute addresses. */
const withRelativeLinks = (html, address) =>
  html.replaceAll(
    /href="\/help\/([^"#]+)(#[^"]*)?"/g,
    (_, name, anchor = '') => `href="${address(fileOf(name))}${anchor}"`,
  );

const documentOf = (entries, { entry, page }) => {
  const { name, title, summary } = entry;
  const address = addressFrom(name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Spate</title>
<meta name="description" content="${escaped(summary)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${address('style.css')}">
<script src="${address('search.js')}" defer></script>
</head>
<body>
<header>
<a href="${address('index.html')}">Spate</a>
<div class="search" role="search">
<input type="search" placeholder="Search" aria-label="Search the documentation" data-base="${address('.') || '.'}/">
<ul id="results" aria-live="polite"></ul>
</div>
<a href="#pages">Pages</a>
</header>
<div class="columns">
<main>
<h1>${escaped(title)}</h1>
${contents(page.sections)}
${withRelativeLinks(page.html, address)}
</main>
<nav id="pages" class="pages" aria-label="All pages">
${navigation(entries, name, address)}
</nav>
</div>
</body>
</html>
`;
};

const buildSite = async (folder) => {
  const pages = await helpPages(root);
  const entries = pages.map(({ entry }) => entry);
  rmSync(folder, { recursive: true, force: true });
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const each of pages) {
    write(fileOf(each.entry.name), documentOf(entries, each));
    write(each.path, readFileSync(join(root, each.path)));
  }
  const titles = Object.fromEntries(entries.map(({ name, title }) => [name, title]));
  write('search.json', JSON.stringify({ titles, sections: searchSections(pages) }));
  for (const name of ['style.css', 'llms.txt'])
    cpSync(join(root, name === 'llms.txt' ? name : `.ci/site/${name}`), join(folder, name));
  await build({
    entryPoints: [join(root, '.ci/site/search.js')],
    outfile: join(folder, 'search.js'),
    bundle: true,
    minify: true,
    target: 'es2022',
  });
  return pages.length;
};

const folder = resolve(process.argv[2] ?? join(root, 'site'));
process.stdout.write(`${await buildSite(folder)} pages in ${folder}\n`);
