import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { inspectPage } from '../../../src/analysis/inspect/page.js';
import { inspected, reportOf, sequence } from './support.js';

const iso = (at: number): string => new Date(at / 1_000).toISOString();
const pageOf = async (...args: Parameters<typeof reportOf>): Promise<string> =>
  inspectPage(await reportOf(...args), iso);

/** Names of the elements, of which all but the void ones are closed in order. */
const elementsOf = (html: string): ReadonlySet<string> => {
  const names = new Set<string>();
  const open: string[] = [];
  for (const [, slash, name = '', end] of html
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*?)?(\/?)>/g)) {
    names.add(name);
    if (slash === '/') expect(open.pop()).toBe(name);
    else if (end !== '/' && name !== 'meta') open.push(name);
  }
  expect(open).toEqual([]);
  return names;
};

const EVENTS = sequence(40, (index) =>
  JSON.stringify({ user: { name: index % 2 === 0 ? 'ann' : 'bob' }, bytes: index, tags: ['x'] }),
);

describe('the page', () => {
  test('may load and run nothing: one style sheet, known by its hash', async () => {
    const page = await pageOf(EVENTS);
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style, 'utf8').digest('base64');
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    );
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\bon\w+=|\bstyle="|https?:|url\(|@import/);
    expect(style).toContain('prefers-color-scheme: dark');
  });

  test('has headings, named tables and plots, and a link to every section and field', async () => {
    const page = await pageOf(EVENTS);
    elementsOf(page);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    for (const [, id = ''] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
    const svgs = page.match(/<svg[^>]*>/g) ?? [];
    expect(svgs.length).toBeGreaterThan(5);
    for (const svg of svgs) expect(svg).toMatch(/role="img" aria-label="[^"]+"|aria-hidden="true"/);
    expect(page.match(/<table/g)?.length).toBe(page.match(/<caption>/g)?.length);
    for (const [region] of page.matchAll(/<div class="scroll"[^>]*>/g))
      expect(region).toMatch(/role="region" aria-label="[^"]+" tabindex="0"/);
  });

  test('has plots with a scale from zero to the highest value', async () => {
    const page = await pageOf(EVENTS);
    const plots = page.match(/<svg class="plot"/g) ?? [];
    const scales = [
      ...page.matchAll(/<div class="scale"[^>]*><span>([^<]+)<\/span><span>0<\/span><\/div>\n<svg/g),
    ];
    expect(scales).toHaveLength(plots.length);
    for (const [, highest] of scales) expect(page).toContain(`: highest ${highest} at `);
  });

  test('shows fields with their values, shares and ranges', async () => {
    const page = await pageOf(EVENTS);
    expect(page).toContain('<h3 id="field-1">/user/name</h3>');
    expect(page).toMatch(
      /<th scope="row">ann<\/th>.*<td class="number">20<\/td><td class="number">50&nbsp;%<\/td>/,
    );
    expect(page).toContain('0 to 39, mean 19.5');
  });

  const EVIL = [
    '</script><img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    "' autofocus onfocus='x",
    '<!--',
    '&lt;',
  ];

  test.each(EVIL)('shows %j as text wherever it stands', async (evil) => {
    const events = [
      JSON.stringify({ [evil]: evil, nested: { [`${evil}/`]: [evil] } }),
      `user="${evil.replaceAll('"', '')}" other="x y"`,
    ];
    const made = await inspected(events);
    const page = await pageOf(events, {
      ...made,
      generator: evil,
      seed: evil,
      timezone: evil,
      limits: [{ limit: 'fields', max: 1, message: evil }],
      failures: [{ kind: 'produce', reason: evil, count: 3 }],
      failed: 3,
    });
    const harmless = new Set(elementsOf(await pageOf(EVENTS)));
    for (const name of ['ul', 'li']) harmless.add(name);
    expect([...elementsOf(page)].filter((name) => !harmless.has(name))).toEqual([]);
    expect(page.replace(/"[^"]*"/g, '""')).not.toMatch(/<[a-z][^<>]*\son\w+=/);
    expect(page).not.toContain('<!--');
  });

  test('makes control and direction characters visible', async () => {
    const page = await pageOf([JSON.stringify({ a: '\u202ecod.exe\u0000\u001b[31m\ud800' })]);
    expect(page).toContain('\\u{202e}cod.exe\\u{0}\\u{1b}[31m\\u{d800}');
    for (const character of ['\u202e', '\u0000', '\u001b']) expect(page).not.toContain(character);
  });

  test('is whole for a generator that made nothing', async () => {
    const page = await pageOf([], {
      failed: 2,
      failures: [{ kind: 'produce', reason: 'no name', count: 2 }],
    });
    elementsOf(page);
    expect(page).toContain('0 events');
    expect(page).toContain('no name');
  });
});
