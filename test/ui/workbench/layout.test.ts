import { describe, expect, test } from '@jest/globals';
import {
  PANES,
  readPanes,
  resized,
  START_SIZES,
  sizeOfDrag,
  sizeOfKey,
  writePanes,
} from '../../../src/ui/pages/workbench/layout/panes.js';
import {
  type LayoutStorage,
  MAX_TABS,
  movedTabs,
  neighborOf,
  readTabs,
  tabNames,
  tabOfKey,
  withoutTabs,
  withTab,
  writeTabs,
} from '../../../src/ui/pages/workbench/layout/tabs.js';

const memory = (start: Readonly<Record<string, string>> = {}): LayoutStorage => {
  const items = new Map(Object.entries(start));
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => void items.set(key, value) };
};

const FULL: LayoutStorage = {
  getItem: () => {
    throw new Error('blocked');
  },
  setItem: () => {
    throw new Error('full');
  },
};

describe('tabs', () => {
  test('are remembered for each directory', () => {
    const storage = memory();
    writeTabs(storage, 'web', ['a', 'b']);
    writeTabs(storage, 'mail', ['c']);
    expect([readTabs(storage, 'web'), readTabs(storage, 'mail'), readTabs(storage, 'x')]).toEqual([
      ['a', 'b'],
      ['c'],
      [],
    ]);
  });

  test.each(['no JSON', '{"a": 1}', '[1, null, "a", "a"]'])('damaged ones are left out: %s', (text) => {
    expect(readTabs(memory({ 'spate:tabs:web': text }), 'web')).toEqual(text.startsWith('[') ? ['a'] : []);
  });

  test('work without a storage', () => {
    writeTabs(FULL, 'web', ['a']);
    expect(readTabs(FULL, 'web')).toEqual([]);
  });

  test('open once; the oldest is closed beyond the limit', () => {
    const one = withTab([], 'a');
    expect(withTab(one, 'a')).toBe(one);
    const many = Array.from({ length: MAX_TABS }, (_, n) => `${n}`);
    expect(withTab(many, 'new')).toEqual([...many.slice(1), 'new']);
  });

  test('close alone or with their folder, and lead to a neighbor', () => {
    const tabs = ['a', 'd/x', 'd/y', 'dd'];
    expect(withoutTabs(tabs, 'd')).toEqual(['a', 'dd']);
    expect(withoutTabs(tabs, 'a')).toEqual(['d/x', 'd/y', 'dd']);
    expect([neighborOf(tabs, 'a'), neighborOf(tabs, 'dd'), neighborOf(['a'], 'a')]).toEqual([
      'd/x',
      'd/y',
      null,
    ]);
  });

  test('follow a move', () => {
    expect(movedTabs(['a', 'd/x', 'dd'], 'd', 'e')).toEqual(['a', 'e/x', 'dd']);
    expect(movedTabs(['a', 'b'], 'a', 'b')).toEqual(['b']);
  });

  test('keys lead around', () => {
    const tabs = ['a', 'b', 'c'];
    const to = (from: string, key: string): string | null => tabOfKey(tabs, from, key);
    expect([to('c', 'ArrowRight'), to('a', 'ArrowLeft'), to('b', 'ArrowRight')]).toEqual(['a', 'c', 'c']);
    expect([to('b', 'Home'), to('b', 'End'), to('b', 'x')]).toEqual(['a', 'c', null]);
  });

  test('files with the same name show their path', () => {
    expect([...tabNames(['a/x', 'b/x', 'c/y']).values()]).toEqual(['a/x', 'b/x', 'y']);
  });
});

describe('panes', () => {
  test('keys move a separator within its bounds', () => {
    const { min, max, step } = PANES.editor;
    expect(sizeOfKey('editor', 50, 'ArrowRight')).toBe(50 + step);
    expect(sizeOfKey('editor', min, 'ArrowLeft')).toBe(min);
    expect([sizeOfKey('editor', 50, 'Home'), sizeOfKey('editor', 50, 'End')]).toEqual([min, max]);
    expect(sizeOfKey('editor', 50, 'a')).toBeNull();
  });

  test('dragging counts pixels of the files and shares of the rest', () => {
    expect(sizeOfDrag('tree', 200, 50, 1_000)).toBe(250);
    expect(sizeOfDrag('tree', 200, -500, 1_000)).toBe(PANES.tree.min);
    expect(sizeOfDrag('editor', 50, 100, 1_000)).toBe(60);
    expect(sizeOfDrag('editor', 50, 100, 0)).toBe(PANES.editor.max);
  });

  test('sizes are remembered; what is damaged is as at first', () => {
    const storage = memory();
    const sizes = { ...resized(START_SIZES, 'tree', 300), isTreeHidden: true };
    writePanes(storage, sizes);
    expect(readPanes(storage)).toEqual(sizes);
    const damaged = memory({ 'spate:panes': '{"tree": "wide", "editor": 1e9}' });
    expect(readPanes(damaged)).toEqual({ ...START_SIZES, editor: PANES.editor.max });
    expect(readPanes(memory({ 'spate:panes': '7' }))).toEqual(START_SIZES);
    writePanes(FULL, sizes);
    expect(readPanes(FULL)).toEqual(START_SIZES);
  });
});
