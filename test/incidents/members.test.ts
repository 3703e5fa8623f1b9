import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Incident, IncidentRun, Phase } from '../../src/domain/incidents/incident.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import { parseIso } from '../../src/domain/time/iso.js';
import { MICROS_PER_SECOND } from '../../src/domain/time/micros.js';
import { utc } from '../../src/domain/time/zone.js';
import { memberConfig } from '../../src/incidents/memberConfig.js';

const START = Date.UTC(2026, 0, 5, 8) * 1_000;

const phase = (given: Partial<Phase> & Pick<Phase, 'name' | 'at' | 'for'>): Phase => ({
  repeat: null,
  stopped: [],
  globals: {},
  members: {},
  ...given,
});

const phaseMember = (given: Partial<Phase['members'][string]>): Phase['members'][string] => ({
  events: 0,
  input: [],
  attack: null,
  templates: [],
  globals: {},
  rate_factor: 1,
  output: null,
  ...given,
});

const incident = (phases: readonly Phase[], duration = 100): Incident => ({
  name: 'theft',
  duration,
  entities: {},
  phases,
  marks: null,
  ground_truth: null,
});

const runOf = (given: Incident, more: Partial<IncidentRun> = {}): IncidentRun => ({
  incident: given,
  start: START,
  drawn: {},
  range: { from: 0, to: given.duration },
  isAlone: false,
  ...more,
});

const CONFIG: JsonObject = {
  input: [{ cron: { expression: '* * * * * *', count: 10, tags: ['own'] } }],
  event: { script: { path: 'produce.js' } },
  output: [{ stdout: { when: { tag: 'own' } } }, { file: { path: 'events.log', when: null } }],
};

/** Seconds after the start of the incident. */
const secondsOf = (text: unknown): number | null =>
  typeof text === 'string' ? ((parseIso(text, utc) ?? Number.NaN) - START) / MICROS_PER_SECOND : null;

const inputsOf = (given: IncidentRun, member = 'door') =>
  (memberConfig(CONFIG, member, given)['input'] as readonly Record<string, JsonObject>[]).map((entry) => {
    const [kind = '', params = {}] = Object.entries(entry)[0] ?? [];
    return {
      kind,
      params,
      from: secondsOf(params['start']),
      to: secondsOf(params['end']),
    };
  });

const usualOf = (given: IncidentRun, member = 'door') =>
  inputsOf(given, member).filter(({ kind }) => kind === 'cron');

/** Times of the events that phases add evenly. */
const addedOf = (given: IncidentRun): readonly number[] =>
  inputsOf(given)
    .filter(({ kind }) => kind === 'linspace')
    .flatMap(({ params, from, to }) => {
      const [begin, end, count] = [from as number, to as number, params['count'] as number];
      return Array.from({ length: count }, (_, index) => begin + (index * (end - begin)) / count);
    })
    .sort((a, b) => a - b);

