import * as fs from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/domain/json.js';
import { type ChildProcess, spawn } from '../../programs.js';
import { dropTornLine } from '../tornLine.js';

export type PeerKind = 'splunk_hec' | 'otlp' | 'loki';

/** A server of logs (see `peer.mjs`) in a process of its own. */
export interface LogPeer {
  readonly port: number;
  readonly url: string;
  /** Replaces what the test asks of it; lasts until it is killed. */
  readonly control: (state: JsonObject) => Promise<void>;
  readonly requests: () => Promise<number>;
  /** Events that it has accepted, in order. */
  readonly arrived: () => readonly string[];
  readonly text: () => string;
  /** SIGKILL; what it accepted stays. */
  readonly kill: () => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Starts it again on the same port. */
  readonly start: () => Promise<void>;
}

const PROGRAM = join(import.meta.dirname, 'peer.mjs');

/** Starts one that keeps its events in the folder. */
export const startLogPeer = async (
  kind: PeerKind,
  folder: string,
  state: JsonObject = {},
): Promise<LogPeer> => {
  const file = join(folder, 'arrived');
  fs.writeFileSync(file, '');
  let child: ChildProcess | null = null;
  let port = 0;
  const start = async (): Promise<void> => {
    dropTornLine(file);
    const started = spawn(process.execPath, [PROGRAM, kind, file, String(port), JSON.stringify(state)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const line = await new Promise<string>((resolve, reject) => {
      started.stdout.once('data', (data: Buffer) => resolve(String(data)));
      started.once('exit', () => reject(new Error(`the ${kind} server of the test did not start`)));
    });
    port = Number(line);
  };
  await start();
  const url = `http://127.0.0.1:${port}`;
  const control = async (body: string): Promise<{ readonly requests: number }> =>
    (await (await fetch(`${url}/control`, { method: 'POST', body })).json()) as { requests: number };
  const text = (): string => fs.readFileSync(file, 'utf8');
  return {
    port,
    url,
    control: async (next) => void (await control(JSON.stringify(next))),
    requests: async () => (await control('')).requests,
    text,
    arrived: () => text().split('\n').slice(0, -1),
    start,
    kill: async () => {
      const ending = child;
      child = null;
      if (ending === null) return;
      const ended = new Promise((resolve) => ending.once('exit', resolve));
      if (ending.kill('SIGKILL')) await ended;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
};
