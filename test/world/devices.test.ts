import { describe, expect, test } from '@jest/globals';
import type { SensorDevice } from '../../src/world/activity/devices/sensorDevice.js';
import type { Activity } from '../../src/world/activity/kinds.js';
import { DEVICE_RECIPES } from '../../src/world/attack/devices.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD, type WorldSpec } from '../../src/world/spec.js';

const minuteOf = (text: string): number => Date.parse(text) / 60_000;
/** A Tuesday. */
const MORNING = minuteOf('2026-11-24T09:00:00Z');
const KINDS = ['use_broker'] as const;

const messagesOf = (spec: WorldSpec, from: number, minutes: number): readonly Activity[] => {
  const look = makeWorld(spec).lookAt({ kinds: KINDS, attacks: new Set() });
  return Array.from({ length: minutes }, (_, index) => look(from + index)).flat();
};
type Message = Pick<Activity, 'at' | 'facts'>;
const deviceOf = ({ facts }: Message): SensorDevice => facts['device'] as SensorDevice;
const actionOf = ({ facts }: Message): string => String(facts['action']);

interface Payload {
  readonly seq?: number;
  readonly uptime_seconds?: number;
  readonly measurements?: Readonly<Record<string, { readonly value: number; readonly unit: string }>>;
  readonly detail?: unknown;
  readonly update?: { readonly id: string; readonly phase: string; readonly to: string };
  readonly alert?: { readonly id: string; readonly state: string };
  readonly command?: { readonly correlation_id: string; readonly result: string };
}
const payloads = new WeakMap<object, Payload>();
const payloadOf = ({ facts }: Message): Payload => {
  const known = payloads.get(facts);
  if (known !== undefined) return known;
  const read = JSON.parse(String(facts['payload'])) as Payload;
  payloads.set(facts, read);
  return read;
};
const shownBy = (message: Message, name: string): number =>
  payloadOf(message).measurements?.[name]?.value ?? Number.NaN;