describe('a member of an incident in a running service', () => {
  test('keeps its own inputs as they are if no phase changes its usual events', () => {
    const given = runOf(
      incident([phase({ name: 'p', at: 10, for: 10, members: { door: phaseMember({ events: 4 }) } })]),
    );
    const [own, ...added] = inputsOf(given);
    expect(own?.params).toEqual((CONFIG['input'] as readonly JsonObject[])[0]?.['cron']);
    expect(added.map(({ kind, from, to }) => [kind, from, to])).toEqual([['linspace', 10, 20]]);
  });

  test('in a world gets the whole campaigns of an attack beside all others of its own events', () => {
    const params = { people: 40, kinds: ['logon'], anomaly: 'none', tags: ['own'] };
    const config = { ...CONFIG, input: [{ world: params }] };
    const members = { door: phaseMember({ attack: 'ransomware', globals: { note: 'x' } }) };
    const given = runOf(incident([phase({ name: 'p', at: 10, for: 3_600, members })], 5_000));
    const [own, added, ...more] = memberConfig(config, 'door', given)['input'] as readonly JsonObject[];
    expect(own).toEqual({ world: params });
    expect(added).toEqual({
      world: {
        ...params,
        ...{ anomaly: 'ransomware', attack_only: true, tags: ['own', 'incident:theft/p'] },
        globals: { note: 'x' },
        ...{ start: '2026-01-05T08:00:10+00:00', end: '2026-01-05T09:00:09.999999+00:00' },
      },
    });
    expect(more).toEqual([]);
  });

  test('goes on before and after a phase in which it is stopped', () => {
    const given = runOf(incident([phase({ name: 'p', at: 10, for: 10, stopped: ['door'] })]));
    expect(usualOf(given).map(({ from, to }) => [from, to])).toEqual([
      [null, 9.999999],
      [20, null],
    ]);
    expect(usualOf(given, 'safe').map(({ from, to }) => [from, to])).toEqual([[null, null]]);
  });

  test('makes its usual events at another rate meanwhile', () => {
    const given = runOf(
      incident([
        phase({ name: 'p', at: 10, for: 10, members: { door: phaseMember({ rate_factor: 0.26 }) } }),
      ]),
    );
    expect(usualOf(given).map(({ params }) => params['count'])).toEqual([10, 3, 10]);
    const hardly = runOf(
      incident([
        phase({ name: 'p', at: 10, for: 10, members: { door: phaseMember({ rate_factor: 0.01 }) } }),
      ]),
    );
    expect(usualOf(hardly).map(({ from, to }) => [from, to])).toEqual([
      [null, 9.999999],
      [20, null],
    ]);
  });

  test('keeps the state of the moment where the run is paused', () => {
    const given = incident([
      phase({ name: 'p', at: 10, for: 10, stopped: ['door'] }),
      phase({ name: 'q', at: 30, for: 10, globals: { alarm: true } }),
    ]);
    const pausedAt = (to: number) => usualOf(runOf(given, { range: { from: 0, to } }));
    // Without an input that goes on, the generator would end: one waits for a century.
    expect(pausedAt(15)).toMatchObject([
      { from: null, to: 9.999999 },
      { from: expect.any(Number), params: { start: expect.stringMatching(/^2125-/) } },
    ]);
    expect(usualOf(runOf(given, { range: { from: 15, to: 15 } }))).toMatchObject([
      { params: { start: expect.stringMatching(/^2125-/) } },
    ]);
    expect(pausedAt(35).at(-1)).toMatchObject({ from: 30, to: null, params: { globals: { alarm: true } } });
    const resumed = usualOf(runOf(given, { range: { from: 35, to: 100 } }));
    expect(resumed.map(({ from, to, params }) => [from, to, params['globals']])).toEqual([
      [null, 39.999999, { alarm: true }],
      [40, null, {}],
    ]);
  });

  test('tells each event of a phase once, however often and where it is paused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 6 }),
        fc.boolean(),
        (events, pauses, isRouted) => {
          const output = isRouted ? [{ stdout: {} }] : null;
          const given = incident([
            phase({ name: 'p', at: 10.5, for: 33.3, members: { door: phaseMember({ events }) } }),
            phase({ name: 'q', at: 20, for: 7, members: { door: phaseMember({ output }) } }),
          ]);
          const cuts = [0, ...pauses.map((one) => one / 1_000), 100].sort((a, b) => a - b);
          const times = cuts
            .slice(1)
            .flatMap((to, index) => addedOf(runOf(given, { range: { from: cuts[index] as number, to } })));
          const expected = Array.from({ length: events }, (_, index) => 10.5 + (index * 33.3) / events);
          expect(times).toHaveLength(events);
          // Moments are whole microseconds.
          const errors = times.map((one, index) => Math.abs(one - (expected[index] as number)));
          expect(Math.max(...errors)).toBeLessThan(3e-6);
        },
      ),
    );
  });

  test.each<[string, JsonObject, number | null]>([
    ['cron', CONFIG, 1],
    ['exact timestamps', { ...CONFIG, input: [{ rate: { events_per_second: 5 } }] }, null],
    ['a resolution', { ...CONFIG, input: [{ rate: { events_per_second: 5, resolution: 0.001 } }] }, 0.001],
    [
      'cron beside exact timestamps',
      {
        ...CONFIG,
        input: [{ cron: { expression: '* * * * * *', count: 1 } }, { rate: { events_per_second: 5 } }],
      },
      null,
    ],
  ])('added events of a member with %s have its resolution', (_, config, resolution) => {
    const added = [{ rate: { events_per_second: 2 } }, { rate: { events_per_second: 2, resolution: 0.5 } }];
    const given = runOf(
      incident([
        phase({ name: 'p', at: 10, for: 10, members: { door: phaseMember({ events: 4, input: added }) } }),
      ]),
    );
    const inputs = memberConfig(config, 'door', given)['input'] as readonly Record<string, JsonObject>[];
    const own = (config['input'] as readonly Json[]).length;
    expect(inputs.slice(own).map((entry) => Object.values(entry)[0]?.['resolution'])).toEqual([
      resolution,
      resolution,
      0.5,
    ]);
  });

  test('writes elsewhere while a phase replaces its outputs, with what the phases add', () => {
    const elsewhere = { file: { path: 'elsewhere.log' } };
    const given = runOf(
      incident([
        phase({ name: 'p', at: 10, for: 10, members: { door: phaseMember({ output: [elsewhere] }) } }),
        phase({ name: 'q', at: 15, for: 10, members: { door: phaseMember({ events: 10 }) } }),
      ]),
    );
    const tag = 'incident:theft/p/output';
    expect(memberConfig(CONFIG, 'door', given)['output']).toEqual([
      { stdout: { when: { all: [{ tag: 'own' }, { not: { any: [{ tag }] } }] } } },
      { file: { path: 'events.log', when: { not: { any: [{ tag }] } } } },
      { file: { path: 'elsewhere.log', when: { tag } } },
    ]);
    const tagged = inputsOf(given).map(({ kind, from, to, params }) => [kind, from, to, params['tags']]);
    expect(tagged).toEqual([
      ['cron', null, 9.999999, ['own']],
      ['cron', 10, 19.999999, ['own', tag]],
      ['cron', 20, null, ['own']],
      ['linspace', 15, 20, ['incident:theft/q', tag]],
      ['linspace', 20, 25, ['incident:theft/q']],
    ]);
    expect(memberConfig(CONFIG, 'safe', given)['output']).toEqual(CONFIG['output']);
  });

  test('adds events by inputs of the phase, within it', () => {
    const input = [{ rate: { events_per_second: 2, arrivals: 'poisson' } }];
    const given = runOf(
      incident([
        phase({
          name: 'p',
          at: 10,
          for: 10,
          repeat: { times: 2, every: 50 },
          members: { door: phaseMember({ input, globals: { who: 'eve' } }) },
        }),
      ]),
    );
    const added = inputsOf(given).filter(({ kind }) => kind === 'rate');
    expect(added.map(({ from, to }) => [from, to])).toEqual([
      [10, 19.999999],
      [60, 69.999999],
    ]);
    expect(added[0]?.params).toMatchObject({ arrivals: 'poisson', globals: { who: 'eve' } });
  });

  test('begins and ends with the incident if it is alone', () => {
    const silent = incident([phase({ name: 'p', at: 0, for: 100, stopped: ['door'] })]);
    expect(inputsOf(runOf(silent, { isAlone: true }))).toEqual([]);
    const given = incident([phase({ name: 'p', at: 10, for: 10, stopped: ['door'] })]);
    expect(usualOf(runOf(given, { isAlone: true })).map(({ from, to }) => [from, to])).toEqual([
      [0, 9.999999],
      [20, 99.999999],
    ]);
  });
});
