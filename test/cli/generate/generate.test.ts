import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { failure, type LogLevel } from '../../../src/domain/errors.js';
import { DEFAULT_TEMPLATE_LIMITS, NO_TWEAKS } from '../../../src/domain/generator.js';
import type { GeneratorStats } from '../../../src/messages/generators.js';
import type { LogContext } from '../../../src/ports/log.js';
import {
  type FakeIoOptions,
  fakeIo,
  fakeServices,
  folderWith,
  GENERATOR,
  spate,
  statsWith,
} from '../support.js';

const ALL_WELL = { error: null, stats: statsWith(1_234) };
const ALL_OF_TEN = { error: null, stats: statsWith(10) };

/** Runs `generate` on a config that is there; `--path` is given. */
const generate = async (
  line: string,
  ended: { error: ReturnType<typeof failure> | null; stats: ReturnType<typeof statsWith> | null } = ALL_WELL,
  io: FakeIoOptions = {},
) => {
  const cwd = await folderWith({ 'shop/generator.yml': GENERATOR });
  const fake = fakeServices({ ended });
  const result = await spate(
    `generate --path shop/generator.yml ${line}`,
    fakeIo({ cwd, ...io }),
    fake.services,
  );
  return { ...result, cwd, run: fake.runs[0] };
};

describe('parameters', () => {
  test('the defaults are those of a generator, the id is the name of the folder, the path is absolute', async () => {
    const { run, cwd } = await generate('');
    expect(run?.params).toEqual({
      id: 'shop',
      path: join(cwd, 'shop/generator.yml'),
      live_mode: true,
      skip_past: true,
      from: null,
      params: {},
      seed: null,
      timezone: 'UTC',
      batch: { size: 10_000, delay: 1 },
      queue: { max_timestamp_batches: 10, max_event_batches: 10 },
      keep_order: false,
      max_concurrency: 100,
      write_timeout: 10,
      retry: { attempts: 5, base_delay: 0.2, max_delay: 5 },
      template_limits: DEFAULT_TEMPLATE_LIMITS,
      checkpoint: false,
      isolation: 'thread',
    });
    expect(run?.tweaks).toEqual({ ...NO_TWEAKS, starts_over: true });
  });

  test('every option changes its parameter', async () => {
    const { run } = await generate(
      '--id x --live-mode false --skip-past=false --keep-order --params {"a":1} --timezone Europe/Berlin --batch.size 5 ' +
        '--batch.delay 2 --queue.max-timestamp-batches 3 --queue.max-event-batches 4 --max-concurrency 6 ' +
        '--write-timeout 7 --retry.attempts 2 --retry.max-delay 1 --seed 42 --limit 8 --now 2026-01-31T12:00:00',
    );
    expect(run?.params).toMatchObject({
      id: 'x',
      live_mode: false,
      skip_past: false,
      keep_order: true,
      params: { a: 1 },
      timezone: 'Europe/Berlin',
      batch: { size: 5, delay: 2 },
      queue: { max_timestamp_batches: 3, max_event_batches: 4 },
      max_concurrency: 6,
      write_timeout: 7,
      retry: { attempts: 2, base_delay: 0.2, max_delay: 1 },
      template_limits: DEFAULT_TEMPLATE_LIMITS,
      seed: '42',
    });
    // A time without an offset is one of the zone that was given.
    expect(run?.tweaks).toEqual({
      ...NO_TWEAKS,
      fixed_now: Date.parse('2026-01-31T11:00:00Z') * 1_000,
      limit: 8,
      never_waits: false,
      starts_over: true,
    });
  });

  test('one of the two batch values leaves the other without limit', async () => {
    expect((await generate('--batch.size 5')).run?.params.batch).toEqual({ size: 5, delay: null });
    expect((await generate('--batch.delay 5')).run?.params.batch).toEqual({ size: null, delay: 5 });
  });

  test.each(['--path shop', 'shop'])('%s: a folder stands for the generator.yml in it', async (path) => {
    const cwd = await folderWith({ 'shop/generator.yml': GENERATOR });
    const { services, runs } = fakeServices({ ended: ALL_WELL });
    await spate(`generate ${path}`, fakeIo({ cwd }), services);
    expect(runs[0]?.params).toMatchObject({ id: 'shop', path: join(cwd, 'shop/generator.yml') });
  });

  test('a folder name that is no valid id is turned into one', async () => {
    const cwd = await folderWith({ '..my shop é!/generator.yml': GENERATOR });
    const { services, runs } = fakeServices({ ended: ALL_WELL });
    await spate(['generate', '--path', '..my shop é!'], fakeIo({ cwd }), services);
    expect(runs[0]?.params.id).toBe('my-shop-');
  });

  test.each([
    ['--batch.size 0', 'spate: --batch.size: must be at least 1.\n'],
    ['--max-concurrency 0', 'spate: --max-concurrency: must be at least 1.\n'],
    ['--queue.max-event-batches 0', 'spate: --queue.max-event-batches: must be at least 1.\n'],
    ['--timezone Mars', /^spate: --timezone: must be an IANA time zone/],
    ['--id a/b', /^spate: --id: must consist of letters/],
  ])('%s breaks the declaration: exit 1, the option is named, nothing runs', async (line, message) => {
    const { code, err, run } = await generate(line);
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(run).toBeUndefined();
  });

  test('--param gives one parameter and wins over --params', async () => {
    const { run } = await generate('--params {"a":1,"b":2} --param b=scan --param c=[1]');
    expect(run?.params.params).toEqual({ a: 1, b: 'scan', c: [1] });
  });

  test('without a path is wrong usage', async () => {
    expect(await spate('generate')).toEqual({
      code: 2,
      out: '',
      err: "spate generate: PATH is missing.\nTry 'spate generate --help'.\n",
    });
  });

  test.each([
    ['--now 2026-01-01', /--now needs --fast/],
    ['--fast --live-mode true', /give --fast or --live-mode true, not both/],
    ['--live-mode false --now tomorrow', /--now must be an ISO 8601 time such as .*, not "tomorrow"/],
  ])('%s is wrong usage', async (line, message) => {
    const { code, err, run } = await generate(line);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(run).toBeUndefined();
  });
});

