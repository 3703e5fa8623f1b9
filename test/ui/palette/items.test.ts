import { describe, expect, test } from '@jest/globals';
import { generatorItems, matchingItems, pageItem } from '../../../src/ui/app/palette/items.js';

const labels = (items: readonly { readonly label: string }[]): readonly string[] =>
  items.map(({ label }) => label);

describe('what a generator offers', () => {
  test.each([
    ['running', ['web', 'Stop web', 'Restart web']],
    ['loading', ['web', 'Stop web']],
    ['failed', ['web', 'Start web']],
    ['draining', ['web']],
  ] as const)('depends on its phase: %s', (phase, expected) => {
    expect(labels(generatorItems('web', phase))).toEqual(expected);
  });

  test('is found at its address, whatever its id', () => {
    expect(generatorItems('a/b c', 'idle')[0]?.does).toEqual({ type: 'go', href: '/r/a%2Fb%20c' });
  });
});

describe('a query', () => {
  const items = [
    pageItem('Page', 'Settings', '/settings'),
    pageItem('Help', 'Start a web log', '/help/x'),
    ...generatorItems('shop-web', 'stopped'),
    ...generatorItems('web-1', 'stopped'),
  ];
  const found = (query: string, limit = 9) => labels(matchingItems(items, query, limit));

  test('puts labels that begin with it first, then words that do', () => {
    expect(found('web')).toEqual(['web-1', 'Start a web log', 'shop-web', 'Start shop-web', 'Start web-1']);
  });

  test('finds items with all its words, in label or kind, in any order and case', () => {
    expect(found('WEB start action')).toEqual(['Start shop-web', 'Start web-1']);
    expect(found('help')).toEqual(['Start a web log']);
    expect(found('web settings')).toEqual([]);
  });

  test('that is empty offers the first items', () => {
    expect(found(' ', 2)).toEqual(['Settings', 'Start a web log']);
  });
});
