import { connect } from 'node:net';
import { Readable } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import { drawToken } from '../../src/adapters/entropy.js';
import { systemClock } from '../../src/adapters/systemClock.js';
import { generatorParamsShape, startupEntryShape } from '../../src/config/startup/shape.js';
import { type ContractShapes, makeContract } from '../../src/contract/contract.js';
import type { Upload } from '../../src/domain/directory.js';
import { failure, type SpateError } from '../../src/domain/errors.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../src/domain/generator.js';
import { isJsonObject } from '../../src/domain/json.js';
import type { Auth } from '../../src/http/access/auth.js';
import { type HttpServer, makeServer, type ServerConfig } from '../../src/http/listener/server.js';
import type { Ask, Requests } from '../../src/messages/ask.js';
import type { Uploads } from '../../src/ports/files.js';
import type { Log } from '../../src/ports/log.js';
import {
  defaulted,
  integer,
  listOf,
  oneKeyOf,
  oneOf,
  optional,
  record,
  required,
  taggedBy,
  text,
} from '../../src/schema/index.js';

import { LOOKED_AT } from './requests/worldAnswers.js';

const help = { help: 'A field of a test.' };

const cron = record({
  expression: required(text({ minLength: 1 }), help),
  count: required(integer({ min: 1 }), help),
  tags: defaulted(listOf(text()), [], help),
  start: optional(text(), help),
});
const inputs = listOf(oneKeyOf({ cron }));
const script = record({ path: required(text({ minLength: 1 }), help) });
const stdout = record({ formatter: optional(record({ format: required(text(), help) }), help) });

/** Declarations as small as they can be while every kind of problem can occur. */
export const SHAPES: ContractShapes = {
  inputs,
  event: oneKeyOf({ script }),
  formatter: taggedBy('format', {
    plain: record({}),
    json: record({ indent: defaulted(integer({ min: 0 }), 0, help) }),
  }),
  generatorConfig: record({
    input: required(inputs, help),
    event: required(oneKeyOf({ script }), help),
    output: required(listOf(oneKeyOf({ stdout })), help),
  }),
  generatorPatch: record({
    input: optional(inputs, help),
    event: optional(oneKeyOf({ script }), help),
    output: optional(listOf(oneKeyOf({ stdout })), help),
  }),
  output: oneKeyOf({ stdout }),
  generatorParams: generatorParamsShape,
  startupEntry: startupEntryShape,
  settings: record({
    server: required(record({ port: defaulted(integer({ min: 1, max: 65_535 }), 9474, help) }), help),
    generation: required(record({ timezone: defaulted(text(), 'UTC', help) }), help),
    log: required(record({ level: defaulted(oneOf(['debug', 'info']), 'info', help) }), help),
    path: required(record({ logs: required(text(), help) }), help),
  }),
};

export const VERSION = '1.2.3';
export const CONTRACT = makeContract(SHAPES, VERSION);

export const CONFIG = {
  input: [{ cron: { expression: '* * * * *', count: 1 } }],
  event: { script: { path: 'produce.js' } },
  output: [{ stdout: { formatter: { format: 'plain' } } }],
};
export const SETTINGS = { server: {}, generation: {}, log: {}, path: { logs: 'logs' } };

export interface Asked {
  readonly type: keyof Requests;
  readonly payload: unknown;
}

type Answers = { [K in keyof Requests]?: Requests[K]['answer'] };

/** An owner of everything that remembers what it was asked; `refuse` makes it answer Left. */
export interface FakeOwner {
  readonly ask: Ask;
  readonly asked: Asked[];
  refuse: SpateError | null;
  answers: Answers;
}

const STATUS = {
  is_initializing: false,
  is_running: true,
  is_ended_up: false,
  is_ended_up_successfully: false,
  is_stopping: false,
  phase: 'running',
  reason: null,
  error_code: null,
  restarts: 0,
  health: 'ok',
  health_reason: null,
  remedy: null,
} as const;

