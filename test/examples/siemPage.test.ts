import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { freePort, runProgram } from '../support/instance.js';
import { startFakeOpensearch } from '../support/servers/fakeOpensearch.js';
import { fakeKafka } from '../support/servers/kafka/fakeKafka.js';
import { type PeerKind, startLogPeer } from '../support/servers/logPeers/logPeer.js';
import { hasRsyslog, NEEDS_RSYSLOG, startRsyslog } from '../support/servers/rsyslogServer.js';
import { startTcpSink } from '../support/servers/tcpSink.js';
import { parseSyslog } from '../support/syslogParser.js';
import { blocksOf, ROOT } from './pages/markdown.js';

/*
 * docs/siem.md: each output of the page replaces that of a library generator, as the page says, and its events arrive
 * at the server that the tests of the output have. Each message of its tables is provoked.
 */

const PAGE = 'docs/siem.md';
const EVENTS = 20;
const SYSLOG = 'Syslog: rsyslog, syslog-ng, QRadar, ArcSight';
/** What the page passes with `--param`. */
const PARAMS = ['token=right', 'user=writer', 'password=right'];

interface Receiver {
  readonly port: number;
  /** Events as the output has sent them. */
  readonly arrived: () => readonly string[];
  readonly control: (state: JsonObject) => unknown;
  readonly end: () => Promise<unknown>;
}

const work = mkdtempSync(join(tmpdir(), 'spate-siem-'));
const folder = join(work, 'fw');
const CONFIG = join(folder, 'generator.yml');
let library = '';

beforeAll(async () => {
  const { exited, stderr } = runProgram(['init', 'fw', '--from', 'network-firewall'], { cwd: work });
  const { code } = await exited;
  if (code !== 0) throw new Error(stderr());
  library = readFileSync(CONFIG, 'utf8');
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

const logReceiver = async (kind: PeerKind, state: JsonObject): Promise<Receiver> => {
  const peer = await startLogPeer(kind, work, state);
  return { ...peer, end: peer.kill };
};

const opensearch = async (): Promise<Receiver> => {
  const server = await startFakeOpensearch();
  server.control({ password: 'right', dataStream: 'logs-firewall-default' });
  return { ...server, arrived: () => linesOf(server.arrived()), end: server.remove };
};

/** Messages of a connection, each after its length, as RFC 6587 counts them. */
const countedMessages = (bytes: Buffer): readonly string[] => {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const end = space + 1 + Number(bytes.toString('latin1', at, space));
    messages.push(bytes.toString('utf8', space + 1, end));
    at = end;
  }
  return messages;
};

const syslog = async (): Promise<Receiver> => {
  const sink = await startTcpSink();
  const arrived = (): readonly string[] => sink.parts().flatMap(countedMessages);
  return { port: sink.port, arrived, control: () => {}, end: sink.close };
};

const kafka = async (): Promise<Receiver> => {
  const cluster = await fakeKafka({ partitions: 3 });
  return {
    port: cluster.ports[0] ?? 0,
    arrived: () => cluster.messages.map(({ value }) => String(value)),
    control: (state) => Object.assign(cluster, state),
    end: cluster.kill,
  };
};

/** By heading of the page. */
const RECEIVERS: Readonly<Record<string, () => Promise<Receiver>>> = {
  Splunk: () => logReceiver('splunk_hec', { use_ack: false }),
  'Elasticsearch and OpenSearch': opensearch,
  'Grafana Loki': () => logReceiver('loki', {}),
  [SYSLOG]: syslog,
  Kafka: kafka,
};

const sections = readFileSync(join(ROOT, PAGE), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ heading: text.slice(0, text.indexOf('\n')), text }));

const OUTPUTS = sections.flatMap(({ heading, text }) =>
  blocksOf({ name: PAGE, text })
    .filter(({ language, lines }) => language === 'yaml' && lines[0] === 'output:')
    .map(({ lines }, index) => ({ heading, index: index + 1, output: lines.join('\n') })),
);
const outputOf = (wanted: string): string => OUTPUTS.find(({ heading }) => heading === wanted)?.output ?? '';

/** Generates with an output of the page, at the port of a receiver instead of the usual one. */
const generate = async (output: string, port: number, ...more: readonly string[]) => {
  const moved = output
    .replace(/https?:\/\/localhost:\d+/, `http://127.0.0.1:${port}`)
    .replace(/localhost:\d+/, `127.0.0.1:${port}`)
    .replace(/port: \d+/, `port: ${port}`);
  writeFileSync(CONFIG, library.slice(0, library.search(/^output:$/m)) + moved);
  const isRead = (param: string): boolean => moved.includes(`\${params.${param.split('=')[0]}}`);
  const params = PARAMS.filter(isRead).flatMap((param) => ['--param', param]);
  const args = ['generate', folder, '--fast', '--limit', String(EVENTS), ...params, ...more];
  const { exited, stderr } = runProgram(args);
  const { code } = await exited;
  return { code, stderr: stderr() };
};

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const startReceiver = async (heading: string): Promise<Receiver> => {
  const receiver = await (RECEIVERS[heading] as () => Promise<Receiver>)();
  closers.push(receiver.end);
  return receiver;
};

