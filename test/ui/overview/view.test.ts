import { describe, expect, test } from '@jest/globals';
import { firstExamples } from '../../../src/ui/pages/overview/examples.js';
import { viewOf, viewParamsOf } from '../../../src/ui/pages/overview/rows.js';
import { NONE, toggled, toggledAll } from '../../../src/ui/pages/overview/selection.js';

describe('the address of a view', () => {
  test('says only what is not usual, and is read back', () => {
    const view = {
      filter: 'a&b',
      only: 'failing',
      phase: 'failed',
      sort: 'rate',
      isDescending: true,
    } as const;
    expect(viewParamsOf(view).toString()).toBe('find=a%26b&only=failing&state=failed&sort=rate&order=down');
    expect(viewOf(viewParamsOf(view))).toEqual(view);
    expect(viewParamsOf(viewOf(new URLSearchParams())).toString()).toBe('');
  });

  test('with unknown values shows everything', () => {
    const view = viewOf(new URLSearchParams('only=well&state=broken&sort=color&order=up'));
    expect(view).toEqual({ filter: '', only: null, phase: null, sort: 'id', isDescending: false });
  });
});

describe('a selection', () => {
  const shown = ['a', 'b', 'c', 'd'];
  const ids = (selection: { readonly ids: ReadonlySet<string> }) => [...selection.ids].toSorted();

  test('is changed row by row', () => {
    const one = toggled(NONE, shown, 'b', false);
    expect(ids(one)).toEqual(['b']);
    expect(ids(toggled(one, shown, 'b', false))).toEqual([]);
  });

  test('takes a range in both directions', () => {
    const last = toggled(NONE, shown, 'd', false);
    expect(ids(toggled(last, shown, 'b', true))).toEqual(['b', 'c', 'd']);
    const first = toggled(NONE, shown, 'a', false);
    expect(ids(toggled(first, shown, 'c', true))).toEqual(['a', 'b', 'c']);
  });

  test('gives up a range, and ignores a start that is not shown any more', () => {
    const all = toggledAll(NONE, shown);
    const less = toggled(toggled(all, shown, 'a', false), shown, 'c', true);
    expect(ids(less)).toEqual(['d']);
    expect(ids(toggled({ ids: new Set(), last: 'gone' }, shown, 'c', true))).toEqual(['c']);
  });

  test('of all is given up as a whole', () => {
    expect(ids(toggledAll(NONE, shown))).toEqual(shown);
    expect(toggledAll(toggledAll(NONE, shown), shown)).toBe(NONE);
  });
});

test('the first examples are known ones', () => {
  const of = (name: string) => ({ name }) as Parameters<typeof firstExamples>[0][number];
  const names = firstExamples(['a', 'web-nginx', 'b', 'windows-security'].map(of)).map(({ name }) => name);
  expect(names).toEqual(['web-nginx', 'windows-security', 'a']);
});
