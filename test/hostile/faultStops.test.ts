import * as fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { clickhousePlugin } from '../../src/plugins/outputs/clickhouse/plugin.js';
import { filePlugin } from '../../src/plugins/outputs/file/plugin.js';
import { fileFields } from '../../src/plugins/outputs/file/spec.js';
import { httpOutputPlugin } from '../../src/plugins/outputs/http/plugin.js';
import { lokiPlugin } from '../../src/plugins/outputs/loki/plugin.js';
import { opensearchPlugin } from '../../src/plugins/outputs/opensearch/plugin.js';
import { otlpPlugin } from '../../src/plugins/outputs/otlp/plugin.js';
import { hecPlugin } from '../../src/plugins/outputs/splunk_hec/plugin.js';
import { openStream } from '../../src/plugins/outputs/stdout/plugin.js';
import { stdoutFields } from '../../src/plugins/outputs/stdout/spec.js';
import { decode, record } from '../../src/schema/index.js';
import { drink } from '../faults/readers.js';
import { datagramStrikes, endSockets, streamStrikes } from '../faults/socketStrikes.js';
import { OUTPUTS, type OutputName, PEER_FAULTS, type PeerFault, TABLE } from '../faults/table.js';
import { paramsOf } from '../plugins/outputs/clickhouse/support.js';
import { paramsOf as httpParamsOf } from '../plugins/outputs/http/support.js';
import { strickenKafka } from '../plugins/outputs/kafka/stricken.js';
import { lokiParams } from '../plugins/outputs/loki/support.js';
import { strickenMqtt } from '../plugins/outputs/mqtt/stricken.js';
import { strickenNats } from '../plugins/outputs/nats/stricken.js';
import { paramsOf as opensearchParamsOf } from '../plugins/outputs/opensearch/support.js';
import { otlpParams } from '../plugins/outputs/otlp/support.js';
import { strickenPostgres } from '../plugins/outputs/postgresql/stricken.js';
import { strickenRedis } from '../plugins/outputs/redis/stricken.js';
import { openWith as openS3 } from '../plugins/outputs/s3/support.js';
import { hecParams } from '../plugins/outputs/splunk_hec/support.js';
import { newFolder, removeFolders } from '../plugins/outputs/support.js';
import { type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { newPipe, type Pipe } from '../support/pipe.js';
import { hasPrograms, needs } from '../support/programs.js';

type Open = RigOptions['outputs'][number];

/** An output with a fault from `strike` on; `isDead`: it does not open. */
interface Stricken {
  readonly open: Open;
  readonly strike: () => void;
  readonly isDead?: true;
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});
afterAll(removeFolders);
afterAll(endSockets);

const fileAt =
  (path: string): Open =>
  (context) => {
    const decoded = decode(record(fileFields), { path, flush_interval: 0 });
    if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
    return filePlugin.open(decoded.right, { ...context } as never);
  };

const streamOn =
  (fd: number): Open =>
  (context) => {
    const decoded = decode(record(stdoutFields), {});
    if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
    return openStream(fd, decoded.right, { ...context } as never);
  };

const NOTHING = (): void => {};

/** A link to a file, and to `bad` after the strike. */
const linkTo =
  (bad: string) =>
  (folder: string): Stricken => {
    const link = join(folder, 'link');
    fs.symlinkSync(join(folder, 'good'), link);
    return {
      open: fileAt(link),
      strike: () => {
        fs.rmSync(link);
        fs.symlinkSync(bad, link);
        fs.rmSync(join(folder, 'good'), { force: true });
      },
    };
  };

const pipeIn = (folder: string): { readonly pipe: Pipe; readonly path: string } => {
  const pipe = newPipe(folder);
  cleanups.push(pipe.close);
  return { pipe, path: join(folder, String(fs.readdirSync(folder)[0])) };
};

const pipeFaults = (open: (pipe: Pipe, path: string) => Open) => {
  const withReader =
    (act: (pipe: Pipe) => void) =>
    (folder: string): Stricken => {
      const { pipe, path } = pipeIn(folder);
      return { open: open(pipe, path), strike: () => act(pipe) };
    };
  return {
    'reset mid-batch': withReader((pipe) => {
      pipe.take();
      fs.closeSync(pipe.readFd);
    }),
    slow: withReader((pipe) => {
      const reader = drink(pipe.readFd, 512);
      cleanups.unshift(() => void reader.stop());
    }),
    hung: withReader(NOTHING),
  };
};

const onFd = (path: string, flags: string, isDead?: true) => (): Stricken => {
  const fd = fs.openSync(path, flags);
  cleanups.push(() => fs.closeSync(fd));
  return { open: streamOn(fd), strike: NOTHING, ...(isDead === undefined ? {} : { isDead }) };
};

