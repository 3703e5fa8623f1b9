import { path, required } from '../../../schema/index.js';
import { eventPlugin } from '../../declare.js';

export const scriptFields = {
  path: required(path(), {
    help: 'Script file, relative to the folder of the generator: .js, .mjs, .cjs or .ts.',
    example: 'produce.js',
  }),
};

export const scriptSpec = eventPlugin({
  name: 'script',
  mayBlock: () => true,
  summary: 'Calls the function `produce` of a JavaScript or TypeScript file for every timestamp.',
  notes: [
    '`produce({ timestamp, tags, globals, params, random, drop, exhaust })` returns one event (a string) or several ' +
      '(an array of strings; empty: none), or a promise of them. Anything else, and anything it throws, is a failed ' +
      'event, counted and logged with its place; the next timestamp follows.',
    '`timestamp` prints ISO 8601 with offset and has `epochMilliseconds`, `epochMicroseconds`, `timeZoneId`, ' +
      '`strftime(format)` and `toDate()`. `tags` is a frozen array. `random` follows the seed of the generator: ' +
      '`next()`, `integer(min, max)`, `fork(label)`.',
    '`drop()` leaves the timestamp without an event, on purpose; `exhaust()` ends the generator. Both throw, so do not ' +
      "catch what they throw. They are also what `import { drop, exhaust } from 'spate'` gives.",
    'ES modules and CommonJS both work, whatever package.json is near. A script that exports nothing may just declare ' +
      '`function produce` (CommonJS). TypeScript types are erased, so enums and namespaces are refused; import types ' +
      'with `import type`.',
    'Every start runs fresh instances of the script and of the files it imports by relative or absolute path: ' +
      'generators share no state, edits act at the next start. Packages and modules of Node are loaded once per ' +
      'thread, with Node itself: their state lasts. Node 20 frees a former instance of an ES module only when its thread ends. A CommonJS file cannot `require` an ES module of the script.',
    'A script with state may export `snapshot()`, which returns it as JSON (at once, not as a promise), and `restore(state)`, ' +
      'which takes it back before the first call of `produce`; it may be asynchronous. `snapshot` is called between two calls of `produce`, ' +
      'about every second where the generator keeps a checkpoint. When it throws, or returns what JSON cannot hold (a Map, a Date, ' +
      '`NaN`, a function), that is logged and the checkpoint before stays as it is, so that no state is ever mixed with ' +
      'the position of another moment. When `restore` throws, the generator does not start. The position of `random` and of marks is kept without that.',
    '`console`, `process.stdout`, `process.stderr` and warnings of Node go to the log of the generator, never to the standard output. ' +
      'That log has a budget, and a text is cut after 8,192 characters.',
    'A script has all rights of the program: run only what you trust. On a thread of the daemon it can end the daemon, for example with `process.kill` or ' +
      'by closing a file that is not its own. With `isolation: process` in the startup entry (or the settings) it can only end its own process. ' +
      'On a thread of the daemon `Worker` of `node:worker_threads` and `node:inspector` throw. `generation.thread_heap_mb` and `generation.thread_memory_mb` limit memory.',
  ],
  fields: scriptFields,
  examples: [
    { title: 'A script beside the generator config', params: { path: 'produce.js' } },
    { title: 'JSON events that `spate verify` can check', params: { path: 'produce.js', marks: 'json' } },
  ],
});
