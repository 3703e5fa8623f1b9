import { describe, expect, test } from '@jest/globals';
import {
  addressOfSearch,
  auditSearchOf,
  isSearching,
  keyedEntries,
  localTime,
  NOTED_OPERATIONS,
  olderPage,
  operationWords,
  outcomeOf,
  outcomeWords,
  queryOfSearch,
  targetPage,
  whoOf,
  withFilter,
} from '../../../src/ui/pages/audit/entries.js';

test.each([
  [200, 'done', 'done'],
  [204, 'done', 'done'],
  [401, 'refused', 'refused: wrong credentials'],
  [403, 'refused', 'refused: not allowed'],
  [418, 'refused', 'refused (418)'],
  [500, 'failed', 'failed (500)'],
  [0, 'unanswered', 'client left'],
] as const)('the status %d says: %s', (status, outcome, words) => {
  expect([outcomeOf(status), outcomeWords(status)]).toEqual([outcome, words]);
});

test('operations are words, and methods of unknown paths stay', () => {
  expect(operationWords('startGenerator')).toBe('Start generator');
  expect(operationWords('jumpInIncident')).toBe('Jump in incident');
  expect(operationWords('POST')).toBe('POST');
});

test('an entry without a user says whether a signal or a client without credentials made it', () => {
  expect(whoOf({ user: 'ann (mcp)', client: 'mcp' })).toBe('ann (mcp)');
  expect(whoOf({ user: null, client: 'signal' })).toBe('signal');
  expect(whoOf({ user: null, client: '::1' })).toBe('no credentials');
});

describe('the page of a target', () => {
  test.each([
    ['startGenerator', '/generators/web%20one/start', 'web one', '/r/web%20one'],
    ['patchGenerator', '/generators/web?restart=true', 'web', '/r/web'],
    ['patchGlobals', '/scenarios/day/globals', 'day', '/s/day'],
    ['deleteGlobalsKey', '/scenarios/day/globals/load', 'day', '/s/day'],
    ['leaveScenario', '/scenarios/day/generators/web', 'day', '/s/day'],
    ['startIncident', '/incidents/knock/start?seed=7', 'knock', '/incidents/knock'],
    ['writeDestination', '/destinations/siem', 'siem', '/destinations/siem'],
    ['replaceStartupEntry', '/startup/web', 'web', '/startup?edit=web'],
    ['updateGeneratorConfig', '/generator-configs/shop', 'shop', '/g/shop'],
    [
      'replaceGeneratorFile',
      '/generator-configs/shop/file/data/a%20b.csv',
      'shop/data/a b.csv',
      '/g/shop?file=data%2Fa+b.csv',
    ],
    ['deleteGeneratorFile', '/generator-configs/shop/file/a.csv', 'shop', '/g/shop'],
    ['setSecret', '/secrets/siem', 'siem', '/secrets'],
    ['updateSettings', '/instance/settings', 'Settings', '/settings'],
    ['drainNode', '/cluster/nodes/n1/drain', 'n1', '/cluster'],
    ['renameGenerator', '/generators/web/rename?to=shop', 'shop', '/r/shop'],
    ['renameScenario', '/scenarios/day/rename?to=night', 'night', '/s/night'],
  ])('of %s %s is that of %s', (operation, target, label, href) => {
    expect(targetPage({ operation, target, status: 200 })).toEqual({ label, href });
  });

  test.each([
    ['stopGenerators', '/generators/group-actions/bulk-stop'],
    ['restartInstance', '/instance/restart'],
    ['login', '/auth/login'],
    ['POST', '/nothing'],
    ['reload', '/etc/spate/spate.yml'],
    ['startGenerator', '/generators/web/stop'],
    ['removeGenerator', '/generators/web'],
    ['deleteIncident', '/incidents/knock'],
  ])('of %s %s is none', (operation, target) => {
    expect(targetPage({ operation, target, status: 200 })).toBeNull();
  });

  test('stays that of the former name, or of what was to go, when the request was refused', () => {
    const renaming = { operation: 'renameGenerator', target: '/generators/web/rename?to=shop', status: 409 };
    expect(targetPage(renaming)?.href).toBe('/r/web');
    expect(targetPage({ operation: 'removeGenerator', target: '/generators/web', status: 403 })?.href).toBe(
      '/r/web',
    );
  });
});

