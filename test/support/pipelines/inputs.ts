import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../../src/domain/random.js';
import { isoFormatter } from '../../../src/domain/time/iso.js';
import { utc, zoneOf } from '../../../src/domain/time/zone.js';
import type { Input, InputContext, InputPlugin } from '../../../src/plugins/kit.js';
import { paramsShape } from '../../../src/plugins/shapes.js';
import { decode, showPath } from '../../../src/schema/index.js';
import type { Fields } from '../../../src/schema/shape.js';
import { fakeClock } from '../clocks/fakeClock.js';
import { memoryLog } from '../logs.js';

/** `now` of inputs in tests. */
export const NOW = Date.parse('2026-11-20T19:05:09Z') * 1000;

export const inputContext = (
  more: Partial<InputContext> & { readonly zoneId?: string } = {},
): InputContext => ({
  directory: '/nowhere',
  zone: zoneOf(more.zoneId ?? 'UTC') ?? utc,
  clock: fakeClock(NOW),
  random: seededRandom('test'),
  log: memoryLog().log,
  signal: new AbortController().signal,
  now: NOW,
  skipPast: false,
  ...more,
});

/** Decodes parameters and builds; a problem of either is a text. */
export const buildInput = async <F extends Fields>(
  plugin: InputPlugin<F>,
  params: unknown,
  more: Parameters<typeof inputContext>[0] = {},
): Promise<Input | string> => {
  const decoded = decode(paramsShape(plugin.spec), params);
  if (E.isLeft(decoded))
    return decoded.left.map(({ path, message }) => `${showPath(path)} ${message}`).join('; ');
  const built = await plugin.build(decoded.right, inputContext(more));
  return E.isLeft(built) ? built.left.message : built.right;
};

/** Up to `most` timestamps as UTC texts, taken `step` at a time; a problem is a text of its own. */
export const drain = (input: Input | string, most = 20, step = 7): readonly string[] => {
  if (typeof input === 'string') return [input];
  const iso = isoFormatter(utc);
  const texts: string[] = [];
  const out = new Float64Array(step);
  while (texts.length < most) {
    const count = input.fill(out.subarray(0, Math.min(step, most - texts.length)));
    if (count === 0) break;
    for (const micros of out.subarray(0, count)) texts.push(iso(micros).replace('+00:00', 'Z'));
  }
  return texts;
};
