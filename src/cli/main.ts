#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort } from 'node:worker_threads';
import { warmUpSingle } from '../daemon/singleThread.js';
import { configKeys } from './files/configKeys.js';
import { runOnThread } from './programThread.js';

/** A thread copies the environment at its start; passwords must be removed before. */
const hasPassword = Object.keys(process.env).some((name) => name.startsWith('SPATE_KEYRING'));

// Imports nothing else: a single run starts its thread while the rest loads, as both take equally long.
if (process.argv[2] === 'generate' && !hasPassword) {
  warmUpSingle(process.argv.includes('--allow-subprocess'), configKeys(process.argv));
}

const script = fileURLToPath(import.meta.url);

/** Commands that load or compile scripts: that works only on a thread with flags of its own. */
const RUNS_ON_THREAD = ['test', 'inspect', 'preview', 'learn', 'validate'];

if (isMainThread && RUNS_ON_THREAD.includes(process.argv[2] ?? '')) runOnThread(script);
else {
  const { main } = await import('./program.js');
  await main(script, (code) => parentPort?.postMessage(code));
}
