import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { failure } from '../../../src/domain/errors.js';
import { NO_TWEAKS } from '../../../src/domain/generator.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../../src/domain/templateLimits.js';
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

  test('a folder stands for the generator.yml in it', async () => {
    const cwd = await folderWith({ 'shop/generator.yml': GENERATOR });
    const { services, runs } = fakeServices({ ended: ALL_WELL });
    await spate('generate --path shop', fakeIo({ cwd }), services);
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

  test('without --path is wrong usage', async () => {
    expect(await spate('generate')).toEqual({
      code: 2,
      out: '',
      err: "spate generate: --path is required: --path FILE.\nTry 'spate generate --help'.\n",
    });
  });

  test.each([
    ['--now 2026-01-01', /--now needs --live-mode false/],
    ['--live-mode false --now tomorrow', /--now must be an ISO 8601 time such as .*, not "tomorrow"/],
  ])('%s is wrong usage', async (line, message) => {
    const { code, err, run } = await generate(line);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(run).toBeUndefined();
  });
});

describe('exit codes', () => {
  test('0 and silence when every event was delivered', async () => {
    expect(await generate('')).toMatchObject({ code: 0, out: '', err: '' });
  });

  test.each([
    [{ produce_failed: 1 }, '1 event could not be produced'],
    [{ write_failed: 2_000 }, '2,000 events could not be written to file'],
    [{ format_failed: 3 }, '3 events could not be formatted for file'],
    [{ dead_lettered: 2 }, '2 events for file are in the dead letters'],
  ])('1 when events were not delivered: %j', async (failures, message) => {
    const ended = { error: null, stats: statsWith(10, failures) };
    const { code, err } = await generate('', ended);
    expect(code).toBe(1);
    expect(err).toBe(`spate: ${message} (-vv shows why; --allow-failures accepts it).\n`);
  });

  test('with -vv the log is not advised', async () => {
    const { err } = await generate('-vv', { error: null, stats: statsWith(10, { write_failed: 2 }) });
    expect(err).toContain('spate: 2 events could not be written to file (--allow-failures accepts it).\n');
  });

  test('0 with --allow-failures, the failures are still named', async () => {
    const ended = { error: null, stats: statsWith(10, { write_failed: 2 }) };
    expect(await generate('--allow-failures', ended)).toMatchObject({
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
  test('logs go to standard error, from the level that -v asks for', async () => {
    const cwd = await folderWith({ 'generator.yml': GENERATOR });
    const levels = ['critical', 'error', 'warning', 'info', 'debug'] as const;
    for (let count = 0; count <= 5; count++) {
      const io = fakeIo({ cwd });
      const fake = fakeServices();
      const line = `generate --path generator.yml ${count === 0 ? '' : `-${'v'.repeat(count)}`}`;
      const ended = spate(line, io, fake.services);
      await fake.startedTimes(1);
      for (const level of levels) fake.runs[0]?.log.write(level, `a ${level} line`);
      fake.finish({ error: null, stats: null });
      const { err, out } = await ended;
      expect(out).toBe('');
      expect(levels.filter((level) => err.includes(`a ${level} line`))).toEqual(levels.slice(0, count));
    }
  });

  test('a summary with -v', async () => {
    const { err } = await generate('-v --live-mode false');
    expect(err).toBe('demo: 1,234 events in 0 s; file: 1,234 written\n');
  });

  test('a summary on a terminal, with lateness in live mode', async () => {
    const { err } = await generate('', ALL_WELL, { terminals: ['stderr'] });
    expect(err).toContain(
      'demo: 1,234 events in 0 s; file: 1,234 written; lateness p50 1 ms, p99 3 ms, max 7 ms\n',
    );
  });

  /** Runs for two seconds of fake time on a terminal; the counters grow by 500 events a second. */
  const watch = async (config: string, terminals: readonly ('stdout' | 'stderr')[], columns = 200) => {
    const cwd = await folderWith({ 'generator.yml': config });
    const io = fakeIo({ cwd, terminals, columns });
    let produced = 0;
    const fake = fakeServices({
      stats: () => {
        produced += 500;
        return statsWith(produced);
      },
    });
    const ended = spate('generate --path generator.yml -vvvv', io, fake.services);
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
    expect(first).toBe('demo: 500 events, 500/s; file: 500 written; late p99 3 ms');
    expect(log).toMatch(/ info {5}a line between\n$/);
    expect(second).toBe('demo: 1,000 events, 500/s; file: 1,000 written; late p99 3 ms');
    expect(after).toBe('');
  });

  test('the progress line is cut to the width of the terminal', async () => {
    const err = await watch(GENERATOR, ['stderr'], 20);
    expect(err).toContain('demo: 500 events, 5');
    expect(err).not.toContain('demo: 500 events, 50');
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