let server: Server;
/** Answer of the server to an insert; `null`: none. */
let answer: { readonly status: number; readonly body: string } | null | 'reset' = { status: 200, body: '' };

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('error', NOTHING);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.method === 'GET') return response.end('{}');
      if (Buffer.concat(parts).toString('utf8').startsWith('EXISTS')) return response.end('1');
      if (answer === 'reset') return request.socket.destroy();
      if (answer === null) return undefined;
      response.statusCode = answer.status;
      return response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const clickhouseAt =
  (port: number): Open =>
  (context) =>
    clickhousePlugin.open(paramsOf({ host: '127.0.0.1', port, database: 'default', table: 'events' }), {
      ...context,
    } as never);

const httpAt =
  (port: number): Open =>
  (context) =>
    httpOutputPlugin.open(httpParamsOf({ url: `http://127.0.0.1:${port}/`, batching: 'joined' }), {
      ...context,
    } as never);

const opensearchAt =
  (port: number): Open =>
  (context) =>
    opensearchPlugin.open(opensearchParamsOf({ hosts: [`http://127.0.0.1:${port}`], index: 'events' }), {
      ...context,
    } as never);

const serverThat =
  (next: typeof answer, openAt = clickhouseAt) =>
  (): Stricken => {
    answer = { status: 200, body: '' };
    const { port } = server.address() as AddressInfo;
    return {
      open: openAt(port),
      strike: () => {
        answer = next;
      },
    };
  };

const exception = (code: number): typeof answer => ({
  status: 500,
  body: `Code: ${code}, e.displayText() = DB::Exception: as the test wants it`,
});

/** Outputs of logs over HTTP: the server of these tests takes what it gets. */
const logsThat = (open: (url: string, context: never) => ReturnType<Open>) => {
  const that = (next: typeof answer) => (): Stricken => {
    answer = { status: 200, body: '' };
    return {
      open: (context) =>
        open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { ...context } as never),
      strike: () => {
        answer = next;
      },
    };
  };
  return {
    refused: that({ status: 503, body: 'no server is available' }),
    'reset mid-batch': that('reset'),
    slow: that(null),
    hung: that(null),
    'server error': that({ status: 503, body: 'busy' }),
    'auth error': that({ status: 401, body: 'who are you' }),
    'disk full': that({ status: 503, body: 'no space left on device' }),
    permission: that({ status: 403, body: 'not for you' }),
  };
};

/** The simplest form of each fault of the table. */
const STRICKEN: Readonly<Record<OutputName, Partial<Record<PeerFault, (folder: string) => Stricken>>>> = {
  file: {
    ...pipeFaults((_pipe, path) => fileAt(path)),
    refused: linkTo('/proc/self/status/no-folder'),
    'server error': linkTo('/proc/self/mem'),
    'disk full': linkTo('/dev/full'),
    permission: linkTo('/proc/version'),
  },
  stdout: {
    ...pipeFaults((pipe) => streamOn(pipe.writeFd)),
    refused: () => ({ open: streamOn(987_654), strike: NOTHING, isDead: true }),
    'disk full': onFd('/dev/full', 'w'),
    permission: onFd('/dev/null', 'r', true),
  },
  clickhouse: {
    refused: serverThat({ status: 503, body: 'no server is available' }),
    'reset mid-batch': serverThat('reset'),
    slow: serverThat(null),
    hung: serverThat(null),
    'server error': serverThat(exception(252)),
    'auth error': serverThat(exception(516)),
    'disk full': serverThat(exception(243)),
    permission: serverThat(exception(497)),
  },
  http: {
    refused: serverThat({ status: 503, body: 'no server is available' }, httpAt),
    'reset mid-batch': serverThat('reset', httpAt),
    slow: serverThat(null, httpAt),
    hung: serverThat(null, httpAt),
    'server error': serverThat({ status: 500, body: '' }, httpAt),
    'auth error': serverThat({ status: 401, body: '' }, httpAt),
    'disk full': serverThat({ status: 507, body: '' }, httpAt),
    permission: serverThat({ status: 403, body: '' }, httpAt),
  },
  opensearch: {
    refused: serverThat({ status: 503, body: 'no server is available' }, opensearchAt),
    'reset mid-batch': serverThat('reset', opensearchAt),
    slow: serverThat(null, opensearchAt),
    hung: serverThat(null, opensearchAt),
    'server error': serverThat({ status: 500, body: '' }, opensearchAt),
    'auth error': serverThat({ status: 401, body: '' }, opensearchAt),
    'disk full': serverThat({ status: 429, body: '' }, opensearchAt),
    permission: serverThat({ status: 403, body: '' }, opensearchAt),
  },
  syslog: streamStrikes('syslog'),
  tcp: streamStrikes('tcp'),
  udp: datagramStrikes(),
  kafka: strickenKafka((end) => void cleanups.push(end)),
  mqtt: strickenMqtt((close) => void cleanups.push(close)),
  nats: strickenNats((close) => void cleanups.push(close)),
  postgresql: strickenPostgres((close) => void cleanups.push(close)),
  redis: strickenRedis((close) => void cleanups.push(close)),
  loki: logsThat((url, context) => lokiPlugin.open(lokiParams({ url }), context)),
  otlp: logsThat((url, context) => otlpPlugin.open(otlpParams({ url }), context)),
  s3: logsThat((endpoint, context) => openS3({ endpoint }, context)),
  splunk_hec: logsThat((url, context) => hecPlugin.open(hecParams({ url, token: 'right' }), context)),
};

