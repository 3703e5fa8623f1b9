import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { readExposition, sumOf } from '../support/exposition.js';
import { eventually, type Instance, makeInstance } from '../support/instance.js';
import { dataOf, type EventReader, eventReader } from '../support/servers/eventSource.js';

const SCRIPT = `let count = 0;
export const produce = ({ globals }) => {
  count += 1;
  if (count % 5 === 0) throw new Error('every fifth');
  if (count % 50 === 1) console.log('line ' + count);
  if (count === 1) globals.set('seen', true);
  return 'event ' + count;
};
`;
const config = (input: string, event: string): string =>
  `input:\n  - ${input}\nevent:\n  ${event}\noutput:\n  - file: {path: out.log}\n  - file: {path: other.log}\n`;

const GENERATORS = {
  'live/generator.yml': config('timer: {seconds: 0.1, count: 100}', 'script: {path: produce.js}'),
  'live/produce.js': SCRIPT,
  'fast/generator.yml': config('timer: {seconds: 1, count: 1000}', 'script: {path: produce.js}').replace(
    /output:.*/s,
    'output:\n  - file: {path: /dev/null}\n',
  ),
  'fast/produce.js': "let n = 0;\nexport const produce = () => 'event ' + ++n;\n",
  'big/generator.yml': config('timer: {seconds: 0.1, count: 10}', 'script: {path: produce.js}').replace(
    /output:.*/s,
    'output:\n  - file: {path: /dev/null}\n',
  ),
  'big/produce.js': "const x = 'x'.repeat(100_000);\nlet n = 0;\nexport const produce = () => x + ++n;\n",
  'broken/generator.yml': config('timer: {seconds: 1, count: 1}', 'script: {path: gone.js}'),
};

let instance: Instance | null = null;
const closing: (() => void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await instance?.remove();
  instance = null;
});

const start = async (startup: string, log = ''): Promise<Instance> => {
  const made = await makeInstance({ startup, generators: GENERATORS, log });
  instance = made;
  await made.start();
  return made;
};

const LIVE = '- {id: live, path: live/generator.yml, scenarios: [shared]}\n';
const BIG = '- {id: big, path: big/generator.yml}\n';
const FAST = '- {id: fast, path: fast/generator.yml, live_mode: false, autostart: false}\n';

const metricsOf = async ({ url }: Instance) => readExposition(await (await fetch(`${url}/metrics`)).text());

const follow = async ({ url }: Instance, path: string): Promise<EventReader> => {
  const ending = new AbortController();
  closing.push(() => ending.abort());
  const response = await fetch(`${url}${path}`, { signal: ending.signal });
  expect(response.status).toBe(200);
  if (response.body === null) throw new Error('no body');
  const reader = eventReader(response.body);
  reader.ended.catch(() => {});
  return reader;
};

interface Stats {
  readonly input: readonly { readonly generated: number }[];
  readonly event: { readonly produced: number; readonly produce_failed: number };
  readonly output: readonly { readonly written: number; readonly bytes: number }[];
  readonly total_written: number;
}
const statsOf = async (made: Instance, id: string): Promise<Stats> =>
  (await made.api('GET', `/generators/${id}/stats`)).body as Stats;

const phaseOf = async (made: Instance, id: string): Promise<string> =>
  ((await made.api('GET', `/generators/${id}/status`)).body as { readonly phase: string }).phase;

/** Resolves once so many events have been produced. */
const produced = (made: Instance, id: string, count: number): Promise<Stats> =>
  eventually(async () => {
    const { status, body } = await made.api('GET', `/generators/${id}/stats`);
    return status === 200 && (body as Stats).event.produced >= count ? (body as Stats) : null;
  }, `${count} events of ${id}`);

describe('readiness', () => {
  test('comes when every generator with autostart is up', async () => {
    const made = await start(LIVE + FAST);
    const ready = await eventually(async () => {
      const answer = await made.api('GET', '/ready');
      return answer.status === 200 ? answer.body : null;
    }, 'ready');
    expect(ready).toEqual({ status: 'ready', expected: 1, up: 1 });
  });

  test('does not come while one of them has failed, until it is removed', async () => {
    const made = await start(`${LIVE}- {id: broken, path: broken/generator.yml}\n`);
    await eventually(async () => ((await phaseOf(made, 'broken')) === 'failed' ? true : null), 'the failure');
    await eventually(async () => ((await phaseOf(made, 'live')) === 'running' ? true : null), 'the other');
    const answer = await eventually(async () => {
      const found = await made.api('GET', '/ready');
      return JSON.stringify(found.body).includes('1 of 2') ? found : null;
    }, '1 of 2');
    expect(answer).toEqual({
      status: 503,
      body: { detail: expect.stringContaining('1 of 2 generators'), code: 'unavailable' },
    });
    await made.api('DELETE', '/generators/broken');
    expect((await made.api('GET', '/ready')).status).toBe(200);
  });
});

