import { isJsonObject, type Json } from '../../../domain/json.js';
import { lazily, optional, path, required, text } from '../../../schema/index.js';
import { eventPlugin } from '../../declare.js';

const fields = lazily(() => ({
  path: required(path(), {
    help: 'Script file (.js, .mjs, .cjs, .ts, .mts, .cts or .py), relative to the folder of the generator.',
    example: 'produce.js',
    reads: 'file',
  }),
  python: optional(text({ minLength: 1 }), {
    help: 'Interpreter of a Python script: a program on PATH, or a path relative to the folder of the generator. Default: `python3`.',
    example: '.venv/bin/python',
    extension: true,
  }),
}));

/** Python scripts have a process of their own. */
const runsOnThread = (params: Json | undefined): boolean =>
  !isJsonObject(params) || !String(params['path']).endsWith('.py');

export const scriptSpec = eventPlugin({
  name: 'script',
  mayBlock: runsOnThread,
  summary: 'Calls the function `produce` of a JavaScript, TypeScript or Python file for each timestamp.',
  notes: [
    '`produce({ timestamp, tags, globals, params, partition, activity, random, drop, exhaust })` returns one event (a string), several (an array of strings; empty: none), or a promise of them. Any other result, and any error, is a failed event, counted and logged with its position; the next timestamp follows.',
    '`timestamp` prints ISO 8601 with offset and has `epochMilliseconds`, `epochMicroseconds`, `timeZoneId`, `strftime(format)` and `toDate()`. `tags` is a frozen array. `random` follows the seed of the generator: `next()`, `integer(min, max)`, `fork(label)`.',
    '`activity` is what the timestamp observes, with an input `world`: a frozen object with `at` (microseconds since 1970, before delay and clock error), `kind`, `person`, `host`, `session`, `facts`, `truth`, `id` and `cause`. It is null at timestamps of other inputs, and undefined without such an input; Python has `None` for both.',
    "`drop()` drops the timestamp on purpose; `exhaust()` ends the generator. Both throw: do not catch it. `import { drop, exhaust } from 'spate'` gives the same functions.",
    'ES modules and CommonJS both work; package.json does not matter. A script without exports can simply declare `function produce` (CommonJS). TypeScript types are erased, so enums and namespaces are refused; import types with `import type`.',
    'Every start runs fresh instances of the script and of its relative and absolute imports: generators share no state, and edits apply at the next start. Packages and Node modules are loaded once per thread and keep their state. Node 20 frees old ES module instances only when the thread ends. A CommonJS file cannot `require` an ES module of the script.',
    'A script with state can export `snapshot()`, which returns JSON synchronously, and `restore(state)`, which runs before the first `produce` and may be asynchronous. With a checkpoint, `snapshot` runs about every second, between calls of `produce`. If it throws or returns non-JSON values (a Map, a Date, `NaN`, a function), that is logged and the previous checkpoint stays, so state and position always match. If `restore` throws, the generator does not start. Spate saves the positions of `random` and of marks itself.',
    '`console`, `process.stdout`, `process.stderr` and Node warnings go to the log of the generator, never to standard output. The log has a budget, and each text is cut after 8,192 characters.',
    'Python (`.py`): `produce(params)` gets a dictionary with `timestamp` (an aware `datetime`), `tags` (a tuple), `globals`, `params`, `partition` and `activity`, and returns a string or a list of strings. It runs in a `python3` process of the generator, version 3.9 or later, with the same limits, failures and restarts. Scripts for Eventum run unchanged, with its signals; `import spate` gives `drop()` and `exhaust()`. `random` follows the seed. Variables are not saved in checkpoints: `snapshot` and `restore` do not exist. [Python scripts](../../../../docs/scripts-python.md) has the rest.',
    'A script has all rights of the program: run only trusted code. On a daemon thread it can end the daemon, for example with `process.kill` or by closing a foreign file descriptor. With `isolation: process` in the startup entry or the settings it can only end its own process. On a daemon thread `Worker` of `node:worker_threads` and `node:inspector` throw. `generation.thread_heap_mb` and `generation.thread_memory_mb` limit memory.',
  ],
  fields,
  examples: [
    { title: 'A script beside the generator config', params: { path: 'produce.js' } },
    {
      title: 'A Python script with a virtual environment',
      params: { path: 'produce.py', python: '.venv/bin/python' },
    },
    { title: 'JSON events that `spate verify` can check', params: { path: 'produce.js', marks: 'json' } },
  ],
});
