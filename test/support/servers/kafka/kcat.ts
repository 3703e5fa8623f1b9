import * as fs from 'node:fs';
import { type ChildProcess, hasPrograms, needs, spawn } from '../../programs.js';

/** Whether Debian's kcat is installed; tests that need it say so in their name. */
export const hasKcat = hasPrograms('kcat');
export const NEEDS_KCAT = needs('kcat');

/** A message as librdkafka's consumer printed it. */
export interface ConsumedMessage {
  readonly partition: number;
  readonly offset: number;
  readonly timestamp_ms: number;
  readonly key: string;
  readonly headers: string;
  readonly value: string;
}

/** librdkafka's mock brokers, with its consumer of one topic, in one kcat process. */
export interface MockCluster {
  readonly servers: readonly string[];
  readonly messages: readonly ConsumedMessage[];
  /** What the brokers and the consumer said. */
  readonly log: () => string;
  /** Resolves when the consumer has printed so many messages. */
  readonly consumed: (count: number) => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly end: () => Promise<void>;
}

const LIMIT_MS = 30_000;
const POLL_MS = 5;

const eventually = async (what: string, holds: () => boolean): Promise<void> => {
  const until = Date.now() + LIMIT_MS;
  while (!holds()) {
    if (Date.now() > until) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

/** Starts the brokers; the consumer checks the CRC of each batch. */
export const startMock = async (topic: string, brokers = 3): Promise<MockCluster> => {
  const messages: ConsumedMessage[] = [];
  let said = '';
  let rest = '';
  const child: ChildProcess = spawn(
    'kcat',
    [
      ...['-C', '-u', '-b', 'mock', '-t', topic, '-d', 'mock', '-X', `test.mock.num.brokers=${brokers}`],
      ...['-X', 'check.crcs=true', '-X', 'fetch.wait.max.ms=10'],
      ...['-f', '%p\\t%o\\t%T\\t%k\\t%h\\t%s\\n'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    // Fetches never end: keep what tells more.
    said = (said + text.replace(/^.*Fetch.*\n/gm, '')).slice(-200_000);
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [partition, offset, time, key = '', headers = '', ...value] = line.split('\t');
      messages.push({
        partition: Number(partition),
        offset: Number(offset),
        timestamp_ms: Number(time),
        key,
        headers,
        value: value.join('\t'),
      });
    }
  });
  const addresses = (): string | undefined => /bootstrap\.servers=(127[\d.:,]+)/.exec(said)?.[1];
  await eventually('the mock brokers start', () => addresses() !== undefined);
  return {
    servers: (addresses() ?? '').split(','),
    messages,
    log: () => said,
    consumed: (count) => eventually(`${count} messages consumed`, () => messages.length >= count),
    freeze: () => {
      child.kill('SIGSTOP');
      // The signal is on its way: until it is there, the brokers answer.
      while (!/^State:\s+T/m.test(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8')));
    },
    thaw: () => void child.kill('SIGCONT'),
    end: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
