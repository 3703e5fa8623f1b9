#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { warmUpSingle } from '../daemon/singleThread.js';
import { configKeys } from './files/configKeys.js';

/** A thread copies the environment at its start; passwords must be removed before. */
const hasPassword = Object.keys(process.env).some((name) => name.startsWith('SPATE_KEYRING'));

// Imports nothing else: a single run starts its thread while the rest loads, as both take equally long.
if (process.argv[2] === 'generate' && !hasPassword) {
  warmUpSingle(process.argv.includes('--allow-subprocess'), configKeys(process.argv));
}

const { main } = await import('./program.js');
await main(fileURLToPath(import.meta.url));
