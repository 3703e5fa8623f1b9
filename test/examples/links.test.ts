import { stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Page, ROOT, readPages } from './pages/markdown.js';

const withoutCode = (text: string): string => {
  let isCode = false;
  return text
    .split('\n')
    .filter((line) => {
      const isFence = /^ *```/.test(line);
      if (isFence) isCode = !isCode;
      return !isFence && !isCode;
    })
    .join('\n');
};

/** The anchors that GitHub gives the headings of a page, and those in HTML. */
const anchorsOf = ({ text }: Page): ReadonlySet<string> => {
  const anchors = new Set<string>();
  for (const [, title = ''] of withoutCode(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  for (const [, id = ''] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
};

const LINK = /\]\(([^)\s]+)(?: "[^"]*")?\)|^\[[^\]]+\]: +(\S+)$/gm;

const linksOf = ({ text }: Page): readonly string[] =>
  [
    ...withoutCode(text)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(LINK),
  ]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));

const exists = async (path: string): Promise<boolean> =>
  byName.has(path) ||
  stat(join(ROOT, path)).then(
    () => true,
    () => false,
  );

const pages = await readPages();
const byName = new Map(pages.map((page) => [page.name, page]));

/** What is wrong with a link of a page; `null` when it leads somewhere. */
const flawOf = async (from: Page, link: string): Promise<string | null> => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from.name : normalize(join(dirname(from.name), decodeURIComponent(path)));
  if (!(await exists(target))) return `${link}: there is no ${target}`;
  const page = byName.get(target);
  if (anchor === undefined || page === undefined) return null;
  return anchorsOf(page).has(anchor) ? null : `${link}: ${target} has no heading #${anchor}`;
};

describe('links in Markdown', () => {
  test.each(pages.map((page) => [page.name, page] as const))('of %s lead somewhere', async (_name, page) => {
    const flaws = await Promise.all(linksOf(page).map((link) => flawOf(page, link)));
    expect(flaws.filter((flaw) => flaw !== null)).toEqual([]);
  });

  test('that lead nowhere are found', async () => {
    const from = { name: 'docs/a.md', text: '# One two?\n\n[a](#one-two) [b](#three) [c](none.md)' };
    byName.set(from.name, from);
    expect(linksOf(from)).toEqual(['#one-two', '#three', 'none.md']);
    expect(await flawOf(from, '#three')).toContain('has no heading');
    expect(await flawOf(from, '../docs/none.md')).toContain('there is no docs/none.md');
    expect(await flawOf(from, '../README.md')).toBeNull();
    expect(anchorsOf(from)).toEqual(new Set(['one-two']));
  });
});
