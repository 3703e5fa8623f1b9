import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { helpPages } from '../../.ci/help.mjs';
import { runFile } from '../support/programs.js';
import { ROOT } from '../support/sources.js';

/** How readers find a page: the index by task, llms.txt, and the web site of `npm run site`. */

const pages = await helpPages(ROOT);
const docs = pages.filter(({ path, entry }) => path.startsWith('docs/') && entry.name !== 'index');

describe('docs/README.md', () => {
  const sections = new Map(
    readFileSync(join(ROOT, 'docs/README.md'), 'utf8')
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
  );

  test('has the groups of the help', () => {
    expect([...sections.keys()]).toEqual([...new Set(docs.map(({ entry }) => entry.group))]);
  });

  test.each(docs.map(({ path, entry }) => [path, entry.group] as const))(
    'leads to %s, below %s',
    (path, group) => {
      expect(sections.get(group)).toContain(`](${posix.basename(path)})`);
    },
  );
});

test('llms.txt leads to every page with one line about it', () => {
  const lines = readFileSync(join(ROOT, 'llms.txt'), 'utf8').split('\n');
  expect(lines[0]).toBe('# Spate');
  expect(lines[2]).toMatch(/^> \w/);
  const links = lines.flatMap((line) => /^- \[[^\]]+\]\(([^)]+)\): \S.*[.]$/.exec(line)?.[1] ?? []);
  expect([...links].sort()).toEqual(pages.map(({ path }) => path).sort());
});

describe('the web site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-site-'));
  const texts = new Map<string, string>();
  const read = (path: string): string => texts.get(path) ?? '';

  beforeAll(async () => {
    await runFile(process.execPath, [join(ROOT, '.ci/site.mjs'), folder]);
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (/\.(html|css|js|json|txt)$/.test(path)) texts.set(path, readFileSync(join(folder, path), 'utf8'));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const html = (): readonly string[] => [...texts.keys()].filter((path) => path.endsWith('.html'));
  const hasPlace = (path: string, id: string): boolean =>
    texts.has(path) && (id === '' || read(path).includes(` id="${decodeURIComponent(id)}"`));

  test('has a page for each of the help', () => {
    expect([...html()].sort()).toEqual(pages.map(({ entry }) => `${entry.name}.html`).sort());
  });

  test('has no link to a page or heading that is not there', () => {
    const dead = html().flatMap((path) =>
      [...read(path).matchAll(/ (?:href|src)="([^"]*)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => !/^(https:|data:)/.test(href))
        .filter((href) => {
          const [to = '', id = ''] = href.split('#');
          return !hasPlace(to === '' ? path : posix.join(dirname(path), to), id);
        })
        .map((href) => `${path}: ${href}`),
    );
    expect(dead).toEqual([]);
  });

  test('finds places that are there', () => {
    const { titles, sections } = JSON.parse(read('search.json')) as {
      readonly titles: Readonly<Record<string, string>>;
      readonly sections: readonly { readonly page: string; readonly id: string }[];
    };
    expect(sections.length).toBeGreaterThan(500);
    expect(sections.filter(({ page, id }) => !hasPlace(`${page}.html`, id))).toEqual([]);
    expect(Object.keys(titles).sort()).toEqual(pages.map(({ entry }) => entry.name).sort());
  });

  test('has the Markdown of each page where its llms.txt says', () => {
    const links = [...read('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
    expect(links.length).toBe(pages.length);
    expect(links.filter((to) => !existsSync(join(folder, to)))).toEqual([]);
  });

  test('asks no other server for anything', () => {
    const resources = html().flatMap((path) =>
      [...read(path).matchAll(/<(?:link|script|img|iframe)\b[^>]*>/g)].map(([tag]) => tag),
    );
    // The icon, the style sheet and the script, at three depths.
    expect(new Set(resources).size).toBe(7);
    expect(resources.filter((tag) => tag.includes('//'))).toEqual([]);
    expect(read('style.css')).not.toMatch(/url\(|@import/);
    expect(read('search.js')).not.toMatch(/https?:/);
  });
});
