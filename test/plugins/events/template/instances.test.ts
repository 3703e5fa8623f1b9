import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import type { EventProducer } from '../../../../src/plugins/kit.js';
import { refusals, START, withProducer } from './support.js';

const FILES = {
  'enter.jinja':
    "{%- do locals.set('session', module.rand.string.hex(8)) -%}{%- do locals.set('pages', 0) -%}{{ instance }} {{ locals.session }} enter {{ timestamp.timestamp() }}",
  'view.jinja':
    "{%- do locals.set('pages', locals.pages + 1) -%}{{ instance }} {{ locals.session }} view{{ locals.pages }} {{ timestamp.timestamp() }}",
  'leave.jinja': '{{ instance }} {{ locals.session }} leave {{ timestamp.timestamp() }}',
};

const VIEWS = 4;

const paramsOf = (more: JsonObject): JsonObject => ({
  mode: 'fsm',
  templates: [
    {
      enter: {
        template: 'enter.jinja',
        initial: true,
        transitions: [{ to: 'view', when: { always: null } }],
      },
    },
    {
      view: {
        template: 'view.jinja',
        transitions: [{ to: 'leave', when: { ge: { 'locals.pages': VIEWS } } }],
      },
    },
    { leave: { template: 'leave.jinja', transitions: [{ to: 'enter', when: { always: null } }] } },
  ],
  ...more,
});

interface Step {
  readonly instance: number;
  readonly session: string;
  readonly action: string;
  readonly at: number;
}

const stepOf = (event: string): Step => {
  const [instance, session = '', action = '', at] = event.split(' ');
  return { instance: Number(instance), session, action, at: Number(at) };
};

/** Events of timestamps that are `gap` seconds apart. */
const run = async (
  producer: EventProducer,
  { from = 0, to, gap }: { readonly from?: number; readonly to: number; readonly gap: number },
) => {
  const micros = Float64Array.from({ length: to }, (_, index) => START + Math.round(index * gap * 1e6));
  const events: string[] = [];
  let [at, dropped, failed] = [from, 0, 0];
  while (at < to) {
    const made = await producer.produce({ micros, from: at, to, tagsOf: () => [], isSpent: () => false });
    at += made.consumed;
    dropped += made.dropped;
    failed += made.failed;
    events.push(...made.events.texts());
  }
  return { events, steps: events.map(stepOf), dropped, failed };
};

const withInstances = <A>(
  more: JsonObject,
  body: Parameters<typeof withProducer<A>>[2],
  setting: { readonly seed?: string } = {},
): Promise<A> => withProducer(paramsOf(more), { files: FILES, ...setting }, body);

const bySession = (steps: readonly Step[]): readonly (readonly Step[])[] => {
  const sessions = new Map<string, Step[]>();
  for (const step of steps) sessions.set(step.session, [...(sessions.get(step.session) ?? []), step]);
  return [...sessions.values()];
};

const WHOLE = ['enter', ...Array.from({ length: VIEWS }, (_, index) => `view${index + 1}`), 'leave'];

