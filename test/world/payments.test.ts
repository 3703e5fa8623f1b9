import { describe, expect, test } from '@jest/globals';
import type { Activity } from '../../src/world/activity/kinds.js';
import type { Payment } from '../../src/world/activity/payments/payment.js';
import { PAYMENT_RECIPES } from '../../src/world/attack/payments.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD, type WorldSpec } from '../../src/world/spec.js';

const minuteOf = (text: string): number => Date.parse(text) / 60_000;
/** A Tuesday. */
const MORNING = minuteOf('2026-11-24T09:00:00Z');
const DAY = 1_440;
const KINDS = ['pay', 'serve_payments'] as const;
const SMALL: WorldSpec = { ...DEFAULT_WORLD, people: 40 };

type Told = Pick<Activity, 'facts'>;
const recordsOf = (spec: WorldSpec, from: number, minutes: number): readonly Activity[] => {
  const look = makeWorld(spec).lookAt({ kinds: KINDS, attacks: new Set() });
  return Array.from({ length: minutes }, (_, index) => look(from + index)).flat();
};
const eventOf = ({ facts }: Told): string => String(facts['event']);
const paymentOf = ({ facts }: Told): Payment => facts['payment'] as Payment;
const isA =
  (...events: readonly string[]) =>
  (one: Told): boolean =>
    events.includes(eventOf(one));
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const world = makeWorld(DEFAULT_WORLD);
const records = recordsOf(DEFAULT_WORLD, MORNING, 90);

/** The records of each payment that begins within what is seen, in order. */
const livesIn = (given: readonly Activity[]): readonly (readonly Activity[])[] => {
  const lives = new Map<Payment, Activity[]>();
  for (const one of given) {
    if (isA('payment.created')(one)) lives.set(paymentOf(one), [one]);
    else lives.get(paymentOf(one))?.push(one);
  }
  return [...lives.values()];
};
const lives = livesIn(records);
const STAGES = ['payment.created', 'risk.evaluated', 'payment.challenge.completed'];
const ANSWERS = ['payment.authorized', 'payment.declined'];
const ENDS = ['payment.captured', 'payment.canceled'];

