import { describe, expect, test } from '@jest/globals';
import { globalsView } from '../../../../src/domain/globals/owned.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { MICROS_PER_SECOND } from '../../../../src/domain/time/micros.js';
import { withActivities } from '../../../../src/plugins/activities.js';
import { worldInput } from '../../../../src/plugins/inputs/world/worldInput.js';
import type { EventProducer, Input } from '../../../../src/plugins/kit.js';
import type { Activity } from '../../../../src/world/activity/kinds.js';
import { activityAt, attack, hostAt, WORLD_START, worldWith } from '../../../support/worlds.js';
import { refusals, withProducer } from './support.js';

const inputOf = (activities: readonly Activity[], anomaly = 'none'): Input =>
  worldInput({
    world: worldWith(activities),
    selection: {
      kinds: ['logon', 'logoff', 'dns_query'],
      os: null,
      roles: null,
      sites: null,
      seen: 1,
      delay_seconds: 0,
      clock_error_seconds: 0,
    },
    anomaly,
    from: WORLD_START,
    end: WORLD_START + 3600 * MICROS_PER_SECOND,
  });

/** Events of all timestamps of the inputs, which take turns where they have several. */
const eventsOf = async (producer: EventProducer, inputs: readonly Input[]) => {
  producer.observe?.(inputs);
  const stamps = inputs.flatMap((input, number) => {
    const out = new Float64Array(100);
    return [...out.subarray(0, Math.max(0, input.fill(out)))].map((micros) => ({ micros, number }));
  });
  stamps.sort((one, two) => one.micros - two.micros || one.number - two.number);
  const events: string[] = [];
  let [failed, dropped] = [0, 0];
  for (let from = 0; from < stamps.length; ) {
    const made = await producer.produce({
      micros: Float64Array.from(stamps, ({ micros }) => micros),
      from,
      to: stamps.length,
      tagsOf: () => [],
      inputOf: (index) => stamps[index]?.number ?? 0,
      isSpent: () => false,
    });
    events.push(...made.events.texts());
    failed += made.failed;
    dropped += made.dropped;
    from += made.consumed;
  }
  return { events, failed, dropped };
};

const templates = (items: Readonly<Record<string, JsonObject>>): JsonObject => ({
  mode: 'activity',
  templates: Object.entries(items).map(([alias, item]) => ({
    [alias]: { template: `${alias}.jinja`, ...item },
  })),
});

const one = (text: string) => ({
  params: templates({ main: { kinds: ['logon', 'logoff', 'dns_query'] } }),
  files: { 'main.jinja': text },
});

const run = async (
  { params, files }: { readonly params: JsonObject; readonly files: Readonly<Record<string, string>> },
  inputs: readonly Input[],
) =>
  withProducer(params, { files }, ({ producer, cell }) =>
    eventsOf(withActivities(producer, { get: (key) => globalsView(cell, []).get(key) }), inputs),
  );

describe('a template', () => {
  test('reads what its timestamp observes', async () => {
    const input = inputOf([
      activityAt(5, 7, {
        facts: { type: 10, seconds: 1.5, from: hostAt('JUMP', 'jump_host', 'linux'), answers: ['a', 'b'] },
        truth: null,
        cause: 6,
      }),
    ]);
    const text =
      '{{ activity.kind }} {{ activity.person.user }}@{{ activity.host.site.name }} {{ activity.session }} ' +
      '{{ activity.facts.type + 1 }} {{ activity.facts.seconds }} {{ activity.facts.from.name }} ' +
      "{{ activity.facts['answers'] | join('+') }} {{ activity.facts.nothing is defined }} {{ activity.truth }} " +
      '{{ activity.id }} {{ activity.cause }} {{ activity.at.isoformat() }} {{ activity.facts.get("x", "-") }}';
    expect(await run(one(text), [input])).toEqual({
      events: ['logon ada@hamburg S1 11 1.5 JUMP a+b False None 7 6 2026-03-02T09:00:00.000005+00:00 -'],
      failed: 0,
      dropped: 0,
    });
  });

  test.each([
    ['{% do activity.update({"kind": 1}) %}', 1],
    ['{% do activity.person.pop("user") %}', 1],
    ['{% do activity.facts.clear() %}', 1],
    ['{% set mine = dict(activity.facts) %}{% do mine.update({"a": 1}) %}{{ mine.a }}', 0],
  ])('cannot change it: %s', async (text, failed) => {
    expect(await run(one(text), [inputOf([activityAt(0, 1)])])).toMatchObject({ failed });
  });

  test('of another mode has it, too: none at timestamps of other inputs, undefined without a world', async () => {
    const params = { mode: 'all', templates: [{ main: { template: 'main.jinja' } }] };
    const files = { 'main.jinja': '{{ activity.id if activity else activity is defined }}' };
    const { activities: _, ...other } = inputOf([activityAt(0, 1), activityAt(2, 2)]);
    // Of two inputs with a timestamp at the same time, each has its own activity.
    const world = inputOf([activityAt(0, 3), activityAt(1, 4)]);
    expect((await run({ params, files }, [other, world])).events).toEqual(['True', '3', '4', 'True']);
    const { activities: __, ...alone } = inputOf([activityAt(0, 1)]);
    expect((await run({ params, files }, [alone])).events).toEqual(['False']);
  });
});