describe('exit codes', () => {
  test('0 when every event was delivered; --quiet is silent', async () => {
    expect(await generate('--quiet')).toMatchObject({ code: 0, out: '', err: '' });
  });

  test.each([
    [{ produce_failed: 1 }, '1 event could not be produced'],
    [{ write_failed: 2_000 }, '2,000 events could not be written to file'],
    [{ format_failed: 3 }, '3 events could not be formatted for file'],
    [{ dead_lettered: 2 }, '2 events for file are in the dead letters'],
  ])('1 when events were not delivered: %j', async (failures, message) => {
    const ended = { error: null, stats: statsWith(10, failures) };
    const { code, err } = await generate('-q', ended);
    expect(code).toBe(1);
    expect(err).toBe(`spate: ${message}. --allow-failures accepts it.\n`);
  });

  test('0 with --allow-failures, the failures are still named', async () => {
    const ended = { error: null, stats: statsWith(10, { write_failed: 2 }) };
    expect(await generate('--allow-failures -q', ended)).toMatchObject({
      code: 0,
      err: 'spate: 2 events could not be written to file.\n',
    });
  });

  test('1 when the run fails, with or without --allow-failures', async () => {
    const error = failure('output_failed', 'cannot open /x: permission denied');
    for (const line of ['', '--allow-failures']) {
      expect(await generate(line, { error, stats: null })).toMatchObject({
        code: 1,
        err: 'spate: cannot open /x: permission denied\n',
      });
    }
  });

  test('70 for a bug', async () => {
    const ended = { error: failure('bug', 'the machine failed'), stats: null };
    expect(await generate('', ended)).toMatchObject({ code: 70 });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s drains, then %i', async (signal, expected) => {
    const cwd = await folderWith({ 'generator.yml': GENERATOR });
    const io = fakeIo({ cwd });
    const fake = fakeServices({ stats: () => statsWith(3) });
    const ended = spate('generate --path generator.yml', io, fake.services);
    await fake.startedTimes(1);
    io.signal(signal);
    expect((await ended).code).toBe(expected);
    expect(fake.counts.stops).toBe(1);
    expect(io.exits).toEqual([]);
    expect(io.isListening()).toBe(false);
  });

  test('a second signal ends at once, with the code of the first', async () => {
    const cwd = await folderWith({ 'generator.yml': GENERATOR });
    const io = fakeIo({ cwd });
    const fake = fakeServices();
    const services = {
      ...fake.services,
      single: async () => {
        const engine = await fake.services.single();
        // A generator that does not end by being stopped.
        return {
          ...engine,
          runSingle: (o: Parameters<typeof engine.runSingle>[0]) => ({
            ...engine.runSingle(o),
            stop: () => undefined,
          }),
        };
      },
    };
    const ended = spate('generate --path generator.yml', io, services);
    await fake.startedTimes(1);
    io.signal('SIGTERM');
    expect(io.exits).toEqual([]);
    io.signal('SIGINT');
    expect(io.exits).toEqual([143]);
    fake.finish(ALL_WELL);
    await ended;
  });

  test('a signal before anything runs starts nothing', async () => {
    const cwd = await folderWith({ 'generator.yml': GENERATOR });
    const io = fakeIo({ cwd });
    const fake = fakeServices({ ended: ALL_WELL });
    const services = {
      ...fake.services,
      single: async () => {
        io.signal('SIGINT');
        return fake.services.single();
      },
    };
    expect((await spate('generate --path generator.yml', io, services)).code).toBe(130);
    expect(fake.runs).toEqual([]);
  });
});

