#!/usr/bin/env node

import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, parentPort, SHARE_ENV, Worker } from 'node:worker_threads';
import { keepCompiled } from '../adapters/processes/compileCache.js';
import { SCRIPT_THREAD_FLAGS } from '../domain/thirdParty.js';
import { warmUpSingle } from '../host/singleThread.js';
import { configKeys } from './files/configKeys.js';

/** As `EXIT.bug` and as in `terminal.ts`: this file loads before the program and imports little. */
const FAILED = 70;
const READER_GONE = 128 + constants.signals.SIGPIPE;

/** 0: no terminal. A thread cannot tell. */
const columnsOf = (stream: NodeJS.WriteStream): number => (stream.isTTY ? stream.columns : 0);

/** Runs the program `script` again, with these arguments, on a thread that may load user scripts; exits with its code. */
const runOnThread = (script: string): void => {
  let ended: number | null = null;
  process.stdout.on('error', () => process.exit(READER_GONE));
  process.stderr.on('error', () => undefined);
  const worker = new Worker(script, {
    argv: process.argv.slice(2),
    // Passwords that the thread removes are gone for the process.
    env: SHARE_ENV,
    execArgv: [...SCRIPT_THREAD_FLAGS],
    workerData: { columns: [columnsOf(process.stdout), columnsOf(process.stderr)], main: process.argv[1] },
  });
  worker.on('message', (code: number) => {
    ended = code;
  });
  worker.once('error', (error) => process.stderr.write(`spate: ${error.message}\n`));
  worker.once('exit', () => {
    if (ended === null) process.stderr.write('spate: a script or an error ended the program early.\n');
    process.exitCode = ended ?? FAILED;
  });
};

keepCompiled(process.env);

/** A thread copies the environment at its start; passwords must be removed before. */
const hasPassword = Object.keys(process.env).some((name) => name.startsWith('SPATE_KEYRING'));

// Imports nothing else: a single run starts its thread while the rest loads, as both take equally long.
if (process.argv[2] === 'generate' && !hasPassword) {
  warmUpSingle(process.argv.includes('--allow-subprocess'), configKeys(process.argv));
}

/**
 * Makes V8 optimize functions after fifteen times the usual work: these commands make some thousand events, and the
 * compiler took half of their CPU time. Call it after loading, as in `worker.ts`; later versions have no such flag.
 */
const optimizeLate = (): void => {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=1000000');
};

const script = fileURLToPath(import.meta.url);

/** Commands that load or compile scripts: that works only on a thread with flags of its own. */
const RUNS_ON_THREAD = ['test', 'inspect', 'preview', 'learn', 'validate'];

if (isMainThread && RUNS_ON_THREAD.includes(process.argv[2] ?? '')) runOnThread(script);
else {
  const { main } = await import('./program.js');
  if (!isMainThread) optimizeLate();
  await main(script, (code) => parentPort?.postMessage(code));
}