test('operations to choose from are those that leave entries', () => {
  expect(NOTED_OPERATIONS).toEqual(expect.arrayContaining(['login', 'startGenerator', 'updateSettings']));
  expect(NOTED_OPERATIONS).not.toEqual(expect.arrayContaining(['readAudit']));
  expect(NOTED_OPERATIONS.filter((one) => /preview/i.test(one))).toEqual([]);
});

describe('a search', () => {
  const everything = auditSearchOf(new URLSearchParams());
  const NOW = Date.parse('2026-11-20T12:00:00Z');

  test.each([
    '',
    'user=ann&operation=startGenerator&target=%2Fgenerators',
    'range=hour',
    'range=own',
    'since=2026-11-20T10%3A00%3A00.000Z&until=2026-11-20T11%3A00%3A00.000Z',
    'user=ann&page=3&before=2026-11-20T10%3A00%3A00.000Z',
  ])('comes back from its address %p', (address) => {
    expect(addressOfSearch(auditSearchOf(new URLSearchParams(address))).toString()).toBe(address);
  });

  test('takes nothing from values that are none', () => {
    expect(auditSearchOf(new URLSearchParams('page=-1&range=year&since=soon&before=x'))).toEqual(everything);
    expect(auditSearchOf(new URLSearchParams('page=1.5')).page).toBe(1);
    expect(isSearching(everything)).toBe(false);
  });

  test('asks only for what it has', () => {
    expect(queryOfSearch(everything, NOW)).toEqual({ offset: 0, limit: 50 });
    expect(queryOfSearch({ ...everything, user: 'ann', range: 'day' }, NOW)).toEqual({
      user: 'ann',
      since: '2026-11-19T12:00:00.000Z',
      offset: 0,
      limit: 50,
    });
  });

  test('keeps its pages while entries arrive: the newest of the first page is the last that they have', () => {
    const second = olderPage({ ...everything, user: 'ann' }, '2026-11-20T11:59:59.123Z');
    expect(queryOfSearch(second, NOW)).toEqual({
      user: 'ann',
      until: '2026-11-20T11:59:59.124Z',
      offset: 50,
      limit: 50,
    });
    expect(queryOfSearch(olderPage(second, '2026-11-20T10:00:00Z'), NOW)).toMatchObject({
      until: '2026-11-20T11:59:59.124Z',
      offset: 100,
    });
  });

  test('ends at the earlier of its own end and that of its pages', () => {
    const own = {
      ...everything,
      range: 'own' as const,
      since: '',
      until: '2026-11-20T10:00:00.000Z',
      page: 2,
      before: '2026-11-20T09:00:00.000Z',
    };
    expect(queryOfSearch(own, NOW)).toMatchObject({ until: '2026-11-20T09:00:00.000Z' });
    expect(queryOfSearch({ ...own, before: '2026-11-20T11:00:00.000Z' }, NOW)).toMatchObject({
      until: '2026-11-20T10:00:00.000Z',
    });
  });

  test('begins at its first page again with another filter', () => {
    const second = olderPage(everything, '2026-11-20T11:59:59.123Z');
    expect(withFilter(second, { user: 'ben' })).toEqual({ ...everything, user: 'ben' });
  });
});

test('a time stands in a field as the clock on the wall has it', () => {
  const iso = new Date(2026, 10, 20, 19, 5).toISOString();
  expect(localTime(iso)).toBe('2026-11-20T19:05');
  expect(localTime('')).toBe('');
});

test('equal entries have keys of their own, which stay when newer ones arrive', () => {
  const entry = {
    at: 'x',
    user: null,
    client: '::1',
    operation: 'login',
    target: '/auth/login',
    status: 401,
  };
  const before = keyedEntries([entry, { ...entry, status: 200 }]).map(({ key }) => key);
  const after = keyedEntries([entry, entry, { ...entry, status: 200 }]).map(({ key }) => key);
  expect(new Set(after).size).toBe(3);
  expect(after.slice(1)).toEqual(before);
});
