import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { pythonProcesses } from '../../src/adapters/processes/pythonProcess.js';
import { failure } from '../../src/domain/errors.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { DEFAULT_TEMPLATE_LIMITS, type TemplateLimits } from '../../src/domain/generator.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { GivenTimestamp, PreviewTask, StateAction } from '../../src/domain/preview.js';
import type { FromWorker } from '../../src/host/protocol.js';
import { PYTHON_FILE } from '../../src/host/singleThread.js';
import type { PipelineRegistry } from '../../src/plugins/buildParts.js';
import { scriptSpec } from '../../src/plugins/events/script/spec.js';
import type { EventContext, Produced, ProduceRequest } from '../../src/plugins/kit.js';
import { registry as plugins } from '../../src/plugins/registry.js';
import { problemLog } from '../../src/plugins/shared/problemLog.js';
import { previewRunner } from '../../src/worker/preview/preview.js';
import { memoryLog } from '../support/logs.js';

type Call = (request: ProduceRequest, context: EventContext) => Produced | Promise<Produced>;

/** The real plugins, except the event plugin `script`: a function of the test. */
const registryWith = (call: Call): PipelineRegistry => ({
  ...plugins,
  event: async () => ({
    spec: scriptSpec,
    build: async (params, context) =>
      params['path'] === 'bad.js'
        ? E.left(failure('plugin_failed', 'script bad.js does not exist'))
        : E.right({ produce: (request) => call(request, context), close: async () => {} }),
  }),
});

const makeRunner = (call: Call = () => produced(['x'])) => {
  const { log, lines } = memoryLog();
  const messages: FromWorker[] = [];
  const run = previewRunner({
    registry: registryWith(call),
    log,
    prepare: () => null,
    runCommand: null,
    python: pythonProcesses(PYTHON_FILE, 512),
    post: (message) => void messages.push(message),
  });
  /** The answer to a task: its value, or the error. */
  const ask = async (
    task: PreviewTask,
  ): Promise<E.Either<{ code: string; message: string; issues?: unknown }, Json>> => {
    await run({ job: 1, task });
    const message = messages.at(-1);
    if (message?.type === 'preview.failed') return E.left(message.error);
    if (message?.type !== 'preview.done') throw new Error('no answer');
    return E.right(JSON.parse(Buffer.concat(message.chunks).toString()) as Json);
  };
  const open = (path = 'x.js', timezone = 'UTC') =>
    ask({
      kind: 'open',
      directory: '/web',
      timezone,
      template_limits: DEFAULT_TEMPLATE_LIMITS,
      event: { script: { path } },
      files: null,
      inputs: null,
    });
  const state = (action: StateAction) => ask({ kind: 'state', scope: { kind: 'global' }, action });
  const produce = (timestamps: readonly GivenTimestamp[]) => ask({ kind: 'produce', timestamps });
  return { ask, open, state, produce, lines };
};

const produced = (events: readonly string[], more: Partial<Produced> = {}): Produced => ({
  consumed: 1,
  events: textBatch(events),
  failed: 0,
  dropped: 0,
  exhausted: false,
  ...more,
});

const at = (count: number, tags: readonly string[] = []): readonly GivenTimestamp[] =>
  Array.from({ length: count }, (_, second) => ({
    timestamp: new Date(second * 1000).toISOString(),
    tags,
  }));