const PARAMS: Requests['generators.read']['answer'] = {
  id: 'g',
  path: '/x/generator.yml',
  live_mode: true,
  skip_past: true,
  from: null,
  params: {},
  seed: null,
  timezone: 'UTC',
  batch: { size: 1, delay: null },
  queue: { max_timestamp_batches: 1, max_event_batches: 1 },
  keep_order: false,
  max_concurrency: 1,
  write_timeout: 10,
  retry: { attempts: 5, base_delay: 0.2, max_delay: 5 },
  template_limits: DEFAULT_TEMPLATE_LIMITS,
  checkpoint: false,
  isolation: 'thread',
};

export const STARTUP_ENTRY = {
  ...PARAMS,
  path: 'web/generator.yml',
  autostart: true,
  scenarios: ['s'],
  partitions: 1,
  runs_on: {},
};

const STATS: Requests['generators.stats']['answer'] = {
  id: 'g',
  start_time: '2026-01-01T00:00:00Z',
  input: [{ plugin_name: 'cron', plugin_id: 1, generated: 3 }],
  event: {
    plugin_name: 'script',
    plugin_id: 1,
    produced: 3,
    produced_before: 0,
    produce_failed: 0,
    dropped: 0,
  },
  output: [
    {
      plugin_name: 'stdout',
      plugin_id: 1,
      written: 3,
      write_failed: 0,
      format_failed: 0,
      dead_lettered: 0,
      abandoned: 0,
      filtered: 0,
      retries: 0,
      bytes: 9,
    },
  ],
  total_generated: 3,
  total_written: 3,
  total_abandoned: 0,
  uptime: 1.5,
  input_eps: 2,
  output_eps: 2,
  low_water_mark: 1,
  lateness_ms: { p50: 0.1, p99: 0.2, max: 0.3, buckets: [] },
  delivery_lag_ms: { p50: 0.1, p99: 0.2, buckets: [] },
};

const BULK_START = {
  running_generator_ids: ['g'],
  non_running_generator_ids: ['h'],
  reasons: { h: 'there is no generator "h"' },
};

export const CLUSTER: NonNullable<Requests['cluster.read']['answer']> = {
  name: 'spate',
  node: 'a.1',
  phase: 'member',
  is_connected: true,
  state_age_seconds: 1,
  lease_seconds: 15,
  nodes: [
    {
      name: 'a.1',
      phase: 'member',
      api: null,
      version: '1.2.3',
      capacity: 1.5,
      labels: { disk: 'fast' },
      generators: 2,
      events_per_second: 1_000,
      cpu: 0.5,
      seen_seconds_ago: 1,
      is_drained: false,
      refused: [{ reason: 'no such plugin', tasks: ['g-h'] }],
      problems: ['NATS does not permit its user to publish to "a". Correct the permissions.'],
    },
  ],
  tasks: [
    {
      name: 'g-g',
      generator_ids: ['g'],
      scenarios: ['s'],
      node: 'a.1',
      owner: 'a.1',
      since: '2026-01-01T00:00:00.000Z',
      problem: null,
    },
    {
      name: 'g-h',
      generator_ids: ['h'],
      scenarios: [],
      node: null,
      owner: null,
      since: null,
      problem: 'no node can take it (a.1: refuses it: no such plugin)',
    },
  ],
  counters: {
    takeovers: 1,
    last_takeover_ms: 120,
    moves: 2,
    isolations: 0,
    bucket_reads: 10,
    bucket_writes: 20,
  },
};

/** What previews answer. */
export const PREVIEWED = {
  timestamps: { total: 0 },
  produce: {
    events: ['one'],
    errors: [{ index: 1, message: 'no such luck', context: { file_path: 'x.js' } }],
    exhausted: true,
  },
  state: { a: null },
  format: { events: ['{}'], formatted_count: 1, errors: [{ message: 'is no JSON', original_event: 'x' }] },
  normalize: '2026-01-01T00:00:00+00:00',
  logTimes: { lines: 0, candidates: [], checked: null, flaws: [] },
  learned: {
    generator: 'learned',
    records: 2,
    bytes: 8,
    is_cut: false,
    left_out: { too_long: 0, binary: 0, bad_characters: 0 },
    formats: [['lines', 2]],
    header: null,
    times: null,
    undated: { count: 0, first: null },
    warnings: [],
    rate: null,
    templates: [{ name: 'a', count: 2, format: 'lines', fields: ['a'] }],
    relations: 0,
    copied: 0,
    replaced: { user: 1 },
    comparison: {
      events: 30_000,
      unmatched: 0,
      failed: 0,
      fields: [
        {
          name: 'a',
          kind: 'pool',
          share: 1,
          distinct: { log: 2, generated: 2 },
          difference: 0.001,
          is_by_rank: false,
        },
      ],
      worst: { enumeration: 0.001, number: 0 },
      rate: { log: null, generated: 1 },
      gaps: null,
    },
    seed: 's',
    examples: [{ template: 'a', count: 2, records: ['a 1'], events: ['a 2'] }],
    config: 'input: []',
    files: { 'README.md': '# learned' },
  },
};