describe('the payments of a world', () => {
  test('are created, scored, authorized and captured, each step once and in this order', () => {
    expect(lives.length).toBeGreaterThan(3_000);
    let captured = 0;
    for (const life of lives) {
      const stages = life.map(eventOf).filter((event) => [...STAGES, ...ANSWERS, ...ENDS].includes(event));
      const places = stages.map((event) =>
        ENDS.includes(event) ? 4 : ANSWERS.includes(event) ? 3 : STAGES.indexOf(event),
      );
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      if (!stages.some((event) => ENDS.includes(event))) continue;
      expect(stages).toContain('payment.authorized');
      captured++;
    }
    expect(captured / lives.length).toBeGreaterThan(0.7);
  });

  test('go no further once the risk is too high, the holder does not confirm or the card is declined', () => {
    const stopped = lives.filter((life) =>
      life.some(
        ({ facts }) =>
          facts['state'] === 'blocked' || facts['state'] === 'failed' || facts['state'] === 'declined',
      ),
    );
    expect(stopped.length).toBeGreaterThan(200);
    for (const life of stopped) expect(life.filter(isA('payment.authorized', ...ENDS))).toEqual([]);
    const states = new Set(stopped.flat().map(({ facts }) => facts['state']));
    expect([...states].toSorted()).toEqual(
      ['blocked', 'challenged', 'created', 'declined', 'failed', 'scored'].toSorted(),
    );
  });

  test('are settled once, about a day after their capture', () => {
    const captured = records.filter(({ at }) => at < (MORNING + 20) * 60e6).filter(isA('payment.captured'));
    expect(captured.length).toBeGreaterThan(500);
    const settled = recordsOf(DEFAULT_WORLD, MORNING + DAY, 22).filter(isA('payment.settled'));
    const byId = new Map<string, number[]>();
    for (const one of settled) {
      const { id } = paymentOf(one);
      byId.set(id, [...(byId.get(id) ?? []), one.at]);
    }
    for (const one of captured) {
      const [at = 0, ...others] = byId.get(paymentOf(one).id) ?? [];
      expect(others).toEqual([]);
      expect(at - one.at).toBeGreaterThanOrEqual(DAY * 60e6);
      expect(at - one.at).toBeLessThan((DAY + 1) * 60e6);
    }
  });

  test('are refunded for at most what was paid, by shops, their clerks and people at work', () => {
    const refunds = records.filter(isA('payment.refunded'));
    expect(refunds.length).toBeGreaterThan(200);
    let toOthers = 0;
    const staff = new Set<number>();
    for (const one of refunds) {
      const payment = paymentOf(one);
      expect(one.facts['amount']).toBeLessThanOrEqual(payment.amount);
      expect(payment.began).toBeLessThan(one.at);
      if (one.facts['destination'] !== payment.card.fingerprint) toOthers++;
      const { person } = one;
      if (person === null) continue;
      staff.add(person.number);
      expect(one.facts['actor']).toBe(person.user);
      expect([person.workstation.ip, person.vpn_ip]).toContain(one.facts['ip']);
      const [first] = world.day(person, Math.floor(one.at / 86_400e6));
      expect(first?.from).toBeLessThan(one.at);
    }
    expect(toOthers).toBeGreaterThan(5);
    expect(toOthers / refunds.length).toBeLessThan(0.2);
    expect(staff.size).toBeGreaterThan(5);
    expect(refunds.filter(({ facts }) => facts['actor'] === null).length).toBeGreaterThan(100);
  });

  test('are told to shops, again after a while when that fails', () => {
    let again = 0;
    for (const life of lives) {
      const hooks = life.filter(({ facts }) => facts['about'] !== null);
      for (const [index, one] of hooks.entries()) {
        const attempt = one.facts['attempt'] as number;
        if (attempt === 1) continue;
        const before = hooks
          .slice(0, index)
          .find(({ facts }) => facts['about'] === one.facts['about'] && facts['attempt'] === attempt - 1);
        expect(before?.facts['status']).toBeGreaterThanOrEqual(400);
        expect(one.at - (before?.at ?? 0)).toBeGreaterThan(30e6 * (attempt - 1) ** 2);
        again++;
      }
    }
    expect(again).toBeGreaterThan(50);
  });

  test('meet acquirers that do not answer: five failures open the circuit of a pod, another acquirer takes over', () => {
    const failed = lives.filter((life) => life.some(isA('dependency.failed')));
    expect(failed.length).toBeGreaterThan(30);
    let saved = 0;
    for (const life of failed) {
      const trouble = life.find(isA('dependency.failed'));
      const answer = life.find(isA(...ANSWERS));
      expect(trouble?.facts['state']).toBe(answer === undefined ? 'failed' : 'scored');
      if (answer === undefined) continue;
      saved++;
      expect(answer.facts['is_failover']).toBe(true);
      expect(answer.facts['acquirer']).not.toBe(trouble?.facts['acquirer']);
      expect(answer.at).toBeGreaterThan(trouble?.at ?? 0);
    }
    expect(saved).toBeGreaterThan(10);
    const opened = records.filter(isA('dependency.circuit.opened'));
    expect(opened.length).toBeGreaterThan(3);
    for (const { facts } of opened) expect(facts['failures']).toBe(5);
  });

  test('share a trace with what follows from the same request, and name the call that led to it', () => {
    const spans = new Set(records.map(({ facts }) => facts['span']));
    expect(spans.size).toBe(records.length);
    for (const life of lives.slice(0, 500)) {
      const [created, scored] = life;
      expect(scored?.facts['trace']).toBe(created?.facts['trace']);
      expect(scored?.facts['parent']).toBe(created?.facts['span']);
      const captured = life.find(isA('payment.captured'));
      expect(captured?.facts['trace']).not.toBe(created?.facts['trace']);
    }
  });

  test('come at all hours, most in the evening, as those of shoppers do, and more of them with more people', () => {
    const isNew = isA('payment.created');
    const night = recordsOf(DEFAULT_WORLD, minuteOf('2026-11-24T02:00:00Z'), 20).filter(isNew).length;
    const evening = recordsOf(DEFAULT_WORLD, minuteOf('2026-11-24T18:00:00Z'), 20).filter(isNew).length;
    expect(evening / night).toBeGreaterThan(2);
    expect(evening / night).toBeLessThan(5);
    const few = records.filter(({ at }) => at < (MORNING + 10) * 60e6).filter(isNew).length;
    const many = recordsOf({ ...DEFAULT_WORLD, load: 4 }, MORNING, 10).filter(isNew).length;
    expect(many / few).toBeGreaterThan(3.4);
    expect(many / few).toBeLessThan(4.6);
    const counts = new Array<number>(1_800).fill(0);
    for (const { at } of records.filter(isNew)) {
      const second = Math.floor(at / 3e6) - MORNING * 20;
      counts[second] = (counts[second] as number) + 1;
    }
    const variance = mean(counts.map((count) => (count - mean(counts)) ** 2));
    expect(variance / mean(counts)).toBeGreaterThan(0.9);
    expect(variance / mean(counts)).toBeLessThan(1.25);
  });

  test('are the same when a minute is entered at once, to those who look at more, and on the day of a person', () => {
    const isOf = ({ kind }: Activity): boolean => (KINDS as readonly string[]).includes(kind);
    const alone = makeWorld(SMALL).lookAt({ kinds: KINDS })(MORNING + 7);
    const whole = makeWorld(SMALL).minute(MORNING + 7);
    expect(JSON.stringify(whole.filter(isOf))).toBe(JSON.stringify(alone));
    const clerk = records.find(({ person }) => person !== null);
    if (clerk === undefined || clerk.person === null) throw new Error('nobody looks after payments');
    const minute = Math.floor(clerk.at / 60e6);
    const isTheirs = ({ person }: Activity): boolean => person?.number === clerk.person?.number;
    const own = world
      .minutesOf(clerk.person)(minute)
      .filter((one) => isOf(one) && one.truth === null);
    const among = records.filter((one) => isTheirs(one) && Math.floor(one.at / 60e6) === minute);
    expect(JSON.stringify(own)).toBe(JSON.stringify(among));
    expect(own.length).toBeGreaterThan(0);
  });

  test('are others of another seed', () => {
    const idsOf = (seed: number): readonly string[] =>
      recordsOf({ ...SMALL, seed }, MORNING, 5)
        .filter(isA('payment.created'))
        .map((one) => paymentOf(one).id);
    const known = new Set(idsOf(1));
    expect(known.size).toBeGreaterThan(10);
    expect(idsOf(2).some((id) => known.has(id))).toBe(false);
  });

  test('have attacks of records that there are without one, the steps of each among them', () => {
    const textOf = ({ facts }: Told): string =>
      [
        facts['event'],
        facts['state'],
        facts['status'],
        facts['code'],
        facts['reason'],
        facts['circuit'],
      ].join(' ');
    const known = new Set(records.map(textOf));
    const isSmall = (one: Told): boolean => ((one.facts['payment'] as Payment | null)?.amount ?? 200) < 200;
    const marks: Readonly<Record<string, (one: Told) => boolean>> = {
      card_testing: (one) => isSmall(one) && isA('payment.declined')(one),
      outage: isA('dependency.failed'),
      refund_fraud: (one) => isA('payment.refunded')(one) && one.facts['actor'] !== null,
    };
    for (const attack of Object.keys(PAYMENT_RECIPES)) {
      const acts = world.campaign(attack, MORNING / 20);
      expect(acts.length).toBeGreaterThan(400);
      expect(acts.filter((act) => !known.has(textOf(act))).length / acts.length).toBeLessThan(0.02);
      const isMark = marks[attack] as (one: Told) => boolean;
      const share = (given: readonly Told[]): number => given.filter(isMark).length / given.length;
      expect(share(acts)).toBeGreaterThan(0.025);
      expect(records.filter(isMark).length).toBeGreaterThan(20);
      expect(share(acts)).toBeGreaterThan(3 * share(records));
    }
  });

  test('have room for attacks in the largest world, in its busiest hours', () => {
    const large = makeWorld({ ...DEFAULT_WORLD, people: 5_000 });
    const sunday = minuteOf('2026-11-29T17:00:00Z') / 20;
    for (const attack of Object.keys(PAYMENT_RECIPES))
      for (let campaign = sunday; campaign < sunday + 6; campaign++) {
        const counts = new Map<number, number>();
        for (const { at } of large.campaign(attack, campaign)) {
          const minute = Math.floor(at / 60e6);
          counts.set(minute, (counts.get(minute) ?? 0) + 1);
        }
        expect(Math.max(...counts.values())).toBeGreaterThan(50);
        expect(Math.max(...counts.values())).toBeLessThan(400);
      }
  });
});
