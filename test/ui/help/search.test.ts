import { describe, expect, test } from '@jest/globals';
import {
  type HelpSection,
  makeIndex,
  search,
  searchWordsOf,
  snippetOf,
} from '../../../src/ui/pages/help/search.js';

const section = (page: string, title: string, text: string): HelpSection => ({
  page,
  id: title,
  title,
  text,
});

const SECTIONS = [
  section('outputs', 'How do I compress?', 'Kafka compresses batches.'),
  section('kafka', '', 'Writes events to a topic.'),
  section('kafka', 'compression_type', 'One of gzip, zstd.'),
  section('files', 'Rotation', 'Full files are renamed. Compression runs in the background.'),
];
const TITLES: Readonly<Record<string, string>> = {
  kafka: 'Output kafka',
  outputs: 'Outputs',
  files: 'Files',
};
const index = makeIndex(SECTIONS, (page) => TITLES[page] ?? '');

const found = (query: string, limit = 10): readonly string[] =>
  search(index, query, limit).map(({ page, title }) => `${page}#${title}`);

test('a name is found whole and by its parts', () => {
  expect(searchWordsOf('Set `compression_type: gzip`, spate-http-input')).toEqual([
    'set',
    'compression_type',
    'compression',
    'type',
    'gzip',
    'spate-http-input',
    'spate',
    'http',
    'input',
  ]);
});

describe('a search', () => {
  test('finds sections with all words, of their text, title or page', () => {
    expect(found('kafka gzip')).toEqual(['kafka#compression_type']);
  });

  test('finds those with most of the words if none has all', () => {
    expect(found('kafka gzip background')).toEqual(['kafka#compression_type']);
    expect(found('gzip background')).toEqual(['kafka#compression_type', 'files#Rotation']);
  });

  test('takes questions: their small words do not count', () => {
    expect(found('How do I use kafka with gzip?')).toEqual(['kafka#compression_type']);
    expect(found('how')).toEqual(['outputs#How do I compress?']);
  });

  test('puts titles before texts, and whole words before beginnings', () => {
    expect(found('compression')).toEqual(['kafka#compression_type', 'files#Rotation']);
    expect(found('compress')[0]).toBe('outputs#How do I compress?');
    expect(found('compress')).toHaveLength(3);
  });

  test('takes capitals and signs as they come, and gives no more than asked for', () => {
    expect(found('  KAFKA: ', 2)).toEqual(['kafka#', 'kafka#compression_type']);
  });

  test('puts the beginning of a page first for a word of its title', () => {
    const texts = [section('files', 'kafka', 'A row.'), section('kafka', '', 'Writes events.')];
    const pages = makeIndex(texts, (page) => TITLES[page] ?? '');
    expect(search(pages, 'kafka', 10).map(({ page }) => page)).toEqual(['kafka', 'files']);
  });

  test.each(['', '  ', '?!', 'nowhere'])('of %j finds nothing', (query) => {
    expect(found(query)).toEqual([]);
  });
});

describe('a snippet', () => {
  const long = section('a', '', `${'first '.repeat(50)}needle ${'last '.repeat(50)}`);

  test('is the text around the first word of the query', () => {
    const text = snippetOf(long, 'needle');
    expect(text).toMatch(/^… first .*needle last .*last …$/);
    expect(text.length).toBeLessThan(210);
  });

  test('begins with the text if the words are elsewhere', () => {
    expect(snippetOf(long, 'title')).toMatch(/^first first .* …$/);
    expect(snippetOf(section('a', '', 'short'), 'title')).toBe('short');
    expect(snippetOf(section('a', '', 'x'.repeat(500)), 'title')).toMatch(/^x{200} …$/);
  });
});