describe('a state machine with instances', () => {
  test.each([
    [1, 3, 0.5],
    [7, 3, 0.1],
    [200, 10, 0.02],
  ])(
    '%d of them: every session is in order, of one instance, with pauses up to their turn',
    async (instances, max, gap) => {
      const think = { min: 1, max };
      await withInstances({ instances, think }, async ({ producer }) => {
        const { steps, dropped, failed } = await run(producer, { to: 6_000, gap });
        expect(failed).toBe(0);
        expect(steps.length + dropped).toBe(6_000);
        const sessions = bySession(steps);
        for (const session of sessions) {
          expect(session.map(({ action }) => action)).toEqual(WHOLE.slice(0, session.length));
          expect(new Set(session.map(({ instance }) => instance)).size).toBe(1);
          for (const [index, { at }] of session.entries()) {
            const former = session[index - 1];
            if (former !== undefined) expect(at - former.at).toBeGreaterThanOrEqual(think.min - 1e-6);
          }
        }
        expect(new Set(steps.map(({ instance }) => instance)).size).toBe(instances);
        if (instances === 1) return;
        // Sessions interleave: most of them are under way at once.
        const middle = steps[Math.floor(steps.length / 2)]?.at ?? 0;
        const open = sessions.filter((one) => (one[0]?.at ?? 0) <= middle && (one.at(-1)?.at ?? 0) >= middle);
        expect(open.length).toBeGreaterThan(instances / 2);
      });
    },
  );

  test('no event is made while all pause, and all take turns when timestamps are rare', async () => {
    await withInstances({ instances: 2, think: { min: 10, max: 10 } }, async ({ producer }) => {
      const { steps, dropped } = await run(producer, { to: 1_000, gap: 0.1 });
      expect([steps.length, dropped]).toEqual([20, 980]);
    });
    await withInstances({ instances: 5 }, async ({ producer }) => {
      const { steps, dropped } = await run(producer, { to: 50, gap: 0 });
      expect(dropped).toBe(0);
      expect(steps.map(({ instance }) => instance)).toEqual(
        Array.from({ length: 50 }, (_, index) => index % 5),
      );
    });
  });

  test('a state has its own pause', async () => {
    const params = paramsOf({ instances: 1, think: { min: 1, max: 1 } });
    const templates = (params['templates'] as JsonObject[]).map((one) =>
      'leave' in one ? { leave: { ...(one['leave'] as JsonObject), think: { min: 60, max: 60 } } } : one,
    );
    await withProducer({ ...params, templates }, { files: FILES }, async ({ producer }) => {
      const { steps } = await run(producer, { to: 200, gap: 1 });
      const [first, second] = steps.filter(({ action }) => action === 'enter');
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(WHOLE.length - 1 + 60);
    });
  });

  test('the same seed makes the same events, another seed others', async () => {
    const events = (seed: string) =>
      withInstances(
        { instances: 20, think: { min: 0.5, max: 5 } },
        async ({ producer }) => (await run(producer, { to: 500, gap: 0.05 })).events,
        { seed },
      );
    expect(await events('a')).toEqual(await events('a'));
    expect(await events('a')).not.toEqual(await events('b'));
  });

  test('a checkpoint continues every session where it was', async () => {
    await withInstances(
      { instances: 30, think: { min: 0.2, max: 3 } },
      async ({ producer, random, again }) => {
        const half = await run(producer, { to: 700, gap: 0.02 });
        const saved = JSON.parse(JSON.stringify([producer.snapshot?.(), random.snapshot()])) as [
          Json,
          number[],
        ];
        const rest = await run(producer, { from: 700, to: 1_400, gap: 0.02 });
        const { built, random: other } = await again();
        if (E.isLeft(built)) throw new Error(built.left.message);
        other.restore(saved[1]);
        await built.right.restore?.(saved[0]);
        expect((await run(built.right, { from: 700, to: 1_400, gap: 0.02 })).events).toEqual(rest.events);
        expect(half.events.length).toBeGreaterThan(100);
        expect(rest.events.length).toBeGreaterThan(100);
      },
    );
  });

  test('an instance whose condition fails waits, and the others go on', async () => {
    const files = {
      ...FILES,
      'enter.jinja':
        "{% if instance == 0 %}{% do locals.set('text', 'a' * 5000) %}{% endif %}{{ instance }} s enter 0",
    };
    const params = paramsOf({ instances: 2, think: { min: 1, max: 1 } });
    const templates = [
      {
        enter: {
          template: 'enter.jinja',
          initial: true,
          transitions: [{ to: 'enter', when: { matches: { 'locals.text': '(a|aa)+$x' } } }],
        },
      },
    ];
    await withProducer({ ...params, templates }, { files }, async ({ producer }) => {
      const { steps } = await run(producer, { to: 200, gap: 0.25 });
      expect(steps.filter(({ instance }) => instance === 1).length).toBeGreaterThan(20);
    });
  });

  test('previews read and change the locals of the last step', async () => {
    await withInstances({ instances: 3 }, async ({ producer }) => {
      await run(producer, { to: 4, gap: 1 });
      const local = producer.memory?.local('view');
      expect(local?.read()).toMatchObject({ pages: 1 });
      local?.merge({ pages: VIEWS });
      const { steps } = await run(producer, { from: 4, to: 7, gap: 1 });
      expect(steps.map(({ action }) => action)).toEqual(['view1', 'view1', 'leave']);
    });
  });

  test('without instances nothing changes: the machine is one, and its locals are those of each template', async () => {
    await withProducer(paramsOf({}), { files: FILES }, async ({ producer }) => {
      const { events } = await run(producer, { to: 2, gap: 1 });
      expect(events[0]).toMatch(/^ [0-9a-f]{8} enter /);
      const saved = producer.snapshot?.() as JsonObject;
      expect([typeof saved['at'], Object.keys(saved['random'] as JsonObject)]).toEqual([
        'number',
        expect.not.arrayContaining(['pick/think']),
      ]);
    });
  });

  test('mistakes are named', () => {
    const one = { template: 'a.jinja', initial: true };
    const fsm = (more: JsonObject): JsonObject => ({ mode: 'fsm', templates: [{ a: one }], ...more });
    expect(refusals(fsm({ instances: 0 }))[0]).toMatch(/^instances /);
    expect(refusals(fsm({ instances: 2, think: { min: 3, max: 2 } }))[0]).toMatch(
      /^think has min 3 above max 2/,
    );
    expect(refusals(fsm({ think: { min: 1, max: 2 } }))[0]).toMatch(
      /^think belongs to a state machine with instances/,
    );
    const item = { ...one, think: { min: 1, max: 2 } };
    expect(refusals({ mode: 'fsm', templates: [{ a: item }] })[0]).toMatch(
      /^templates\[0\]\.a\.think belongs to a state machine with instances/,
    );
    expect(refusals({ mode: 'all', templates: [{ a: { template: 'a.jinja' } }], instances: 2 })[0]).toMatch(
      /^instances belongs to mode fsm, not all/,
    );
  });
});
