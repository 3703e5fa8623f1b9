import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  categoriesOf,
  exampleOf,
  exampleParamsOf,
  prettyEvent,
  type ShownExample,
  shownItems,
} from '../../../src/ui/pages/library/examples.js';

const item = (name: string, more: Partial<ShownExample> = {}): ShownExample => ({
  name,
  summary: 'Something.',
  category: name.split('-')[0] ?? '',
  event_bytes: 100,
  templates: 1,
  parameters: [],
  anomalies: [],
  detections: [],
  ...more,
});

const ITEMS = [
  item('web-nginx', { summary: 'Access log of nginx.' }),
  item('web-apache'),
  item('linux-syslog', { anomalies: [{ name: 'brute_force', help: 'Many failed logins.' }] }),
];

const names = (filter: string, category = ''): readonly string[] =>
  shownItems(ITEMS, { filter, category }).map(({ name }) => name);

describe('the library', () => {
  test('is searched by every word, in names, summaries and attacks', () => {
    expect(names('')).toHaveLength(3);
    expect(names('  Log ACCESS ')).toEqual(['web-nginx']);
    expect(names('failed')).toEqual(['linux-syslog']);
    expect(names('web failed')).toEqual([]);
  });

  test('is filtered by category', () => {
    expect(categoriesOf(ITEMS)).toEqual(['linux', 'web']);
    expect(names('', 'web')).toEqual(['web-nginx', 'web-apache']);
  });

  const packs = readdirSync('generators', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => readdirSync(`generators/${name}`).includes('library.yml'));

  test.each(packs)('%s has an example event in its README', (name) => {
    const event = exampleOf(readFileSync(`generators/${name}/README.md`, 'utf8'));
    expect(event).not.toBeNull();
    expect(event).not.toContain('```');
    expect((event ?? '').length).toBeGreaterThan(50);
  });

  test('a README without an example has none', () => {
    expect(exampleOf('# a\n\n## Run it\n\n```json\n{}\n```\n')).toBeNull();
    expect(exampleOf('## Example\n\nNone.\n\n## Other\n\n```json\n{}\n```\n')).toBeNull();
  });

  test('only JSON events get an indent', () => {
    expect(prettyEvent('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(prettyEvent('<1>x')).toBe('<1>x');
  });
});

test('parameters have the type of their defaults, and empty ones are left out', () => {
  const parameters = [
    { name: 'rate', default: 5, help: '' },
    { name: 'labels', default: true, help: '' },
    { name: 'host', default: 'web-1', help: '' },
    { name: 'other', default: 1, help: '' },
  ];
  expect(exampleParamsOf(parameters, { rate: '50', labels: 'false', host: '7', other: '' })).toEqual({
    rate: 50,
    labels: false,
    host: '7',
  });
  expect(exampleParamsOf(parameters, { rate: 'fast' })).toEqual({ rate: 'fast' });
});