/** Real time without an event after which production counts as stopped. */
const STILL_MS = 150;

/** Resolves when the fault shows: a failure, no progress, or the end of the run. */
const hasStruck = (rig: Rig): Promise<unknown> => {
  const before = rig.count('written');
  let last = { produced: rig.produced(), atMs: performance.now() };
  const shows = (): boolean => {
    if (rig.produced() !== last.produced) last = { produced: rig.produced(), atMs: performance.now() };
    const failed = rig.count('retries') + rig.count('dead_lettered') + rig.count('write_failed');
    const isStill = performance.now() - last.atMs > STILL_MS;
    return failed > 0 || isStill || rig.count('written') > before + 5_000;
  };
  return Promise.race([rig.ended, rig.until('the fault', shows)]);
};

const CELLS = OUTPUTS.flatMap((output) =>
  PEER_FAULTS.filter((fault) => 'made' in TABLE[output][fault]).map((fault) => ({ output, fault })),
);

/** Cells whose listener has certificates. */
const needsOpenssl = ({ output, fault }: (typeof CELLS)[number]): boolean =>
  fault === 'auth error' && (output === 'tcp' || output === 'syslog');
const hasOpenssl = hasPrograms('openssl');

describe.each([
  ['with dead letters', true],
  ['without dead letters', false],
] as const)('a stop that is given up %s', (_name, hasLetters) => {
  const stops = async (cell: (typeof CELLS)[number]): Promise<void> => {
    const make = STRICKEN[cell.output][cell.fault];
    if (make === undefined) throw new Error(`no test makes the fault of ${JSON.stringify(cell)}`);
    const folder = newFolder();
    const { open, strike, isDead } = make(folder);
    const rig = startRig({ folder: newFolder(), outputs: [open], hasLetters });
    if (isDead === undefined) {
      await rig.until('the first events', () => rig.produced() > 0);
      strike();
      await hasStruck(rig);
    }
    const ended = rig.drain();
    rig.abort();
    await ended;
    const { produced, sums } = rig.account();
    if (isDead === undefined) expect(produced).toBeGreaterThan(0);
    expect(sums).toEqual([produced]);
    if (hasLetters) expect(rig.count('abandoned')).toBe(0);
    else expect(rig.count('dead_lettered')).toBe(0);
    expect(rig.letters()).toHaveLength(rig.count('dead_lettered'));
  };
  test.each(CELLS.filter((cell) => !needsOpenssl(cell)))(
    '$output x $fault: every produced event is in one counter',
    stops,
  );
  (hasOpenssl ? test : test.skip).each(CELLS.filter(needsOpenssl))(
    `$output x $fault: every produced event is in one counter ${needs('openssl')}`,
    stops,
  );

  test.each(['file', 'stdout', 'clickhouse', 'http', 'opensearch', 's3', 'syslog', 'tcp'] as const)(
    'of an %s output that hangs leaves its events to the dead letters, or abandons them',
    async (output) => {
      const { open, strike } = STRICKEN[output].hung?.(newFolder()) ?? {
        open: streamOn(-1),
        strike: NOTHING,
      };
      strike();
      const rig = startRig({ folder: newFolder(), outputs: [open], hasLetters });
      // A sink that its output opens.
      await rig.until('the first events', () => rig.produced() > 0);
      strike();
      await rig.isHeldBack();
      const ended = rig.drain();
      rig.abort();
      await ended;
      expect(rig.count(hasLetters ? 'dead_lettered' : 'abandoned')).toBeGreaterThan(0);
      expect(rig.count('write_failed')).toBe(0);
      expect(rig.account().sums).toEqual([rig.produced()]);
    },
  );
});
