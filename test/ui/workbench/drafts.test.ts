import { describe, expect, test } from '@jest/globals';
import { readDrafts, writeDraft } from '../../../src/ui/pages/workbench/drafts.js';

const memory = (room = Number.POSITIVE_INFINITY) => {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index: number) => [...values.keys()][index] ?? null,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (values.size >= room) throw new Error('QuotaExceededError');
      values.set(key, value);
    },
    removeItem: (key: string) => void values.delete(key),
  };
};

const draft = { text: 'a: 1', base: 'a: 0', etag: '"x"', at: 5 };

describe('drafts', () => {
  test('are read again by path, those of one directory only', () => {
    const storage = memory();
    writeDraft(storage, 'web', 'parts/a.jinja', draft);
    writeDraft(storage, 'web-2', 'b.jinja', draft);
    expect([...readDrafts(storage, 'web')]).toEqual([['parts/a.jinja', draft]]);
  });

  test('a removed draft is gone', () => {
    const storage = memory();
    writeDraft(storage, 'web', 'a.jinja', draft);
    writeDraft(storage, 'web', 'a.jinja', null);
    expect(readDrafts(storage, 'web').size).toBe(0);
  });

  test('a full storage is reported', () => {
    expect(writeDraft(memory(0), 'web', 'a.jinja', draft)).toBe(false);
  });

  test('what is no draft is left out', () => {
    const storage = memory();
    storage.setItem('spate:draft:web/a', 'no JSON');
    storage.setItem('spate:draft:web/b', '{"text":1}');
    expect(readDrafts(storage, 'web').size).toBe(0);
  });
});
