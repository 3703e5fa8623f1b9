#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { warmUpSingle } from '../daemon/singleThread.js';

// Nothing else is imported here, so that a single run can start its thread first: loading takes both as long.
if (process.argv[2] === 'generate') warmUpSingle(process.argv.includes('--allow-subprocess'));

const { main } = await import('./program.js');
await main(fileURLToPath(import.meta.url));