/** Text as a preview thread sends it, in two pieces. */
async function* previewBytes(answer: unknown): AsyncGenerator<Uint8Array> {
  const text = JSON.stringify(answer);
  yield Buffer.from(text.slice(0, 3));
  yield Buffer.from(text.slice(3));
}

async function* streamed(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('PK');
}

const endless = () => Object.assign(streamed(), { over: new AbortController().signal });

const INFO: Requests['instance.info']['answer'] = {
  app_version: '1.2.3',
  python_version: 'Node.js 20.12.0',
  python_implementation: 'Node.js',
  python_compiler: 'V8 11.3',
  node_version: '20.12.0',
  v8_version: '11.3',
  uv_version: '1.46.0',
  platform: 'Linux',
  host_name: 'here',
  host_ip_v4: '127.0.0.1',
  boot_timestamp: 1,
  cpu_count: null,
  cpu_frequency_mhz: 0,
  cpu_percent: 1.5,
  memory_total_bytes: 3,
  memory_used_bytes: 1,
  memory_available_bytes: 2,
  network_sent_bytes: null,
  network_received_bytes: null,
  disk_written_bytes: 4,
  disk_read_bytes: 5,
  uptime: 1.5,
};

export const FILE_VERSION: Requests['configs.versions']['answer'][number] = {
  version: '1767225600000',
  path: 'a/b.txt',
  at: '2026-01-01T00:00:00.000Z',
  size_bytes: 4,
  user: 'ada',
  what: 'replaced',
};

/** An answer of every kind, as an owner gives it; streams are new for each server. */
const INCIDENT_ITEM: Requests['incidents.list']['answer'][number] = {
  name: 'data-theft',
  summary: 'Knocks, then takes.',
  duration: 60,
  state: 'running',
  position: -0.5,
  problem: null,
};

const INCIDENT_RUN: Requests['incidents.start']['answer'] = {
  seed: '7',
  started_at: '2026-01-01T00:00:00Z',
  round: 1,
  rounds: 3,
};

const LIBRARY_ITEM: Requests['library.list']['answer'][number] = {
  name: 'web-access',
  summary: 'Requests to a web site.',
  category: 'web',
  event_bytes: 1_200,
  templates: 2,
  parameters: [{ name: 'rate', default: 2, help: 'Requests a second.' }],
  anomalies: [{ name: 'scan', help: 'Many 404 from one address.' }],
  detections: ['Many 404 from one source'],
};

