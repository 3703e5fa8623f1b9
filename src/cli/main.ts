#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { warmUpSingle } from '../daemon/singleThread.js';
import { configKeys } from './files/configKeys.js';

/** A thread gets the variables as they are when it starts: the password is to be taken out of them before. */
const hasPassword = Object.keys(process.env).some((name) => name.startsWith('SPATE_KEYRING'));

// Nothing else is imported here, so that a single run can start its thread first: loading takes both as long.
if (process.argv[2] === 'generate' && !hasPassword) {
  warmUpSingle(process.argv.includes('--allow-subprocess'), configKeys(process.argv));
}

const { main } = await import('./program.js');
await main(fileURLToPath(import.meta.url));