const actionOf = (event: string): unknown =>
  (JSON.parse(event) as { event: { action: unknown } }).event.action;

/** Shows that each is one whole event, for the outputs of a section in turn. */
const WHOLE: Readonly<Record<string, readonly ((event: string) => unknown)[]>> = {
  [SYSLOG]: [
    (message) => expect(parseSyslog(message)).toMatchObject({ prival: 134, host: 'fw-01', type: 'CEF' }),
    (message) => {
      const parsed = parseSyslog(message);
      expect(parsed).toMatchObject({ prival: 134, host: 'fw-01', appName: 'firewall' });
      expect(actionOf(parsed.message)).toEqual(expect.any(String));
    },
  ],
};

describe('the outputs of the page about SIEMs', () => {
  test('have a server each', () => {
    expect([...new Set(OUTPUTS.map(({ heading }) => heading))]).toEqual(Object.keys(RECEIVERS));
  });

  test.each(OUTPUTS)(
    '$heading, output $index: all events arrive whole',
    async ({ heading, index, output }) => {
      const receiver = await startReceiver(heading);
      const more = heading === SYSLOG && index === 1 ? ['--param', 'format=plain'] : [];
      const { code, stderr } = await generate(output, receiver.port, ...more);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`: ${EVENTS} written`) });
      const arrived = receiver.arrived();
      expect(arrived).toHaveLength(EVENTS);
      const isWhole =
        WHOLE[heading]?.[index - 1] ?? ((event) => expect(actionOf(event)).toEqual(expect.any(String)));
      for (const event of arrived) isWhole(event);
    },
  );

  (hasRsyslog ? test : test.skip)(`rsyslog writes the lines of the firewall ${NEEDS_RSYSLOG}`, async () => {
    const server = await startRsyslog({ counts: true });
    closers.push(server.remove);
    const { code } = await generate(outputOf(SYSLOG), server.port, '--param', 'format=plain');
    expect(code).toBe(0);
    await server.stop();
    expect(server.lines()).toHaveLength(EVENTS);
    expect(server.lines()[0]).toContain('fw-01 CEF:0|');
  });
});

/** A server and a config that lead to a message of the page; `null`: nothing listens. */
interface Mistake {
  readonly state: JsonObject | null;
  readonly changed?: readonly [from: string, to: string];
}

const REFUSED = 'the connection was refused (ECONNREFUSED)';
const ELASTIC = { password: 'right', dataStream: 'logs-firewall-default' };
const MISTAKES: Readonly<Record<string, Readonly<Record<string, Mistake>>>> = {
  Splunk: {
    'Invalid token (HEC code 4': { state: { token: 'other' } },
    'Incorrect index (HEC code 7': { state: {}, changed: ['source: spate', 'index: secret'] },
    [REFUSED]: { state: null },
  },
  'Elasticsearch and OpenSearch': {
    'Unauthorized (HTTP status 401)': { state: { password: 'other' } },
    'no permissions for [indices:data/write/bulk]': { state: { ...ELASTIC, isReadOnly: true } },
    'only write ops with an op_type of create': {
      state: ELASTIC,
      changed: ['op_type: create', 'op_type: index'],
    },
    mapper_parsing_exception: { state: { ...ELASTIC, unmapped: 'session' } },
    'flood-stage watermark': { state: { ...ELASTIC, isFull: true } },
  },
  'Grafana Loki': {
    'no org id': { state: { tenant: 'lab' } },
    '404 page not found': { state: {}, changed: [':3100', ':3100/loki'] },
    'entry too far behind': { state: { oldest: '9'.repeat(19) } },
  },
  [SYSLOG]: { [REFUSED]: { state: null } },
  Kafka: {
    'the topic does not exist': { state: { topicError: 3 } },
    'the user may not write to the topic': { state: { topicError: 29 } },
    // Port 1 of this machine stands for a name that is not reachable.
    'cannot write to topic firewall': { state: { advertised: [1] } },
  },
};

describe('what Spate says on the page about SIEMs', () => {
  const messages = sections.flatMap(({ heading, text }) => {
    const [, rows = ''] = /^\| Spate says .*\n\|[-|]+\n((?:\|.*\n)*)/m.exec(text) ?? [];
    return [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => ({ heading, message }));
  });

  test('has a mistake each', () => {
    const known = Object.entries(MISTAKES).flatMap(([heading, each]) =>
      Object.keys(each).map((message) => ({ heading, message })),
    );
    expect(messages).toEqual(known);
  });

  test.each(messages)('$heading: $message', async ({ heading, message }) => {
    const { state, changed = ['', ''] }: Mistake = MISTAKES[heading]?.[message] ?? { state: null };
    let port = await freePort();
    if (state !== null) {
      const receiver = await startReceiver(heading);
      await receiver.control(state);
      ({ port } = receiver);
    }
    const output = outputOf(heading).replace(...changed);
    const { code, stderr } = await generate(output, port, '--retry.attempts', '1');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });
});
