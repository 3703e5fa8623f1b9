import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../../src/domain/random.js';
import { utc } from '../../../src/domain/time/zone.js';
import type { FormatterContext, InputContext } from '../../../src/plugins/kit.js';
import { kit, type ThirdPartyPlugin } from '../../../src/plugins/thirdParty/publicKit.js';
import type { Clock } from '../../../src/ports/clock.js';
import { memoryLog } from '../../support/logs.js';
import { PLAIN_TEMPLATES } from '../../support/templates/templates.js';

export const contextOf = (
  clock: Clock,
  signal = new AbortController().signal,
): InputContext & FormatterContext => ({
  directory: '/',
  zone: utc,
  clock,
  random: seededRandom(1),
  log: memoryLog().log,
  signal,
  templates: PLAIN_TEMPLATES,
  now: 0,
  skipPast: false,
});

const DECLARED = { name: 'theirs', summary: 'Does nothing.', fields: {}, examples: [] };

const SPECS = {
  input: kit.inputPlugin(DECLARED),
  event: kit.eventPlugin(DECLARED),
  output: kit.outputPlugin(DECLARED),
  formatter: kit.formatterPlugin(DECLARED),
};

/** A plugin of a kind with this behavior, which may be anything. */
export const pluginOf = (
  kind: keyof typeof SPECS,
  make: (...given: readonly never[]) => unknown,
): ThirdPartyPlugin =>
  ({ spec: SPECS[kind], [kind === 'output' ? 'open' : 'build']: make }) as unknown as ThirdPartyPlugin;

/** A part as a plugin that is built. */
export const giving = (kind: keyof typeof SPECS, part: unknown): ThirdPartyPlugin =>
  pluginOf(kind, async () => E.right(part));