export const defaultAnswers = (): Answers => ({
  'configs.list': [{ name: 'web' }],
  'configs.create': null,
  'configs.read': { config: CONFIG, etag: 'c1' },
  'configs.update': { etag: 'c2' },
  'configs.globals_usage': {
    writes: [{ key: 'k', template: 'a.jinja' }],
    reads: [],
    warnings: [{ type: 'dynamic_key', template: 'a.jinja' }],
    knobs: [],
  },
  'configs.tree': [{ name: 'a', is_dir: true, children: [{ name: 'b', is_dir: false, children: [] }] }],
  'configs.delete': null,
  'configs.path': 'web/generator.yml',
  'configs.read_file': {
    chunks: Readable.from([Buffer.from('PK')]),
    size_bytes: 2,
    etag: '"f1"',
    isText: true,
  },
  'configs.import': null,
  'configs.create_file': { etag: '"f2"' },
  'configs.replace_file': { etag: '"f3"' },
  'configs.delete_file': null,
  'configs.make_directory': null,
  'configs.move_file': null,
  'configs.copy_file': null,
  'configs.versions': [FILE_VERSION],
  'configs.read_version': { ...FILE_VERSION, text: 'text' },
  'library.list': [LIBRARY_ITEM],
  'incidents.list': [INCIDENT_ITEM],
  'incidents.read': {
    ...INCIDENT_ITEM,
    text: 'duration: 1m',
    entities: { thief: { ip: '198.51.100.7' } },
    timeline: [
      {
        phase: 'knock',
        number: 1,
        of: 2,
        from: 10,
        to: 20,
        effects: [{ member: 'door', effect: '5 events' }],
        expected: 5,
      },
    ],
    members: [{ name: 'door', path: 'door/generator.yml', generator_id: null, phase: null }],
    run: INCIDENT_RUN,
    last: { at: '2026-01-01T00:00:00Z', outcome: 'finished', reason: null },
  },
  'incidents.truth': {
    lines: ['{"event":1,"incident":"data-theft"}'],
    next: '37-0',
    is_anew: false,
    is_more: false,
    problem: null,
  },
  'incidents.start': INCIDENT_RUN,
  'incidents.pause': null,
  'incidents.resume': null,
  'incidents.jump': null,
  'incidents.stop': null,
  'incidents.write': null,
  'incidents.delete': null,
  'library.read': {
    ...LIBRARY_ITEM,
    files: [
      { path: 'generator.yml', size_bytes: 1, text: 'a' },
      { path: 'b.bin', size_bytes: 2, text: null },
    ],
  },
  'destinations.list': [{ name: 'siem', plugin: 'stdout', error: null, used_by: ['web'] }],
  'destinations.read': { output: { stdout: { formatter: { format: 'plain' } } }, etag: '"d1"' },
  'destinations.write': { etag: '"d2"' },
  'destinations.delete': null,
  'destinations.check': { kind: 'stdout', error: null },
  'worlds.list': [
    { name: 'acme', people: 350, hosts: 373, error: null, used_by: ['web'] },
    { name: 'broken', people: null, hosts: null, error: 'people must be at least 1', used_by: [] },
  ],
  'worlds.ask': previewBytes(LOOKED_AT.contents),
  'library.copy': { name: 'my-web', path: 'my-web/generator.yml' },
  'preview.timestamps': previewBytes(PREVIEWED.timestamps),
  'preview.open': null,
  'preview.produce': previewBytes(PREVIEWED.produce),
  'preview.state': previewBytes(null),
  'preview.release': null,
  'preview.format': previewBytes(PREVIEWED.format),
  'preview.normalize': previewBytes(PREVIEWED.normalize),
  'preview.learn': previewBytes(PREVIEWED.learned),
  'preview.log_times': previewBytes(PREVIEWED.logTimes),
  'secrets.list': ['a', 'b'],
  'secrets.read': 'the "value"',
  'secrets.set': null,
  'secrets.remove': null,
  'secrets.rename': null,
  'secrets.references': [{ kind: 'generator', file: 'web/generator.yml' }],
  'globals.read': { globals: { a: null }, etag: 'v1' },
  'globals.change': { etag: 'v2' },
  'globals.history': [
    {
      number: 1,
      at: '2026-01-01T00:00:00Z',
      user: 'local',
      kind: 'patch',
      keys: [{ key: 'a', old: null, new: { value: [1], is_cut: false } }],
      more_keys: 0,
    },
  ],
  'generators.history': [
    {
      at: '2026-01-01T00:00:00Z',
      first_at: '2026-01-01T00:00:00Z',
      count: 2,
      phase: 'failed',
      reason: 'no',
      error_code: 'bug',
    },
  ],
  'generators.check_outputs': [
    { kind: 'stdout', error: null },
    { kind: 'tcp', error: failure('output_failed', 'refused') },
  ],
  'globals.read_key': { value: null, etag: 'v1' },
  'scenarios.list': ['a', 'b'],
  'scenarios.read': { name: 's', generator_ids: ['g'] },
  'scenarios.delete': null,
  'scenarios.rename': null,
  'scenarios.join': null,
  'scenarios.leave': null,
  'generators.create': null,
  'generators.replace': null,
  'generators.delete': null,
  'generators.rename': null,
  'generators.restart': true,
  'generators.stats_running': [STATS],
  'generators.bulk_start': BULK_START,
  'generators.bulk_restart': BULK_START,
  'generators.bulk_stop': null,
  'generators.bulk_delete': null,
  'startup.entries': [STARTUP_ENTRY],
  'startup.invalid': [{ id: 'g', position: 1, autostart: true, reason: 'startup.yml:1:1', written: 'g' }],
  'startup.read': { entry: STARTUP_ENTRY, etag: '"e1"' },
  'startup.create': null,
  'startup.replace': { etag: '"e2"' },
  'startup.delete': null,
  'startup.bulk_delete': ['g'],
  'generators.list': [
    { id: 'g', path: 'web/generator.yml', status: STATUS, start_time: null, scenarios: [] },
  ],
  'generators.read': PARAMS,
  'generators.status': STATUS,
  'generators.stats': STATS,
  'generators.start': true,
  'generators.patch': null,
  'dead_letters.list': [
    {
      output: '1-file',
      letters: 2,
      bytes: 200,
      torn: 0,
      oldest: '2026-01-01T00:00:00+00:00',
      newest: '2026-01-02T00:00:00+00:00',
      reasons: [{ code: 'output_failed', reason: 'the disk is full', letters: 2 }],
    },
  ],
  'dead_letters.read': {
    letters: [
      { at: '2026-01-01T00:00:00+00:00', code: 'output_failed', reason: 'the disk is full', event: 'a' },
    ],
    next_offset: 3,
  },
  'dead_letters.resend': [
    {
      output: '1-file',
      sent: 1,
      refused: 1,
      reason: 'too wide',
      error_code: 'rejected',
      is_down: false,
      is_done: true,
    },
  ],
  'dead_letters.purge': [{ output: '1-file', removed: 2, left: 1 }],
  'generators.stop': null,
  'settings.read': { settings: SETTINGS, etag: 's1' },
  'settings.write': { etag: 's2' },
  'instance.health': { status: 'ok', uptime_seconds: 1 },
  'instance.info': INFO,
  'instance.stop': null,
  'instance.restart': null,
  'cluster.read': CLUSTER,
  'cluster.drain': null,
  'cluster.remove': null,
  'observe.ready': { status: 'ready', expected: 2, up: 2 },
  'observe.metrics': streamed(),
  'observe.events': endless(),
  'observe.tail': endless(),
  'observe.tails': endless(),
  'observe.log': { kind: 'empty' },
  'observe.series': {
    ...{ from_ms: 1_767_225_600_000, step_ms: 10_000, covered_ms: [0, 9_500], lateness_p50_micros: [0, 15] },
    ...{
      lateness_p99_micros: [0, 1_023],
      delivery_lag_micros: [0, 31],
      queue_batches: [0, 2],
      busy_permille: [0, 125],
    },
    ...{ produced: [0, 5], written: [0, 4], failed: [0, 1], dead_lettered: [0, 0] },
  },
  'observe.busiest': [
    {
      id: 'web',
      part: {
        ...{ from_ms: 1_767_225_600_000, step_ms: 10_000, covered_ms: [9_500], produced: [5], written: [4] },
        ...{ failed: [1], dead_lettered: [0], lateness_p50_micros: [15], lateness_p99_micros: [1_023] },
        ...{ delivery_lag_micros: [31], queue_batches: [2], busy_permille: [125] },
      },
    },
  ],
  'observe.audit': {
    entries: [
      {
        at: '2026-01-01T00:00:00.000Z',
        user: 'ann',
        client: '127.0.0.1',
        operation: 'login',
        target: '/auth/login',
        status: 200,
      },
    ],
    next_offset: null,
  },
});

