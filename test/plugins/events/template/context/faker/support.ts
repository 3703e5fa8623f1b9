import { seededRandom } from '../../../../../../src/domain/random.js';
import { MICROS_PER_DAY, type Micros } from '../../../../../../src/domain/time/micros.js';
import type { FakerPorts } from '../../../../../../src/plugins/events/template/context/faker/locales.js';
import { loadFaker, loadMimesis } from '../../../../../../src/plugins/events/template/context/fakes.js';
import { HostModule, UTC_ZONE, type Value } from '../../../../../../src/template/index.js';
import { errorOf, rendered } from '../../../../../template/engine.js';

/** 2026-11-21T08:05:07Z, a Saturday. */
export const NOW: Micros = Date.parse('2026-11-21T08:05:07Z') * 1_000;

export const ports = (given: Partial<FakerPorts> = {}): FakerPorts => ({
  random: seededRandom(1),
  now: () => NOW,
  zone: UTC_ZONE,
  ...given,
});

/** Names of a render in which `module` has both modules, with these locales. */
export const moduleWith = async (
  locales: { readonly faker?: readonly string[]; readonly mimesis?: readonly string[] },
  given: Partial<FakerPorts> = {},
): Promise<ReadonlyMap<string, Value>> => {
  const all = ports(given);
  const faker = await loadFaker(locales.faker ?? [], all);
  const mimesis = await loadMimesis(locales.mimesis ?? [], all, all.random.fork('mimesis'));
  return new Map([['module', new HostModule('module', { faker: faker.make(), mimesis: mimesis.make() })]]);
};

/** Renders expressions on `f` (the locale en_US of faker) and `m` (en of mimesis). */
export interface Rendering {
  /** The text of one expression. */
  readonly shown: (expression: string) => string;
  /** Texts of repeated draws of an expression. */
  readonly many: (expression: string, times?: number) => readonly string[];
  /** Kind and reason of the error of an expression. */
  readonly error: (expression: string) => string;
}

const HEAD = "{% set f = module.faker.locale['en_US'] %}{% set m = module.mimesis.locale['en'] %}";

/** Separator between the values of `many`. */
const SEPARATOR = '\u001f';

export const englishRendering = async (given: Partial<FakerPorts> = {}): Promise<Rendering> => {
  const names = await moduleWith({ faker: ['en_US'], mimesis: ['en'] }, given);
  return {
    shown: (expression) => rendered(`${HEAD}{{ ${expression} }}`, names),
    many: (expression, times = 50) =>
      rendered(`${HEAD}{% for i in range(${times}) %}{{ ${expression} }}${SEPARATOR}{% endfor %}`, names)
        .split(SEPARATOR)
        .slice(0, -1),
    error: (expression) => {
      const { kind, reason } = errorOf(`${HEAD}{{ ${expression} }}`, names);
      return `${kind}: ${reason}`;
    },
  };
};

export const daysFromNow = (days: number): Micros => NOW + days * MICROS_PER_DAY;