const grouped = <K>(messages: readonly Activity[], keyOf: (one: Activity) => K): Map<K, Activity[]> => {
  const groups = new Map<K, Activity[]>();
  for (const one of messages) {
    const key = keyOf(one);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return groups;
};

const world = makeWorld(DEFAULT_WORLD);
const HOURS = 8;
const messages = messagesOf(DEFAULT_WORLD, MORNING, HOURS * 60);
const byDevice = grouped(messages, (one) => deviceOf(one).id);
const readings = messages.filter((one) => actionOf(one) === 'telemetry');
/** Readings that a device sends itself, with its case closed. */
const plain = readings.filter((one) => !String(one.facts['payload']).includes('"detail"'));
const PHASES: readonly unknown[] = ['started', 'downloading', 'installing', 'completed'];
/** What people and other clients do is about a device, not of it. */
const OF_OTHERS = /^(?:command-|connect-|subscribed|flood|tamper|config|firmware-downgraded)/;

describe('the devices of a world', () => {
  test('are at its sites, each with an address, a serial number and a kind of its own', () => {
    const devices = [...byDevice.values()].map(([first]) => deviceOf(first as Activity));
    expect(devices.length).toBe(150);
    expect(new Set(devices.map(({ ip }) => ip)).size).toBe(devices.length);
    expect(new Set(devices.map(({ serial }) => serial)).size).toBe(devices.length);
    expect(new Set(devices.map(({ site }) => site))).toEqual(new Set(DEFAULT_WORLD.organization.sites));
    expect(new Set(devices.map(({ kind }) => kind)).size).toBe(5);
  });

  test('say nothing from the loss of a connection until they are online again', () => {
    let outages = 0;
    const unheard: string[] = [];
    for (const said of byDevice.values()) {
      let isOnline = true;
      for (const one of said) {
        const action = actionOf(one);
        if (OF_OTHERS.test(action)) continue;
        if (action === 'offline') outages++;
        else if (action !== 'online' && !isOnline) unheard.push(`${deviceOf(one).id} ${action}`);
        isOnline = action !== 'offline' && (isOnline || action === 'online');
      }
    }
    expect(unheard).toEqual([]);
    expect(outages).toBeGreaterThan(60);
  });

  test('keep their port during a session, and count their readings', () => {
    let sessions = 0;
    for (const session of grouped(plain, (one) => one.session).values()) {
      if (session.length < 20) continue;
      sessions++;
      expect(new Set(session.map(({ facts }) => facts['port'])).size).toBe(1);
      const counts = session.map((one) => payloadOf(one).seq ?? -1);
      const ages = session.map((one) => payloadOf(one).uptime_seconds ?? -1);
      // They begin anew when the device starts with other firmware.
      counts.forEach((count, index) => {
        if (index > 0 && count < (counts[index - 1] as number))
          expect(ages[index]).toBeLessThan(ages[index - 1] as number);
      });
    }
    expect(sessions).toBeGreaterThan(100);
  });

  test('report at their intervals', () => {
    const gaps = [...grouped(plain, (one) => deviceOf(one).id).values()].flatMap((said) =>
      said.slice(1).map((one, index) => {
        const turns = (one.at - (said[index] as Activity).at) / 1e6 / deviceOf(one).interval;
        return Math.abs(turns - Math.round(turns));
      }),
    );
    expect(gaps.filter((gap) => gap < 0.06).length / gaps.length).toBeGreaterThan(0.97);
  });

  test('have counters that only rise, as fast as their power says', () => {
    let meters = 0;
    for (const said of grouped(plain, (one) => deviceOf(one).id).values()) {
      const [first, last] = [said[0] as Activity, said.at(-1) as Activity];
      const { kind } = deviceOf(first);
      const counter = { power: 'energy_total', water: 'volume_total', machine: 'operating_hours' }[
        String(kind)
      ];
      if (counter === undefined) continue;
      const counts = said.map((one) => shownBy(one, counter));
      const falls = counts.filter(
        (count, index) => index > 0 && count < (counts[index - 1] as number),
      ).length;
      // A meter that is full begins anew, once in years.
      expect(falls).toBeLessThanOrEqual(1);
      if (kind !== 'power' || falls > 0) continue;
      meters++;
      const powers = said.map((one) => shownBy(one, 'active_power'));
      const power = powers.reduce((sum, one) => sum + one, 0) / powers.length;
      const used = ((counts.at(-1) as number) - (counts[0] as number)) / ((last.at - first.at) / 3.6e9);
      expect(used / power).toBeGreaterThan(0.85);
      expect(used / power).toBeLessThan(1.15);
    }
    expect(meters).toBeGreaterThan(20);
  });

  test('get firmware in steps, and have the new version after the last one', () => {
    const updates = grouped(
      messages.filter((one) => payloadOf(one).update !== undefined),
      (one) => payloadOf(one).update?.id,
    );
    let completed = 0;
    for (const steps of updates.values()) {
      const phases = steps.map((one) => payloadOf(one).update?.phase);
      if (phases[0] !== 'started' || phases.at(-1) !== 'completed') continue;
      completed++;
      expect([...phases].sort((a, b) => PHASES.indexOf(a) - PHASES.indexOf(b))).toEqual(phases);
      const last = steps.at(-1) as Activity;
      const before = (byDevice.get(deviceOf(last).id) ?? []).filter(
        (one) =>
          one.at < (steps[0] as Activity).at &&
          !OF_OTHERS.test(actionOf(one)) &&
          payloadOf(one).detail === undefined,
      );
      const to = payloadOf(last).update?.to;
      expect(last.facts['firmware']).toBe(to);
      for (const one of before) expect(one.facts['firmware']).not.toBe(to);
    }
    expect(completed).toBeGreaterThan(25);
  });

  test('clear an alert after it was raised, and answer a command after it was sent', () => {
    const alerts = grouped(
      messages.filter((one) => payloadOf(one).alert !== undefined),
      (one) => payloadOf(one).alert?.id,
    );
    const pairs = [...alerts.values()].filter((states) => states.length > 1);
    expect(pairs.length).toBeGreaterThan(500);
    for (const states of pairs)
      expect(states.map((one) => payloadOf(one).alert?.state)).toEqual(['raised', 'cleared']);
    const commands = [
      ...grouped(
        messages.filter((one) => payloadOf(one).command !== undefined),
        (one) => payloadOf(one).command?.correlation_id,
      ).values(),
    ].filter((steps) => steps.length > 1);
    expect(commands.length).toBeGreaterThan(500);
    for (const steps of commands) {
      expect(payloadOf(steps[0] as Activity).command?.result).toBe('sent');
      expect(['done', 'rejected', 'timeout']).toContain(payloadOf(steps[1] as Activity).command?.result);
    }
  });

  test('are opened by engineers who are at work, if by anybody of the organization', () => {
    const people = messages.flatMap((one) => (one.person === null ? [] : [one]));
    expect(new Set(people.map(({ person }) => person?.number)).size).toBeGreaterThan(10);
    for (const { person, at } of people) {
      if (person === null) continue;
      expect(person.is_engineer).toBe(true);
      const [first] = world.day(person, Math.floor(at / 86_400e6));
      expect(first?.from).toBeLessThan(at);
    }
  });

  test('have less to say at night, and machines then have less to do', () => {
    const night = messagesOf(DEFAULT_WORLD, minuteOf('2026-11-25T01:00:00Z'), 60);
    expect(messages.length / HOURS).toBeGreaterThan(1.2 * night.length);
    const load = (given: readonly Activity[]): number => {
      const values = given.map((one) => shownBy(one, 'load')).filter((value) => !Number.isNaN(value));
      return values.reduce((sum, one) => sum + one, 0) / values.length;
    };
    const noon = readings.filter(({ at }) => at > (MORNING + 120) * 60e6 && at < (MORNING + 180) * 60e6);
    expect(load(noon)).toBeGreaterThan(1.5 * load(night));
  });

  test('are more with more people, within the room of a minute', () => {
    const many = messagesOf({ ...DEFAULT_WORLD, people: 5_000 }, MORNING, 2);
    expect(new Set(many.map((one) => deviceOf(one).id)).size).toBeGreaterThan(3_000);
    expect(many.length).toBeGreaterThan(8_000);
    expect(many.length).toBeLessThan(20_000);
  });

  test('are others in a world of another seed', () => {
    const serials = (given: readonly Activity[]): ReadonlySet<string> =>
      new Set(given.map((one) => deviceOf(one).serial));
    const other = serials(messagesOf({ ...DEFAULT_WORLD, seed: 8 }, MORNING, 5));
    expect([...serials(messages)].filter((serial) => other.has(serial))).toEqual([]);
  });

  test('are the same when a minute is entered at once, to those who look at more, and on the day of a person', () => {
    const isOf = ({ kind }: Activity): boolean => kind === 'use_broker';
    const among = messages.filter(({ at }) => Math.floor(at / 60e6) === MORNING + 200);
    expect(JSON.stringify(messagesOf(DEFAULT_WORLD, MORNING + 200, 1))).toBe(JSON.stringify(among));
    const small = { ...DEFAULT_WORLD, people: 40 };
    const alone = makeWorld(small).lookAt({ kinds: KINDS })(MORNING + 7);
    const whole = makeWorld(small).minute(MORNING + 7);
    expect(JSON.stringify(whole.filter(isOf))).toBe(JSON.stringify(alone));
    const visit = messages.find(({ person }) => person !== null);
    if (visit === undefined || visit.person === null) throw new Error('nobody looks after devices');
    const minute = Math.floor(visit.at / 60e6);
    const own = world
      .minutesOf(visit.person)(minute)
      .filter((one) => isOf(one) && one.truth === null);
    const theirs = messages.filter(
      (one) => one.person?.number === visit.person?.number && Math.floor(one.at / 60e6) === minute,
    );
    expect(JSON.stringify(own)).toBe(JSON.stringify(theirs));
  });

  test('have attacks of messages, values and clients that they have without one', () => {
    const IMPOSSIBLE = new Set([-127, 327.67, 850]);
    const marksOf = (one: Message): readonly string[] => {
      const { measurements = {} } = payloadOf(one);
      const detail = /"(?:account|endpoint|signed|case|by|filters)": [^,}\]]+/.exec(
        String(one.facts['payload']),
      );
      return [
        `${actionOf(one)} ${String(one.facts['outcome'])}`,
        `${deviceOf(one).id} ${String(one.facts['topic']).slice(0, 4)}`.replace(/ cmd\/.*/, ' cmd'),
        ...Object.values(measurements).flatMap(({ value }) =>
          IMPOSSIBLE.has(value) ? [`shows ${value}`] : [],
        ),
        ...(detail === null || detail[0].includes('{topic}') ? [] : [detail[0]]),
        String(one.facts['ip']).startsWith('198.') ? `from ${String(one.facts['ip'])}` : 'from inside',
      ];
    };
    const known = new Set(messages.flatMap(marksOf));
    for (const attack of Object.keys(DEVICE_RECIPES)) {
      const acts = world.campaign(attack, MORNING / 20);
      expect(acts.length).toBeGreaterThan(300);
      const unknown = acts.flatMap(marksOf).filter((one) => !known.has(one) && !/^\S+-\d{5} /.test(one));
      expect([attack, unknown]).toEqual([attack, []]);
      const usual = attack === 'sensor_fault' ? 'report' : 'use';
      const aimed = acts.filter(({ truth }) => truth?.phase !== usual);
      expect(aimed.length / acts.length).toBeGreaterThan(0.13);
      expect(aimed.length / acts.length).toBeLessThan(0.45);
    }
  });

  test('are attacked less when there is less to hide among', () => {
    for (const attack of Object.keys(DEVICE_RECIPES)) {
      const [day, night] = ['2026-11-24T11:00:00Z', '2026-11-25T02:00:00Z'].map(
        (at) => world.campaign(attack, minuteOf(at) / 20).length,
      ) as [number, number];
      expect(night / day).toBeLessThan(0.9);
    }
  });
});