describe('an event plugin in preview', () => {
  test('gets one timestamp at a time, each with its tags', async () => {
    const { open, produce } = makeRunner(({ micros, from, to, tagsOf }) =>
      produced([`${from}-${to}:${micros[from]}:${tagsOf(from).join('+')}`]),
    );
    await open();
    const timestamps = [
      { timestamp: '1970-01-01T01:00:02+01:00', tags: ['a', 'b'] },
      { timestamp: '1970-01-01 00:00:01', tags: [] },
    ];
    expect(await produce(timestamps)).toEqual(
      E.right({ events: ['0-1:2000000:a+b', '1-2:1000000:'], errors: [], exhausted: false }),
    );
  });

  test('reads timestamps without an offset in its zone', async () => {
    const { open, produce } = makeRunner(({ micros, from }) => produced([String(micros[from])]));
    await open('x.js', 'Asia/Tokyo');
    expect(await produce([{ timestamp: '1970-01-01T09:00:00', tags: [] }])).toMatchObject({
      right: { events: ['0'] },
    });
  });

  test('every failed timestamp is an error with its number, without limit', async () => {
    const { open, produce, lines } = makeRunner(async ({ from }, { log, clock }) => {
      failures ??= problemLog(log, clock, 'error', 'the script failed');
      if (from % 2 === 0) return produced([]);
      failures.report(() => ({ file_path: 'x.js', reason: `no luck at ${from}` }));
      return produced([], { failed: 1 });
    });
    let failures: ReturnType<typeof problemLog> | null = null;
    await open();
    const answer = E.getOrElse((): Json => null)(await produce(at(100))) as JsonObject;
    expect(answer['errors']).toEqual(
      Array.from({ length: 50 }, (_, n) => ({
        index: 2 * n + 1,
        message: `the script failed: no luck at ${2 * n + 1}`,
        context: { file_path: 'x.js' },
      })),
    );
    // Errors in the answer are not logged too.
    expect(lines).toEqual([]);
  });

  test('an error that is long is cut', async () => {
    const { open, produce } = makeRunner((_request, { log }) => {
      log.write('error', 'x'.repeat(100_000));
      return produced([], { failed: 1 });
    });
    await open();
    const text = JSON.stringify(await produce(at(1)));
    expect(text.length).toBeLessThan(3_000);
  });

  test('other lines go to the log, info as debug', async () => {
    const { open, produce, lines } = makeRunner((_request, { log }) => {
      log.write('info', 'chatter');
      log.write('warning', 'odd');
      return produced(['x']);
    });
    await open();
    await produce(at(1));
    expect(lines).toMatchObject([
      { level: 'debug', message: 'chatter', context: { preview: '/web' } },
      { level: 'warning', message: 'odd' },
    ]);
  });

  test('dropped timestamps are no errors, and exhaustion ends the loop', async () => {
    const { open, produce } = makeRunner(({ from }) => {
      if (from === 1) return produced([], { dropped: 1 });
      if (from === 2) return produced([], { consumed: 0, exhausted: true });
      return produced([`event ${from}`]);
    });
    await open();
    expect(await produce(at(5))).toEqual(E.right({ events: ['event 0'], errors: [], exhausted: true }));
  });

  test('refuses an answer that is too large, and keeps its state', async () => {
    let calls = 0;
    const { open, produce } = makeRunner(() => {
      calls++;
      return produced(['x'.repeat(20_000_000)]);
    });
    await open();
    expect(await produce(at(10))).toMatchObject({
      left: { code: 'too_large', message: expect.stringContaining('used up the first 2 timestamps') },
    });
    expect(calls).toBe(2);
    expect(await produce(at(1))).toMatchObject({ _tag: 'Right' });
  });

  test('inexact timestamps are refused with their numbers', async () => {
    const { open, produce } = makeRunner();
    await open();
    expect(await produce([...at(1), { timestamp: '9999-01-01T00:00:00Z', tags: [] }])).toMatchObject({
      left: { code: 'invalid', issues: [{ path: [1, 'timestamp'], type: 'out_of_range' }] },
    });
  });

  test('one that cannot be built is reported below its kind', async () => {
    const { open, produce } = makeRunner();
    expect(await open('bad.js')).toMatchObject({
      left: { code: 'plugin_failed', issues: [{ path: ['script'], type: 'plugin_failed' }] },
    });
    expect(await produce(at(1))).toMatchObject({ left: { code: 'not_ready' } });
  });

  test('its globals carry over between calls', async () => {
    const { open, produce, state } = makeRunner((_request, { globals }) =>
      produced([String(globals.increment('n'))]),
    );
    await open();
    await produce(at(2));
    expect(await state({ kind: 'read' })).toEqual(E.right({ n: 2 }));
    expect(await state({ kind: 'merge', values: { n: 10, nothing: null } })).toEqual(E.right(null));
    expect(await produce(at(1))).toMatchObject({ right: { events: ['11'] } });
    expect(await state({ kind: 'read_key', key: 'nothing' })).toEqual(E.right(null));
    expect(await state({ kind: 'read_key', key: 'toString' })).toMatchObject({ left: { code: 'not_found' } });
    expect(await state({ kind: 'delete_key', key: 'never there' })).toEqual(E.right(null));
    expect(await state({ kind: 'delete_key', key: 'n' })).toEqual(E.right(null));
    expect(await state({ kind: 'read' })).toEqual(E.right({ nothing: null }));
    expect(await state({ kind: 'clear' })).toEqual(E.right(null));
    expect(await state({ kind: 'read' })).toEqual(E.right({}));
  });

  test('has no state of templates', async () => {
    const { ask, open } = makeRunner();
    await open();
    for (const scope of [{ kind: 'shared' }, { kind: 'local', alias: 'main' }] as const) {
      expect(await ask({ kind: 'state', scope, action: { kind: 'read' } })).toMatchObject({
        left: { code: 'not_ready', message: expect.stringContaining('not a template plugin') },
      });
    }
  });

  test('draws the same random numbers each time it is built', async () => {
    const { open, produce } = makeRunner((_request, { random }) =>
      produced([String(random.integer(0, 1e9))]),
    );
    await open();
    const first = await produce(at(3));
    await open();
    expect(await produce(at(3))).toEqual(first);
  });
});

