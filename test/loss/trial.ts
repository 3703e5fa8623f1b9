/** One run of a case: events with marks through the built program, the peer struck in the middle, all of it verified. */

import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CLI } from '../support/instance.js';
import { type ChildProcess, spawn } from '../support/programs.js';
import type { LossCase, Peer } from './peer.js';

export interface TrialOptions {
  readonly events: number;
  readonly kills: number;
  readonly down_ms: number;
  readonly limit_ms: number;
}

export interface Outcome {
  readonly seconds: number;
  readonly lost: number;
  readonly doubled: number;
  /** By the summary of `spate generate`. */
  readonly failed: number;
  readonly dead_letters: number;
  /** What else went wrong. */
  readonly problems: readonly string[];
}

const LINES = 10_000;
const POLL_MS = 10;
const TALLY_SHARE = 0.001;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const textOf = (index: number): string =>
  `192.0.2.${index % 250} "GET /orders/${(index * 7_919) % 100_000} HTTP/1.1" ${index % 7 === 0 ? 404 : 200} ${(index * 104_729) % 90_000}`;

const writeGenerator = (
  folder: string,
  one: LossCase,
  { params }: Peer,
  { events, kills }: TrialOptions,
): void => {
  const lineOf = (index: number): string =>
    one.isJson === true ? JSON.stringify({ message: textOf(index) }) : textOf(index);
  fs.writeFileSync(
    join(folder, 'lines.log'),
    `${Array.from({ length: LINES }, (_, n) => lineOf(n)).join('\n')}\n`,
  );
  const tally = { file: { path: 'tally.log', sample: TALLY_SHARE, delivery: 'best_effort' } };
  fs.writeFileSync(
    join(folder, 'generator.yml'),
    JSON.stringify({
      input: [{ static: { count: events } }],
      event: { replay: { path: 'lines.log', repeat: true, marks: one.isJson === true ? 'json' : 'text' } },
      output: [{ [one.output]: params }, ...(kills === 0 ? [] : [tally])],
    }),
  );
};

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Keeps the last part of what a stream says. */
const heard = (stream: NodeJS.ReadableStream): (() => string) => {
  let text = '';
  stream.on('data', (part: Buffer) => {
    text = (text + String(part)).slice(-100_000);
  });
  return () => text;
};

const spate = (folder: string, args: readonly string[], limit_ms: number): Run => {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder });
  const [stdout, stderr] = [heard(child.stdout), heard(child.stderr)];
  const timer = setTimeout(() => child.kill('SIGKILL'), limit_ms);
  const ended = once(child, 'close').then(([code]) => {
    clearTimeout(timer);
    return { code: code as number | null, stdout: stdout(), stderr: stderr() };
  });
  return { child, ended };
};

/** Share of the events that were produced, by the sample of them. */
const producedIn = (folder: string, events: number): number => {
  const file = join(folder, 'tally.log');
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'latin1').split('\n').length - 1 : 0;
  return lines / (events * TALLY_SHARE);
};

const GENERATE = [
  'generate',
  '--path',
  'generator.yml',
  '--id',
  'loss',
  '--live-mode',
  'false',
  '--state',
  'state',
  '-v',
];

/** Generates all events and strikes in between. */
const generate = async (
  folder: string,
  one: LossCase,
  peer: Peer,
  options: TrialOptions,
): Promise<Ended & { readonly strikes: number }> => {
  const { kills, events, down_ms, limit_ms } = options;
  const args = one.isSelf === true ? [...GENERATE, '--resume'] : GENERATE;
  const until = Date.now() + limit_ms;
  let run = spate(folder, args, limit_ms);
  let strikes = 0;
  const isOver = async (): Promise<boolean> =>
    Promise.race([run.ended.then(() => true), sleep(POLL_MS).then(() => false)]);
  try {
    while (strikes < kills && !(await isOver())) {
      if (producedIn(folder, events) < (strikes + 1) / (kills + 1)) continue;
      strikes += 1;
      if (one.isSelf === true) {
        run.child.kill('SIGKILL');
        await run.ended;
        run = spate(folder, args, until - Date.now());
      } else {
        await peer.kill();
        await sleep(down_ms);
        await peer.start();
      }
    }
    return { ...(await run.ended), strikes };
  } finally {
    run.child.kill('SIGKILL');
  }
};

/** Number before a word in the part of the first output of a summary: `loss: ...; kafka: 10 written, 2 failed; ...`. */
const counted = (stderr: string, word: string): number => {
  const part = /^loss: .*? in .*?; ([^;\n]*)/m.exec(stderr)?.[1] ?? '';
  return Number(new RegExp(`([\\d,]+) ${word}`).exec(part)?.[1]?.replaceAll(',', '') ?? 0);
};

interface Report {
  readonly streams: readonly {
    readonly lost: { readonly count: number };
    readonly duplicates: { readonly count: number };
  }[];
  readonly mismatches: { readonly count: number };
  readonly events: number;
}

const verify = async (folder: string, peer: Peer, { events, limit_ms }: TrialOptions): Promise<Report> => {
  const { child, ended } = spate(
    folder,
    ['verify', '-', '--json', '--allow-duplicates', '--expect', String(events)],
    limit_ms,
  );
  const fed = child.stdin === null ? null : pipeline(peer.arrived(), child.stdin);
  const [{ stdout, stderr }] = await Promise.all([ended, fed]);
  if (!stdout.startsWith('{')) throw new Error(`spate verify: ${stderr}`);
  return JSON.parse(stdout) as Report;
};

export const trial = async (folder: string, one: LossCase, options: TrialOptions): Promise<Outcome> => {
  const peer = await one.start(folder);
  try {
    writeGenerator(folder, one, peer, options);
    const begin = performance.now();
    const { code, stderr, strikes } = await generate(folder, one, peer, options);
    const seconds = (performance.now() - begin) / 1_000;
    const dead_letters = counted(stderr, 'dead-lettered');
    const problems: string[] = [];
    if (code !== 0 && dead_letters === 0)
      problems.push(`spate generate ended with ${code}: ${stderr.slice(-2_000)}`);
    // While it is down, events become dead letters at full speed.
    if (strikes < options.kills && dead_letters === 0)
      problems.push(`the run was over after ${strikes} kills`);
    if (dead_letters > 0) {
      const args = ['deadletter', 'resend', 'loss', '--path', 'generator.yml', '--state', 'state'];
      const resend = await spate(folder, args, options.limit_ms).ended;
      if (resend.code !== 0)
        problems.push(`the resend ended with ${resend.code}: ${resend.stderr.slice(-2_000)}`);
    }
    const { streams, mismatches, events } = await verify(folder, peer, options);
    if (mismatches.count > 0) problems.push(`${mismatches.count} events were changed`);
    return {
      seconds,
      lost: options.events - events,
      doubled: streams.reduce((sum, { duplicates }) => sum + duplicates.count, 0),
      failed: counted(stderr, 'failed') + counted(stderr, 'abandoned'),
      dead_letters,
      problems,
    };
  } finally {
    await peer.remove();
  }
};