/** A payload without the signal of its upload, which differs in each request. */
const withoutSignal = (payload: unknown): unknown => {
  if (!isJsonObject(payload) || !isJsonObject(payload['upload'])) return payload;
  const { gone: _gone, ...upload } = payload['upload'];
  return { ...payload, upload };
};

export const fakeOwner = (): FakeOwner => {
  const owner: FakeOwner = {
    asked: [],
    refuse: null,
    answers: defaultAnswers(),
    ask: async (type, payload) => {
      owner.asked.push({ type, payload: withoutSignal(payload) });
      if (owner.refuse !== null) return E.left(owner.refuse);
      // The one request whose answer has two forms: a whole state, or nothing.
      if (
        type === 'preview.state' &&
        (payload as Requests['preview.state']['payload']).action.kind === 'read'
      )
        return E.right(previewBytes(PREVIEWED.state) as Requests[typeof type]['answer']);
      // Each kind of question has its answer.
      if (type === 'worlds.ask')
        return E.right(
          previewBytes(
            LOOKED_AT[(payload as Requests['worlds.ask']['payload']).kind],
          ) as Requests[typeof type]['answer'],
        );
      return E.right(owner.answers[type] as Requests[typeof type]['answer']);
    },
  };
  return owner;
};

export interface LogLine {
  readonly level: string;
  readonly message: string;
}