describe('a formatter in preview', () => {
  const format = (formatter: Json, events: readonly string[], limits: Partial<TemplateLimits> = {}) =>
    makeRunner().ask({
      kind: 'format',
      directory: '/web',
      timezone: 'UTC',
      template_limits: { ...DEFAULT_TEMPLATE_LIMITS, ...limits },
      formatter,
      events,
    });

  test('returns the formatted events and the failures', async () => {
    expect(await format({ format: 'json', indent: 1 }, ['{"a":1}', '{', '[]'])).toMatchObject({
      right: {
        events: ['{\n "a": 1\n}', '[]'],
        formatted_count: 2,
        errors: [{ original_event: '{' }],
      },
    });
  });

  test('a batch that fails as a whole is one error, of no event', async () => {
    const template = '{% for event in events %}{{ 1 // (event | int) }}{% endfor %}';
    expect(await format({ format: 'template-batch', template }, ['1', '0', '2'])).toMatchObject({
      right: { events: [], formatted_count: 0, errors: [{ original_event: null }] },
    });
  });

  test('one that joins events counts the original events', async () => {
    expect(await format({ format: 'json-batch' }, ['1', 'x', '2'])).toMatchObject({
      right: { events: ['[1, 2]'], formatted_count: 2, errors: [{ original_event: 'x' }] },
    });
    expect(await format({ format: 'json-batch' }, ['x'])).toMatchObject({
      right: { events: [], formatted_count: 0 },
    });
  });

  test('one with far too much output is refused', async () => {
    const nested = '['.repeat(2_000) + ']'.repeat(2_000);
    const answer = await format({ format: 'json', indent: 10 }, [nested]);
    expect(E.isLeft(answer) && answer.left.code).toBe('too_large');
  });

  test('its template is bound by the limits of the request', async () => {
    const formatter = { format: 'template', template: '{{ event * 3 }}' };
    expect(await format(formatter, ['abc'], { output_bytes: 8 })).toMatchObject({
      right: { events: [], errors: [{ message: expect.stringContaining('the limit output_bytes (8)') }] },
    });
    expect(await format(formatter, ['abc'], { output_bytes: 9 })).toMatchObject({
      right: { events: ['abcabcabc'], errors: [] },
    });
  });

  test('a problem of its options has its path in the body', async () => {
    expect(await format({ format: 'json', indent: 'x' }, ['1'])).toMatchObject({
      left: { code: 'invalid', issues: [{ path: ['formatter_config', 'indent'] }] },
    });
  });
});