describe('metrics', () => {
  test('are those of the statistics once a generator has ended', async () => {
    const made = await start(LIVE);
    await produced(made, 'live', 200);
    await made.api('POST', '/generators/live/stop');
    const stats = await statsOf(made, 'live');
    const families = await metricsOf(made);
    const of = (name: string, more = {}): number => sumOf(families, name, { generator: 'live', ...more });
    expect(of('spate_input_generated_total')).toBe(stats.input[0]?.generated);
    expect(of('spate_event_produced_total')).toBe(stats.event.produced);
    expect(of('spate_event_produce_failed_total')).toBe(stats.event.produce_failed);
    expect(of('spate_output_written_total')).toBe(stats.total_written);
    expect(of('spate_output_bytes_total', { plugin_id: '2' })).toBe(stats.output[1]?.bytes);
    expect(stats.event.produce_failed).toBeGreaterThan(0);
    expect(of('spate_generator_queue_batches')).toBe(0);
    expect(of('spate_generator_phase', { phase: 'stopped' })).toBe(1);
    const lateness = families.get('spate_generator_lateness_seconds')?.samples ?? [];
    expect(lateness.find(({ name }) => name.endsWith('_count'))?.value).toBe(stats.input[0]?.generated);
    const lag = families.get('spate_generator_delivery_lag_seconds')?.samples ?? [];
    expect(lag.find(({ name }) => name.endsWith('_count'))?.value).toBe(2 * stats.event.produced);
    expect(lag.find(({ name }) => name.endsWith('_sum'))?.value).toBeGreaterThan(0);
    expect(sumOf(families, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(families.get('spate_build_info')?.samples).toHaveLength(1);
  });
});

describe('the event stream', () => {
  test('tells of states, counters and globals', async () => {
    const made = await start(LIVE + FAST);
    const reader = await follow(made, '/events');
    await reader.until((events) => dataOf(events, 'stats').length >= 2);
    await made.api('PATCH', '/scenarios/shared/globals', { sale: 20 });
    const { body } = await made.api('GET', '/generators/live/status');
    expect(body).toMatchObject({ phase: 'running' });
    await made.api('POST', '/generators/live/stop');
    const events = await reader.until((all) =>
      dataOf<{ id: string; phase: string }>(all, 'generator').some(
        ({ id, phase }) => id === 'live' && phase === 'stopped',
      ),
    );
    const states = dataOf<{ id: string; phase: string }>(events, 'generator').map(
      ({ id, phase }) => `${id} ${phase}`,
    );
    expect(states).toEqual(expect.arrayContaining(['fast idle', 'live running', 'live stopped']));
    const [first, second] = dataOf<{ generators: readonly { id: string; produced: number }[] }>(
      events,
      'stats',
    );
    expect(second?.generators.map(({ id }) => id)).toEqual(['live']);
    expect(second?.generators[0]?.produced).toBeGreaterThan(first?.generators[0]?.produced ?? 0);
    const scenarios = dataOf<{ name: string; etag: string | null }>(events, 'scenario');
    const response = await fetch(`${made.url}/scenarios/shared/globals`);
    expect(scenarios.at(-1)).toEqual({ name: 'shared', etag: response.headers.get('etag') });
    expect(JSON.stringify(scenarios)).not.toContain('20');
  });

  test('resumes where a client left it', async () => {
    const made = await start(LIVE + FAST);
    const reader = await follow(made, '/events?id=live');
    const events = await reader.until((all) =>
      dataOf<{ phase: string }>(all, 'generator').some(({ phase }) => phase === 'running'),
    );
    await reader.close();
    const last = events.findLast(({ id }) => id !== null)?.id ?? '';
    await made.api('POST', '/generators/live/stop');
    const ending = new AbortController();
    closing.push(() => ending.abort());
    const response = await fetch(`${made.url}/events?id=live`, {
      headers: { 'last-event-id': last },
      signal: ending.signal,
    });
    if (response.body === null) throw new Error('no body');
    const again = eventReader(response.body);
    again.ended.catch(() => {});
    const since = await again.until((all) => dataOf(all, 'generator').length > 0);
    expect(dataOf(since, 'generator')).toMatchObject([{ id: 'live', phase: 'stopped' }]);
    expect(since.some(({ event }) => event === 'reset')).toBe(false);
  });
});

describe('clients that stop reading', () => {
  test('cost bounded memory, disturb no other, and do not hold up the end of the daemon', async () => {
    const made = await start(BIG);
    const resident = async (): Promise<number> =>
      sumOf(await metricsOf(made), 'process_resident_memory_bytes');
    await produced(made, 'big', 1);
    const port = Number(new URL(made.url).port);
    const sockets = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'));
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.write(
        'GET /api/generators/big/tail?rate=1000&max_bytes=100000 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      );
      await once(socket, 'data');
      socket.pause();
    }
    // Of every event each client is due 100 kB: by then their connections have long been full.
    await produced(made, 'big', 150);
    const before = await resident();
    const { event } = await produced(made, 'big', 450);
    const after = await resident();
    process.stderr.write(
      `8 clients that read nothing, ${event.produced} events of 100 kB: resident memory grew by ${((after - before) / 1e6).toFixed(1)} MB meanwhile\n`,
    );
    expect(after - before).toBeLessThan(100_000_000);
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('following the events of a generator', () => {
  test('shows at most the wanted rate of a generator at full speed', async () => {
    const made = await start(FAST);
    await made.api('POST', '/generators/fast/start');
    await produced(made, 'fast', 100_000);
    const from = performance.now();
    const reader = await follow(made, '/generators/fast/tail?rate=1000&max_bytes=64');
    await reader.until((events) => dataOf(events, 'event').length > 2_000);
    const seconds = (performance.now() - from) / 1_000;
    const seen = dataOf<{ text: string; is_cut: boolean }>(reader.events(), 'event');
    await reader.close();
    // The first second's worth may come at once.
    expect(seen.length).toBeLessThanOrEqual(1_000 * (seconds + 1));
    expect(seen.every(({ text }) => /^event \d+$/.test(text))).toBe(true);
    const numbers = seen.map(({ text }) => Number(text.slice('event '.length)));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  test('continues at the next start, and cuts long events', async () => {
    const made = await start(LIVE);
    await produced(made, 'live', 1);
    await made.api('POST', '/generators/live/stop');
    const reader = await follow(made, '/generators/live/tail?rate=5&max_bytes=16');
    await reader.until((events) =>
      dataOf<{ phase: string }>(events, 'state').some(({ phase }) => phase === 'stopped'),
    );
    await made.api('POST', '/generators/live/start');
    const events = await reader.until((all) => dataOf(all, 'event').length >= 3);
    expect(dataOf<{ text: string }>(events, 'event')[0]?.text).toBe('event 1');
    const phases = dataOf<{ phase: string }>(events, 'state').map(({ phase }) => phase);
    expect(phases[0]).toBe('stopped');
    expect(phases).toContain('running');
  });

  test('finds a rare event of a generator at full speed, and says how many events it has looked at', async () => {
    const made = await start(FAST);
    await made.api('POST', '/generators/fast/start');
    await produced(made, 'fast', 50_000);
    const reader = await follow(made, '/generators/fast/tail?find=77777 -777777');
    await reader.until((all) => dataOf(all, 'event').length >= 3);
    const seen = dataOf<{ text: string }>(reader.events(), 'event');
    const counts = dataOf<{ searched: number; skipped: number }>(reader.events(), 'search');
    await reader.close();
    expect(seen.every(({ text }) => /^event \d*77777\d*$/.test(text) && !text.includes('777777'))).toBe(true);
    const last = Number(seen.at(-1)?.text.slice('event '.length));
    const first = Number(seen[0]?.text.slice('event '.length));
    const looked = counts.reduce((sum, { searched, skipped }) => sum + searched + skipped, 0);
    expect(looked).toBeGreaterThan((last - first) / 2);
    expect(counts.some(({ searched }) => searched > 0)).toBe(true);
  });

  test('at one that does not exist is refused', async () => {
    const made = await start(FAST);
    expect((await made.api('GET', '/generators/nobody/tail')).status).toBe(404);
    expect((await made.api('GET', '/generators/fast/tail?rate=1001')).status).toBe(422);
  });
});

describe('logs over WebSockets', () => {
  const open = (made: Instance, path: string) => {
    const socket = new WebSocket(`${made.url.replace('http', 'ws')}${path}`);
    closing.push(() => socket.terminate());
    let text = '';
    let look = (): void => {};
    socket.on('message', (data) => {
      text += String(data);
      look();
    });
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    const until = (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        look = () => {
          if (pattern.test(text)) resolve(text);
        };
        look();
      });
    return { text: () => text, closed, until };
  };

  test('continue over rotations of the file, without a gap', async () => {
    const made = await start(LIVE, 'max_bytes: 4096, backups: 2');
    await produced(made, 'live', 100);
    const { text, until } = open(made, '/generators/live/logs?end_offset=0');
    await until(/line \d+/);
    await eventually(
      async () => ((await readdir(join(made.folder, 'logs'))).includes('generator_live.log.2') ? true : null),
      'the second rotation',
    );
    const rotated = text().length;
    await eventually(async () => (text().length > rotated + 500 ? true : null), 'further lines');
    const numbers = [...text().matchAll(/line (\d+) /g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + 50 * index));
    expect(numbers.length).toBeGreaterThan(10);
  });

  test('show the log of the daemon; unknown generators are refused', async () => {
    const made = await start(`${LIVE}- {id: "", path: live/generator.yml}\n`);
    const { until } = open(made, '/instance/logs/main');
    await until(/an entry of the startup list was skipped/);
    expect(await open(made, '/generators/nobody/logs').closed).toBe(1008);
  });
});

describe('the instance', () => {
  test('describes its machine', async () => {
    const made = await start(FAST);
    const { status, body } = await made.api('GET', '/instance/info');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      node_version: process.versions.node,
      app_version: expect.any(String),
      cpu_percent: expect.any(Number),
      memory_total_bytes: expect.any(Number),
    });
  });

  test('stops when it is asked to: the answer first, then every stream ends, then it exits with 0', async () => {
    const made = await start(LIVE + FAST);
    await produced(made, 'live', 1);
    const events = await follow(made, '/events');
    const tail = await follow(made, '/generators/live/tail');
    const socket = new WebSocket(`${made.url.replace('http', 'ws')}/generators/live/logs`);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    await once(socket, 'message');
    await tail.until((all) => dataOf(all, 'event').length > 0);
    const from = performance.now();
    expect(await made.api('POST', '/instance/stop')).toEqual({ status: 200, body: null });
    await Promise.all([events.ended, tail.ended]);
    expect(await closed).toBe(1001);
    expect(await made.program().exited).toEqual({ code: 0, signal: null });
    process.stderr.write(`stopped with three open streams in ${(performance.now() - from).toFixed(0)} ms\n`);
    expect(made.program().stderr()).toContain('generator stopped');
  });

  test('starts again inside the process, and its streams know that they are of another one', async () => {
    const made = await start(LIVE + FAST);
    const { pid } = made.program().child;
    const before = await follow(made, '/events');
    const events = await before.until((all) => dataOf(all, 'generator').length > 1);
    const last = events.findLast(({ id }) => id !== null)?.id ?? '';
    expect(await made.api('POST', '/instance/restart')).toEqual({ status: 200, body: null });
    await before.ended;
    await made.program().saw(/listens on[\s\S]*listens on/);
    expect(made.program().child.pid).toBe(pid);
    const ending = new AbortController();
    closing.push(() => ending.abort());
    const response = await fetch(`${made.url}/events`, {
      headers: { 'last-event-id': last },
      signal: ending.signal,
    });
    if (response.body === null) throw new Error('no body');
    const again = eventReader(response.body);
    again.ended.catch(() => {});
    const since = await again.until((all) => dataOf(all, 'generator').length > 1);
    expect(since.some(({ event }) => event === 'reset')).toBe(true);
  });

  test('keeps running when it cannot restart, and says why', async () => {
    const made = await start(LIVE);
    const { rename } = await import('node:fs/promises');
    await rename(join(made.folder, 'startup.yml'), join(made.folder, 'moved.yml'));
    const answer = await made.api('POST', '/instance/restart');
    expect(answer).toEqual({
      status: 409,
      body: { detail: expect.stringMatching(/^not restarted: .*startup\.yml/), code: 'wrong_state' },
    });
    await produced(made, 'live', 1);
  });
});
