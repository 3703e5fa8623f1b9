/**
 * Renders templates again and again with one producer of the built event plugin, and prints the bytes of the
 * heap after each quarter, garbage collected. Run with --expose-gc; arguments: number of renders, folder of the
 * templates.
 */

import { systemClock } from '../../dist/src/adapters/systemClock.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../dist/src/domain/generator.js';
import { globalsView, makeOwnedGlobals } from '../../dist/src/domain/globals/owned.js';
import { seededRandom } from '../../dist/src/domain/random.js';
import { utc } from '../../dist/src/domain/time/zone.js';
import { templatePlugin } from '../../dist/src/plugins/events/template/plugin.js';
import { paramsShape } from '../../dist/src/plugins/shapes.js';
import { decode } from '../../dist/src/schema/index.js';

const [renders, directory] = [Number(process.argv[2]), process.argv[3]];
const BATCH = 10_000;
const log = { write: () => {}, with: () => log };

const params = decode(paramsShape(templatePlugin.spec), {
  mode: 'any',
  templates: [{ one: { template: 'one.jinja' } }, { two: { template: 'two.jinja' } }],
  samples: { users: { type: 'csv', source: 'users.csv', header: true } },
});
const built = await templatePlugin.build(params.right, {
  directory,
  zone: utc,
  clock: systemClock,
  random: seededRandom('memory'),
  log,
  signal: new AbortController().signal,
  templates: { limits: DEFAULT_TEMPLATE_LIMITS, runCommand: null, isTraced: false },
  params: {},
  globals: globalsView(makeOwnedGlobals('memory', {}, 0), []),
});
const producer = built.right;

const tags = Object.freeze(['a']);
const heaps = [];
let failed = 0;
for (let done = 0; done < renders; done += BATCH) {
  const micros = Float64Array.from({ length: BATCH }, (_, i) => 1.7e15 + (done + i) * 1_000);
  const made = producer.produce({ micros, from: 0, to: BATCH, tagsOf: () => tags, isSpent: () => false });
  made.events.bytes('\n');
  failed += made.failed;
  if (Math.floor(((done + BATCH) * 4) / renders) > heaps.length) {
    globalThis.gc();
    heaps.push(process.memoryUsage().heapUsed);
  }
}
process.stdout.write(JSON.stringify({ heaps, failed }));