describe('a date-time expression', () => {
  const normalize = (
    value: string | number | null,
    more: Partial<Extract<PreviewTask, { kind: 'normalize' }>> = {},
  ) =>
    makeRunner().ask({
      kind: 'normalize',
      value,
      timezone: 'Europe/Berlin',
      relative_base: '2026-03-28T12:00:00',
      none_point: 'now',
      ...more,
    });

  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'],
    ['2026-07-01', '2026-07-01T00:00:00+02:00'],
    [1_700_000_000.5, '2023-11-14T23:13:20.500000+01:00'],
    ['14:30', '2026-03-28T14:30:00+01:00'],
    // Over the change of the clock: a day is 24 hours.
    ['+1d', '2026-03-29T13:00:00+02:00'],
    ['-30m', '2026-03-28T11:30:00+01:00'],
    ['tomorrow at 9:00', '2026-03-29T09:00:00+02:00'],
    ['never', '9999-12-31T23:59:59.999999+01:00'],
  ])('%j from noon before the clock changes is %s', async (value, expected) => {
    expect(await normalize(value)).toEqual(E.right(expected));
  });

  test.each([
    ['min', '0001-01-01T00:00:00+00:53:28'],
    ['max', '9999-12-31T23:59:59.999999+01:00'],
  ] as const)('none is %s where that is asked for', async (none_point, expected) => {
    expect(await normalize(null, { none_point })).toEqual(E.right(expected));
  });

  test('without a value it is now, and now is the clock for any base', async () => {
    const before = Date.now();
    for (const value of [null, 'now']) {
      const answer = E.getOrElse((): Json => null)(await normalize(value));
      const instant = Date.parse(String(answer));
      expect(instant).toBeGreaterThanOrEqual(before);
      expect(instant).toBeLessThanOrEqual(Date.now());
    }
  });

  test.each([
    ['soonish', {}, 'value'],
    ['', {}, 'value'],
    ['2026-02-30', {}, 'value'],
    ['9999-01-01', {}, 'value'],
    ['+9999999999d', {}, 'value'],
    ['+1h', { relative_base: '9000-01-01' }, 'relative_base'],
    ['now', { timezone: 'Mars' }, 'timezone'],
  ])('%j with %j is refused at its place', async (value, more, place) => {
    expect(await normalize(value, more)).toMatchObject({
      left: { code: 'invalid', issues: [{ path: [place] }] },
    });
  });
});

describe('a sample of a log', () => {
  const LINES = ['2026-01-12 10:00:00,123 INFO up', '', 'a stack trace', '2026-01-12 10:00:01,456 INFO down'];
  const ask = (more: Partial<Extract<PreviewTask, { kind: 'log_times' }>> = {}) =>
    makeRunner().ask({
      kind: 'log_times',
      text: LINES.join('\r\n'),
      timestamp_pattern: null,
      timestamp_format: null,
      timezone: 'UTC',
      ...more,
    });

  test('is guessed, with the place of each timestamp', async () => {
    expect(await ask()).toMatchObject({
      right: {
        lines: 3,
        candidates: [{ timestamp_format: '%Y-%m-%d %H:%M:%S,%L', matched: 2 }],
        checked: {
          matched: 2,
          alike: 2,
          written: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}$/),
          lines: [
            { number: 1, text: LINES[0], start: 0, end: 23 },
            { number: 3, text: 'a stack trace', start: null, end: null },
            { number: 4, start: 0, end: 23 },
          ],
        },
      },
    });
  });

  test('is checked with a pattern and a format of the user', async () => {
    const given = { timestamp_pattern: '(?P<timestamp>[a-z]+)', timestamp_format: '%Y' };
    expect(await ask(given)).toMatchObject({
      right: {
        lines: 3,
        candidates: [],
        checked: { matched: 3, alike: 0, lines: [{ start: 29, end: 31 }, { start: 0, end: 1 }, {}] },
      },
    });
  });

  test('without a timestamp has no guess', async () => {
    expect(await ask({ text: 'x\n\ny' })).toEqual(
      E.right({ lines: 2, candidates: [], checked: null, flaws: [] }),
    );
  });

  test('shows the part of a long line around the timestamp', async () => {
    const text = `${'x'.repeat(9_000)} at=1 ${'y'.repeat(9_000)}`;
    const answer = await ask({ text, timestamp_pattern: 'at=(?P<timestamp>\\d)' });
    const { checked } = E.getOrElse((): Json => null)(answer) as unknown as {
      readonly checked: {
        readonly lines: readonly [{ readonly text: string; readonly start: number; readonly end: number }];
      };
    };
    const [{ text: shown, start, end }] = checked.lines;
    expect(shown.length).toBeLessThan(1_010);
    expect(shown.slice(start, end)).toBe('1');
  });

  test.each([
    ['timestamp_pattern', { timestamp_pattern: '\\d+' }],
    ['timestamp_pattern', { timestamp_pattern: '(?P<timestamp>' }],
    ['timestamp_format', { timestamp_pattern: '(?P<timestamp>x)', timestamp_format: '%Q' }],
  ])('has a flaw in its %s', async (field, more) => {
    expect(await ask(more)).toMatchObject({
      right: { checked: null, flaws: [{ field, message: expect.stringMatching(/^(has|is|"%Q") /) }] },
    });
  });
});