export const memoryLog = (): Log & { readonly lines: LogLine[] } => {
  const lines: LogLine[] = [];
  const log: Log = { write: (level, message) => void lines.push({ level, message }), with: () => log };
  return { ...log, lines };
};

export interface MemoryUploads extends Uploads {
  /** What is stored and not thrown away. */
  readonly kept: Set<Upload>;
  /** Resolves when something that ends so has come in. */
  readonly seen: (end: string) => Promise<void>;
  /** Called when a source has ended, well or not. */
  onEnd: () => void;
}

/** Uploads in memory: `file` is the content itself, as text. */
export const memoryUploads = (): MemoryUploads => {
  const kept = new Set<Upload>();
  let text = '';
  let look = (): void => {};
  const memory: MemoryUploads = {
    kept,
    onEnd: () => {},
    seen: (end) =>
      new Promise((resolve) => {
        look = () => {
          if (text.endsWith(end)) resolve();
        };
        look();
      }),
    receive: async (chunks, limit_bytes) => {
      const received: Uint8Array[] = [];
      let size_bytes = 0;
      try {
        for await (const chunk of chunks) {
          received.push(chunk);
          text = Buffer.from(chunk).toString('latin1');
          look();
          size_bytes += chunk.length;
          if (size_bytes > limit_bytes) return E.left(failure('too_large', 'The file is too large.'));
        }
      } catch {
        return E.left(failure('unavailable', 'The client went away.'));
      } finally {
        memory.onEnd();
      }
      const upload: Upload = { file: Buffer.concat(received).toString('latin1'), size_bytes };
      kept.add(upload);
      return E.right(upload);
    },
    discard: async (upload) => void kept.delete(upload),
  };
  return memory;
};

export interface TestServer {
  readonly owner: FakeOwner;
  readonly uploads: MemoryUploads;
  readonly server: HttpServer;
  readonly port: number;
  readonly url: string;
  readonly log: ReturnType<typeof memoryLog>;
}

export const LOCAL: Auth = { kind: 'none', isRemoteAllowed: false };

/** A server on a free port of the loopback interface. Stop it in the test that started it. */
export const startServer = async (config: Partial<ServerConfig> = {}): Promise<TestServer> => {
  const owner = fakeOwner();
  const log = memoryLog();
  const uploads = memoryUploads();
  const server = makeServer({
    host: '127.0.0.1',
    port: 0,
    auth: LOCAL,
    tls: null,
    drawToken,
    routes: CONTRACT.routes,
    openapi: CONTRACT.openapi,
    ask: owner.ask,
    uploads,
    log,
    clock: systemClock,
    version: VERSION,
    ...config,
  });
  const started = await server.start();
  if (E.isLeft(started)) throw new Error(started.left.message);
  const { port } = started.right;
  return { owner, uploads, server, port, url: `http://127.0.0.1:${port}`, log };
};

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are and reads until the server closes: for requests that no client library makes. */
export const sendRaw = (port: number, request: string): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...body] = received.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head, body: body.join('\r\n\r\n') });
    });
  });

/** A GET (or other) of a raw path on a connection of its own. */
export const rawRequest = (port: number, method: string, path: string, headers: readonly string[] = []) =>
  sendRaw(
    port,
    [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n'),
  );

/** A service of one user, who is admin. */
export const oneUser = (user: string, password: string): Auth => ({
  kind: 'accounts',
  accounts: [{ user, role: 'admin', password, token: null }],
});

/** A promise with its resolver: tests wait for what happens, not for time. */
export const signal = (): { readonly done: Promise<void>; readonly fire: () => void } => {
  let fire = (): void => {};
  const done = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { done, fire };
};