describe('mode activity', () => {
  const files = { 'a.jinja': 'a', 'b.jinja': 'b', 'c.jinja': 'c' };

  test('picks by kind, and of several templates the first whose condition holds', async () => {
    const params = templates({
      a: { kinds: ['logon'], when: { eq: { 'activity.facts.type': 10 } } },
      b: { kinds: ['logon', 'logoff'], when: { eq: { 'activity.host.os.family': 'windows' } } },
      c: { kinds: ['dns_query'] },
    });
    const input = inputOf([
      activityAt(0, 1, { facts: { type: 10 } }),
      activityAt(1, 2, { facts: { type: 2 } }),
      activityAt(2, 3, { kind: 'dns_query' }),
      activityAt(3, 4, { kind: 'logoff' }),
      activityAt(4, 5, { kind: 'logoff', host: null }),
    ]);
    expect(await run({ params, files }, [input])).toEqual({
      events: ['a', 'b', 'c', 'b'],
      failed: 0,
      dropped: 1,
    });
  });

  test('goes on to the next template of the kind after dispatch.next()', async () => {
    const params = templates({ a: { kinds: ['logon'] }, b: { kinds: ['logon'] } });
    const next = { 'a.jinja': '{% do dispatch.next() %}', 'b.jinja': 'b' };
    expect(
      (await run({ params, files: next }, [inputOf([activityAt(0, 1), activityAt(1, 2)])])).events,
    ).toEqual(['b', 'b']);
  });

  test('fails with the reason where no input is, as in previews of events', async () => {
    await withProducer(templates({ a: { kinds: ['logon'] } }), { files }, async ({ producer, lines }) => {
      const micros = Float64Array.of(WORLD_START);
      const made = await producer.produce({ micros, from: 0, to: 1, tagsOf: () => [], isSpent: () => false });
      expect(made.failed).toBe(1);
      expect(JSON.stringify(lines)).toContain('the activity is given by the input `world`');
    });
  });

  test('needs kinds, which other modes refuse', () => {
    expect(refusals(templates({ a: {} }))).toEqual([
      "templates needs 'kinds' at 'a', a list of kinds of activities",
    ]);
    expect(refusals(templates({ a: { kinds: ['logn'] } })).join()).toMatch(/kinds\[0\] must be one of/);
    expect(refusals(templates({ a: { kinds: ['logon'], tags: ['x'] } })).join()).toMatch(/has 'tags' at 'a'/);
    expect(refusals(templates({ a: { kinds: ['logon'], chance: 1 } })).join()).toMatch(/has 'chance' at 'a'/);
    const other = { mode: 'all', templates: [{ a: { template: 'a.jinja', kinds: ['logon'] } }] };
    expect(refusals(other).join()).toMatch(/has 'kinds' at 'a', a key of mode activity, not all/);
  });
});

describe('activities of an attack', () => {
  const activities = [
    activityAt(0, 1),
    activityAt(1, 2, { truth: attack('spray') }),
    activityAt(2, 3, { truth: attack('spray') }),
    activityAt(3, 4, { truth: attack('theft') }),
    activityAt(4, 5),
  ];

  test.each([
    ['none', undefined, ['1', '5']],
    ['spray', undefined, ['1', '2', '3', '5']],
    ['spray', 'theft', ['1', '4', '5']],
    ['spray', 'none', ['1', '5']],
    ['none', 'spray', ['1', '2', '3', '5']],
    ['spray', null, ['1', '2', '3', '5']],
  ])('with the parameter %s and the global %j are shown: %j', async (anomaly, global, events) => {
    const { params, files } = one('{{ activity.id }}');
    await withProducer(params, { files }, async ({ producer }) => {
      const shown = withActivities(producer, { get: (key) => (key === 'anomaly' ? (global ?? null) : null) });
      expect(await eventsOf(shown, [inputOf(activities, anomaly)])).toEqual({
        events,
        failed: 0,
        dropped: 5 - events.length,
      });
    });
  });

  test('follow a change of the global from the next call on', async () => {
    const { params, files } = one('{{ activity.id }}');
    await withProducer(params, { files }, async ({ producer }) => {
      let global = 'none';
      const shown = withActivities(producer, { get: () => global });
      shown.observe?.([inputOf(activities)]);
      const micros = Float64Array.from(activities, ({ at }) => at);
      const made: string[] = [];
      for (let from = 0; from < 5; ) {
        if (from === 2) global = 'spray';
        const { consumed, events } = await shown.produce({
          micros,
          from,
          to: from + 1,
          tagsOf: () => [],
          isSpent: () => true,
        });
        made.push(...events.texts());
        from += consumed;
      }
      expect(made).toEqual(['1', '3', '5']);
    });
  });
});