describe('what is shown', () => {
  /** Runs with these lines in its log. */
  const withLog = async (
    line: string,
    entries: readonly (readonly [LogLevel, string, LogContext?])[],
    ended: Parameters<typeof generate>[1] = { error: null, stats: null },
  ) => {
    const cwd = await folderWith({ 'generator.yml': GENERATOR });
    const fake = fakeServices();
    const done = spate(`generate . ${line}`, fakeIo({ cwd }), fake.services);
    await fake.startedTimes(1);
    for (const [level, message, context] of entries) fake.runs[0]?.log.write(level, message, context);
    fake.finish(ended);
    return done;
  };

  test.each([
    ['', 3],
    ['-v', 1],
    ['-vv', 2],
    ['-vvv', 3],
    ['-vvvv', 4],
    ['-vvvvv', 5],
    ['--log-level critical', 1],
    ['--log-level debug -v', 5],
    ['--trace', 4],
    ['--quiet', 0],
    ['-q -vvvvv', 0],
  ])(
    'the log goes to standard error, from warning on or from the level that %s asks for',
    async (line, count) => {
      const levels = ['critical', 'error', 'warning', 'info', 'debug'] as const;
      const { err, out } = await withLog(
        line,
        levels.map((level) => [level, `a ${level} line`]),
      );
      expect(out).toBe('');
      expect(levels.filter((level) => err.includes(`a ${level} line`))).toEqual(levels.slice(0, count));
    },
  );

  test('failures are reported with the first cause that each plugin logged', async () => {
    const event = { plugin_type: 'event', plugin_id: 1 };
    const { err } = await withLog(
      '-q',
      [
        ['warning', 'a write failed and is retried', { plugin_type: 'output', plugin_id: 1, reason: 'busy' }],
        ['error', 'the template failed', { ...event, reason: "a.jinja:3:8: no column 'wieght'\n  source" }],
        ['error', 'the template failed', { ...event, reason: 'another' }],
        ['error', 'a write failed', { plugin_type: 'output', plugin_id: 1, reason: 'disk full' }],
      ],
      { error: null, stats: statsWith(10, { produce_failed: 2, write_failed: 1 }) },
    );
    expect(err).toBe(
      "spate: 2 events could not be produced: a.jinja:3:8: no column 'wieght'.\n" +
        'spate: 1 event could not be written to file: disk full. --allow-failures accepts it.\n',
    );
  });

  test.each([
    [
      { ended_by: 'inputs', last_timestamp: '2026-01-01T00:59:59+00:00' },
      'input timer ended with the timestamp 2026-01-01T00:59:59+00:00',
    ],
    [{ ended_by: 'inputs', last_timestamp: null }, 'input timer gave no timestamps'],
    [{ ended_by: 'event', last_timestamp: null }, 'the event plugin script gave no more'],
    [{}, 'its inputs or event plugin gave no more'],
  ])('a limit that is not reached names what ended: %j', async (context, who) => {
    const { err } = await withLog('-q --limit 20', [['info', 'the end', context]], ALL_OF_TEN);
    expect(err).toBe(
      `spate: the run ended after 10 of 20 events (--limit): ${who}. --allow-failures accepts it.\n`,
    );
  });

  test('the error that ends a run is not in the log as well', async () => {
    const error = failure('output_failed', 'cannot open /x');
    const { err } = await withLog('', [['error', 'generator failed', { reason: error.message }]], {
      error,
      stats: null,
    });
    expect(err).toBe('spate: cannot open /x\n');
    const other = await withLog('', [['error', 'generator failed', { reason: 'other' }]], {
      error,
      stats: null,
    });
    expect(other.err).toMatch(/generator failed reason=other\nspate: cannot open \/x\n$/);
  });

  test('a reader that has taken what it wants is one sentence', async () => {
    const error = failure('reader_gone', 'the reader went away');
    const lost = { plugin_type: 'output', plugin_id: 1, code: error.code, reason: error.message };
    const { err } = await withLog('', [['error', 'a write failed', lost]], {
      error,
      stats: statsWith(10, { write_failed: 9 }),
    });
    expect(err).toMatch(/^demo: 10 events in .*\nspate: the reader went away\n$/);
  });

  test('a summary, on a terminal or not', async () => {
    const { err } = await generate('--live-mode false');
    expect(err).toBe('demo: 1,234 events in 0 s; file: 1,234 written\n');
    const failed = await generate('--live-mode false', {
      error: null,
      stats: statsWith(3, { produce_failed: 2 }),
    });
    expect(failed.err).toMatch(/^demo: 3 events in 0 s, 2 failed; file: 3 written\n/);
  });

  test('a summary on a terminal, with lateness in live mode', async () => {
    const { err } = await generate('', ALL_WELL, { terminals: ['stderr'] });
    expect(err).toContain(
      'demo: 1,234 events in 0 s; file: 1,234 written; lateness p50 1 ms, p99 3 ms, max 7 ms\n',
    );
  });

  /** Runs for two seconds of fake time on a terminal; the counters grow by 500 events a second. */
  const watch = async (
    config: string,
    terminals: readonly ('stdout' | 'stderr')[],
    {
      line = '',
      env = { NO_COLOR: '1' },
      columns = 200,
      counts = {},
    }: {
      line?: string;
      env?: Record<string, string>;
      columns?: number;
      counts?: Partial<GeneratorStats>;
    } = {},
  ) => {
    const cwd = await folderWith({ 'generator.yml': config });
    const io = fakeIo({ cwd, terminals, columns, env });
    let produced = 0;
    const fake = fakeServices({
      stats: () => {
        produced += 500;
        return { ...statsWith(produced, { produce_failed: produced / 100 }), ...counts };
      },
    });
    const ended = spate(`generate --path generator.yml -vvvv ${line}`, io, fake.services);
    await fake.startedTimes(1);
    await fake.clock.advanceMs(1_000);
    fake.runs[0]?.log.write('info', 'a line between');
    await fake.clock.advanceMs(1_000);
    fake.finish({ error: null, stats: null });
    await ended;
    return io.err();
  };

  test('a progress line is rewritten once a second; other lines do not mix with it', async () => {
    const erase = '\r\u001b[K';
    const err = await watch(GENERATOR, ['stdout', 'stderr']);
    const [before, first, log, second, after] = err.split(erase);
    expect(before).toBe('');
    expect(first).toBe('demo: 500 events, 500/s, 1 s; 5 failed; file: 500 written; late p99 3 ms');
    expect(log).toMatch(/ info {5}a line between\n$/);
    expect(second).toBe('demo: 1,000 events, 500/s, 2 s; 10 failed; file: 1,000 written; late p99 3 ms');
    expect(after).toBe('');
  });

  test('with --limit the progress has total, percent and time left', async () => {
    const err = await watch(GENERATOR, ['stderr'], { line: '--limit 100000' });
    expect(err).toContain('demo: 500 of 100,000 events (0 %), 500/s, 1 s, 3 min 19 s left; 5 failed');
    expect(err).toContain('demo: 1,000 of 100,000 events (1 %), 500/s, 2 s, 3 min 18 s left; 10 failed');
    expect(await watch(GENERATOR, ['stderr'], { line: '--limit 10000000' })).toContain('5 h 33 min left');
  });

  test.each([
    [
      { total_generated: 500, expected_timestamps: 2_000 },
      '500 of 2,000 events (25 %), 500/s, 1 s, 3 s left',
    ],
    [
      { total_generated: 250, expected_timestamps: 1_000 },
      '500 events from 250 of 1,000 timestamps (25 %), 500/s, 1 s, 3 s left',
    ],
    [{ total_generated: 500 }, '500 events, 500/s, 1 s;'],
  ])('the progress has the total that the inputs tell: %j', async (counts, text) => {
    expect(await watch(GENERATOR, ['stderr'], { counts })).toContain(`demo: ${text}`);
  });

  test('the progress is in color, unless NO_COLOR is set or the terminal has none', async () => {
    const limit = { line: '--limit 1000' };
    expect(await watch(GENERATOR, ['stderr'], { ...limit, env: {} })).toContain(
      '\u001b[1mdemo: \u001b[0m500 of 1,000 events\u001b[32m (50 %)\u001b[0m, 500/s, 1 s, 1 s left\u001b[31m; 5 failed\u001b[0m; file',
    );
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      expect(await watch(GENERATOR, ['stderr'], { ...limit, env })).not.toContain('\u001b[1m');
  });

  test('the progress line is cut to the width of the terminal, colors not counted', async () => {
    const err = await watch(GENERATOR, ['stderr'], { columns: 20 });
    expect(err).toContain('demo: 500 events, 5');
    expect(err).not.toContain('demo: 500 events, 50');
    expect(await watch(GENERATOR, ['stderr'], { columns: 20, env: {} })).toContain(
      '\u001b[1mdemo: \u001b[0m500 events, 5\r',
    );
  });

  test.each([
    ['standard error is no terminal', GENERATOR, ['stdout']],
    [
      'events go to that terminal',
      GENERATOR.replace('file: {path: out.log}', 'stdout: {}'),
      ['stdout', 'stderr'],
    ],
    [
      'events go there by standard error',
      GENERATOR.replace('file: {path: out.log}', 'stdout: {stream: stderr}'),
      ['stderr'],
    ],
  ] as const)('no progress line when %s', async (_, config, terminals) => {
    expect(await watch(config, terminals)).not.toContain('\r');
  });

  test('a progress line when events go to a pipe and only messages to the terminal', async () => {
    const config = GENERATOR.replace('file: {path: out.log}', 'stdout: {}');
    expect(await watch(config, ['stderr'])).toContain('demo: 500 events, 500/s');
  });
});
