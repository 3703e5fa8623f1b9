import { describe, expect, test } from '@jest/globals';
import type { Activity } from '../../src/world/activity/kinds.js';
import { shareOfVisitors } from '../../src/world/activity/web/webMinute.js';
import type { WebVisit } from '../../src/world/activity/web/webVisit.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD, type WorldSpec } from '../../src/world/spec.js';

const minuteOf = (text: string): number => Date.parse(text) / 60_000;
/** A Tuesday. */
const MORNING = minuteOf('2026-11-24T09:00:00Z');

const requestsOf = (spec: WorldSpec, from: number, minutes: number): readonly Activity[] => {
  const look = makeWorld(spec).lookAt({ kinds: ['request_web'] });
  return Array.from({ length: minutes }, (_, index) => look(from + index)).flat();
};
const isNormal = ({ truth }: Activity): boolean => truth === null;
const visitOf = ({ facts }: Activity): WebVisit => facts['visit'] as WebVisit;

/** Seconds from the first to the last request of visits that begin and end within what is seen. */
const lengthsOf = (requests: readonly Activity[]): readonly number[] => {
  const spans = new Map<WebVisit, [first: number, last: number]>();
  for (const request of requests) {
    const visit = visitOf(request);
    const span = spans.get(visit);
    if (span !== undefined) span[1] = request.at;
    else if (request.facts['action'] === 'visit-started') spans.set(visit, [request.at, request.at]);
  }
  const last = requests.at(-1)?.at ?? 0;
  return [...spans.values()]
    .filter(([first]) => first < last - 20 * 60e6)
    .map(([first, end]) => (end - first) / 1e6);
};
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const requests = requestsOf(DEFAULT_WORLD, MORNING, 60).filter(isNormal);

describe('the web site of a world', () => {
  test('has a request of a visit after the page that it is for, from one address by one browser', () => {
    const pages = new Map<WebVisit, Set<unknown>>();
    for (const { facts } of requests) {
      const visit = facts['visit'] as WebVisit;
      const known = pages.get(visit);
      if (facts['action'] === 'visit-started') pages.set(visit, new Set([facts['path']]));
      else if (known !== undefined && facts['action'] === 'asset')
        expect(known.has(facts['referrer'])).toBe(true);
      else known?.add(facts['path']);
    }
    expect(pages.size).toBeGreaterThan(500);
  });

  test('has visitors, programs of partners, crawlers, monitors, strangers and people of the organization', () => {
    const sorts = new Map<unknown, number>();
    for (const { facts } of requests) sorts.set(facts['sort'], (sorts.get(facts['sort']) ?? 0) + 1);
    const shareOf = (sort: string): number => (sorts.get(sort) ?? 0) / requests.length;
    expect(shareOf('visitor')).toBeGreaterThan(0.7);
    for (const sort of ['partner', 'crawler', 'monitor', 'stranger'])
      expect(shareOf(sort)).toBeGreaterThan(0.01);
    const people = requests.filter(({ person }) => person !== null);
    expect(people.length).toBeGreaterThan(20);
    for (const request of people) expect(visitOf(request).agent.original).toBe(request.person?.user_agent);
  });

  test('has more visitors with more people, and visits as long as before', () => {
    const more = requestsOf({ ...DEFAULT_WORLD, load: 5 }, MORNING, 60).filter(isNormal);
    expect(more.length / requests.length).toBeGreaterThan(4.5);
    expect(more.length / requests.length).toBeLessThan(5.5);
    const [few, many] = [lengthsOf(requests), lengthsOf(more)];
    expect(mean(many) / mean(few)).toBeGreaterThan(0.85);
    expect(mean(many) / mean(few)).toBeLessThan(1.15);
  });

  test('has few visitors at night and most in the evening, without a step', () => {
    const at = (minute: number): number => shareOfVisitors(0, minute * 60e6);
    const shares = Array.from({ length: 7 * 1_440 }, (_, minute) => at(MORNING + minute));
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    expect(Math.min(...shares)).toBeGreaterThan(0.05);
    for (const [index, share] of shares.entries())
      expect(Math.abs(share - (shares[index - 1] ?? share))).toBeLessThan(0.01);
    expect(at(minuteOf('2026-11-24T20:00:00Z'))).toBeGreaterThan(4 * at(minuteOf('2026-11-24T04:00:00Z')));
  });

  test('has begins of visits that vary as those of people who know nothing of each other', () => {
    const seconds = new Map<number, number>();
    for (const { at, facts } of requests)
      if (facts['action'] === 'visit-started') {
        const second = Math.floor(at / 1e6);
        seconds.set(second, (seconds.get(second) ?? 0) + 1);
      }
    const counts = Array.from({ length: 3_600 }, (_, second) => seconds.get(MORNING * 60 + second) ?? 0);
    const average = mean(counts);
    const variance = mean(counts.map((count) => (count - average) ** 2));
    expect(variance / average).toBeGreaterThan(0.9);
    expect(variance / average).toBeLessThan(1.1);
  });

  test('is the same to those who look at nothing else', () => {
    const world = makeWorld({ ...DEFAULT_WORLD, people: 40 });
    const all = world.minute(MORNING).filter(({ kind }) => kind === 'request_web');
    const alone = makeWorld({ ...DEFAULT_WORLD, people: 40 }).lookAt({ kinds: ['request_web'] })(MORNING);
    expect(JSON.stringify(alone)).toBe(JSON.stringify(all));
  });
});
