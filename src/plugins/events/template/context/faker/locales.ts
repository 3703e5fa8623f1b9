import type { Faker } from '@faker-js/faker';
import type { Random } from '../../../../../domain/random/random.js';
import { MICROS_PER_MS, type Micros } from '../../../../../domain/time/micros.js';
import { Fault, type PyTzinfo, raise } from '../../../../../template/index.js';
import { LOCALE_ENTRIES } from './localeEntries.js';
import { countryOf, FAKER_LOCALES, type LocaleNames } from './localeNames.js';
import type { FakerPorts } from './ports.js';

/** A locale that is ready to draw from; it belongs to one module and shares nothing with others. */
export interface LoadedLocale {
  /** As templates name it. */
  readonly name: string;
  /** Two letters, ISO 3166. */
  readonly country: string;
  /** Its own stream, and all its state: whoever keeps positions over restarts saves and restores this. */
  readonly random: Random;
  readonly now: () => Micros;
  readonly zone: PyTzinfo;
  /** Draws by the data of the locale, or by those of English where the locale has none. */
  readonly of: <T>(draw: (faker: Faker) => T) => T;
  /** Draws by the data of English, from the same stream. */
  readonly english: <T>(draw: (faker: Faker) => T) => T;
}

/**
 * A new instance with the data of a shared one. Its class comes from the shared one, because the main
 * entry of the package, which exports the class, loads every locale.
 */
const instanceOf = (shared: Faker, { random, now }: FakerPorts): Faker => {
  const made: Faker = Reflect.construct(shared.constructor, [
    { locale: shared.rawDefinitions, randomizer: { next: () => random.next(), seed: () => {} } },
  ]);
  made.setDefaultRefDate(() => new Date(Math.floor(now() / MICROS_PER_MS)));
  return made;
};

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

/**
 * `of` of a locale. faker-js throws where a language has no data (Russian has no prefixes); what it throws
 * for English too fails the event, as an error of the template, and never the generator.
 */
const drawing =
  (name: string, own: Faker, english: Faker): LoadedLocale['of'] =>
  (draw) => {
    try {
      return draw(own);
    } catch (error) {
      if (error instanceof Fault) throw error;
    }
    try {
      return draw(english);
    } catch (error) {
      if (error instanceof Fault) throw error;
      return raise('ValueError', `no value for the locale ${name}: ${reasonOf(error)}`);
    }
  };

/**
 * Loads the locales of these names before the first render; a name that is not in `table` is left out.
 * Same seed, same values: each locale draws from a fork of `ports.random` that is labelled with its name,
 * so that another locale in the list changes nothing.
 *
 * @param label what the forks are labelled with besides: `faker` or `mimesis`
 */
export const loadLocales = async (
  names: Iterable<string>,
  ports: FakerPorts,
  table: LocaleNames = FAKER_LOCALES,
  label = 'faker',
): Promise<ReadonlyMap<string, LoadedLocale>> => {
  const loaded = new Map<string, LoadedLocale>();
  for (const name of new Set(names)) {
    const entry = table.get(name);
    if (entry === undefined) continue;
    const [own, fallback] = await Promise.all([LOCALE_ENTRIES[entry](), LOCALE_ENTRIES.en()]);
    const random = ports.random.fork(`${label}/${name}`);
    const mine = { ...ports, random };
    const english = instanceOf(fallback.faker, mine);
    loaded.set(name, {
      name,
      country: countryOf(name),
      random,
      now: ports.now,
      zone: ports.zone,
      of: drawing(name, instanceOf(own.faker, mine), english),
      english: drawing(name, english, english),
    });
  }
  return loaded;
};
