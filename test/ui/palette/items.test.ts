import { describe, expect, test } from '@jest/globals';
import {
  afterVisit,
  generatorItems,
  groupedItems,
  matchingItems,
  pageItem,
  rateItems,
  recentItems,
} from '../../../src/ui/app/palette/items.js';

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

describe('a rate in words', () => {
  const ids = ['web-1', 'shop-web', 'mail'];
  const does = (query: string) => rateItems(query, ids).map(({ label, does }) => [label, does]);

  test.each(['set rate of mail to 1,500.5', 'Set the rate of MAIL to 1500.5', 'rate mail 1500.5'])(
    'is set: %s',
    (query) => {
      expect(does(query)).toEqual([
        ['Set the rate of mail to 1,500.5', { type: 'rate', generator: 'mail', rate: 1500.5 }],
      ]);
    },
  );

  test('concerns every generator whose id has the word', () => {
    expect(rateItems('set rate of web to 5', ids).map(({ label }) => label)).toEqual([
      'Set the rate of web-1 to 5',
      'Set the rate of shop-web to 5',
    ]);
  });

  test.each(['set rate of mail', 'set rate of mail to', 'rate mail '])(
    'without a number leads to its form: %s',
    (query) => {
      expect(does(query)).toEqual([['Set the rate of mail', { type: 'go', href: '/r/mail?show=change' }]]);
    },
  );

  test.each(['', 'mail', 'rate', 'set', 'moderate mail 5', 'rate of nobody to 5'])(
    'is not meant by %p',
    (query) => {
      expect(does(query)).toEqual([]);
    },
  );
});

describe('the palette', () => {
  const items = [pageItem('Page', 'Settings', '/settings'), ...generatorItems('web', 'stopped')];

  test('lists kinds together, that of the best first', () => {
    const groups = groupedItems(matchingItems([...items, ...generatorItems('web-2', 'stopped')], 'web', 9));
    expect(groups.map(({ kind, items: those }) => [kind, labels(those)])).toEqual([
      ['Generator', ['web', 'web-2']],
      ['Action', ['Start web', 'Start web-2']],
    ]);
  });

  test('offers the last pages but the present one and those that are gone', () => {
    const recent = ['/', '/settings', '/r/gone', '/r/web', '/settings'].reduce(
      afterVisit,
      [] as readonly string[],
    );
    expect(recent).toEqual(['/settings', '/r/web', '/r/gone', '/']);
    expect(labels(recentItems(items, recent, '/settings'))).toEqual(['web']);
  });

  test('remembers six pages', () => {
    const paths = [...'abcdefgh'].map((letter) => `/r/${letter}`);
    expect(paths.reduce(afterVisit, [] as readonly string[])).toEqual(paths.toReversed().slice(0, 6));
  });
});
