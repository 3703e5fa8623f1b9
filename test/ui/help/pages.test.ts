import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Marked } from 'marked';
import { checkMarkup, helpSources, pageNameOf, type RenderedPage, renderPage } from '../../../.ci/help.mjs';
import { ROOT } from '../../support/sources.js';

const render = (text: string, path = 'docs/page.md'): RenderedPage =>
  renderPage(Marked, path, `# Title\n\n${text}`);

describe('a help page', () => {
  test('has its title, first sentence and headings', () => {
    const { entry, page } = render(
      'Do `this`. Then that.\n\n## What is `x`?\n\n### More\n\n## What is `x`?\n',
    );
    expect(entry).toEqual({ name: 'page', title: 'Title', group: 'More', summary: 'Do this.' });
    expect(page.sections).toEqual([
      { id: 'what-is-x', title: 'What is x?' },
      { id: 'what-is-x-1', title: 'What is x?' },
    ]);
    expect(page.html).not.toContain('<h1');
  });

  test.each([
    ['[a](other.md#how)', '<a href="/help/other#how">a</a>'],
    ['[a](#here)', '<a href="#here">a</a>'],
    [
      '[`file`](../src/plugins/outputs/file/README.md)',
      '<a href="/help/plugins/outputs/file"><code>file</code></a>',
    ],
    ['[a](../generators/shop/README.md)', '<a href="/help/library/shop">a</a>'],
    ['[a](https://example.org/)', '<a href="https://example.org/" rel="noreferrer">a</a>'],
    ['[a](../CONTRIBUTING.md)', '<p>a</p>'],
  ])('leads %s to %s', (markdown, html) => {
    expect(render(markdown).page.html).toContain(html);
  });

  test('is searched by section, and by row of a table that begins with a name', () => {
    const { page, search } = render(
      'Intro.\n\n## Codes\n\nAll & `more`.\n\n| code | is |\n|---|---|\n| `gone` | 1 < 2 |\n| x | y |\n',
    );
    expect(page.html).toContain('<tr id="gone">');
    expect(search).toEqual([
      { id: '', title: '', text: 'Intro.' },
      { id: 'codes', title: 'Codes', text: 'All & more. code is x y' },
      { id: 'gone', title: 'gone', text: '1 < 2' },
    ]);
  });

  test('shows markup in code as text, and leaves comments out', () => {
    const { page } = render('<!-- note -->\n\n```html\n<script>a && b</script>\n```\n');
    expect(page.html).toBe(
      '<pre tabindex="0"><code>&lt;script&gt;a &amp;&amp; b&lt;/script&gt;</code></pre>\n',
    );
  });

  test.each([
    '<script>alert(1)</script>',
    'text <img src="x" onerror="alert(1)"> text',
    '<a href="javascript:alert(1)">a</a>',
    '[a](javascript:alert(1))',
    '![a](x.png)',
    '<style>p {}</style>',
  ])('is refused with %s', (markdown) => {
    expect(() => render(markdown)).toThrow('docs/page.md');
  });
});

test.each([
  '<p onclick="x">',
  '<p style="color:red">',
  '<a href="javascript:x">',
  '<a href=x>',
  '<iframe src="x">',
  '<svg/onload=x>',
  '< p>',
  '<!-- x -->',
])('the check of markup refuses %s', (html) => {
  expect(() => checkMarkup('docs/a.md', html)).toThrow('docs/a.md');
});

describe('the help of this version', () => {
  const pages = new Map(
    helpSources(ROOT).map((path) => [
      pageNameOf(path),
      renderPage(Marked, path, readFileSync(join(ROOT, path), 'utf8')),
    ]),
  );

  test('has the docs, plugins and library generators, each under an address of its own', () => {
    expect(pages.size).toBe(helpSources(ROOT).length);
    for (const name of [
      'getting-started',
      'errors',
      'plugins/all',
      'plugins/outputs/file',
      'library/web-nginx',
    ])
      expect(pages.has(name)).toBe(true);
    expect([...pages.keys()].filter((name) => name?.includes('node_modules'))).toEqual([]);
  });

  test('has no link to a page or place that is not there', () => {
    const dead = [...pages].flatMap(([name, { page }]) =>
      [...page.html.matchAll(/<a href="(?:\/help\/([^"#]+))?(?:#([^"]+))?"/g)]
        .filter(([, to, anchor]) => {
          const target = pages.get(to ?? name);
          return (
            target === undefined || (anchor !== undefined && !target.page.html.includes(` id="${anchor}"`))
          );
        })
        .map(([link]) => `${name}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  test('has a row for every error code', async () => {
    const { ERRORS } = await import('../../../src/domain/errors.js');
    const { html } = pages.get('errors')?.page ?? { html: '' };
    expect(Object.keys(ERRORS).filter((code) => !html.includes(`<tr id="${code}">`))).toEqual([]);
  });

  test('has no id twice on a page', () => {
    for (const { page } of pages.values()) {
      const ids = [...page.html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
