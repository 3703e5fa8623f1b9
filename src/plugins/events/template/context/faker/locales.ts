import type { Faker } from '@faker-js/faker';
import type { Random } from '../../../../../domain/random.js';
import { nearest } from '../../../../../domain/text/shown.js';
import { MICROS_PER_MS, type Micros } from '../../../../../domain/time/micros.js';
import {
  Fault,
  type PyTzinfo,
  raise,
  TemplateObject,
  undefinedBecause,
  type Value,
} from '../../../../../template/index.js';
import { countryOf, FAKER_LOCALES, LOCALE_ENTRIES, type LocaleNames } from './localeNames.js';

export interface FakerPorts {
  /** Each locale draws from its own fork. */
  readonly random: Random;
  /** 'Now': the event's timestamp, which makes seeded runs repeatable. */
  readonly now: () => Micros;
  /** Zone of date-times without one. */
  readonly zone: PyTzinfo;
}

export interface LoadedLocale {
  readonly name: string;
  /** Two letters, ISO 3166. */
  readonly country: string;
  /** Its own stream; its only state. */
  readonly random: Random;
  readonly now: () => Micros;
  readonly zone: PyTzinfo;
  /** Draws with the locale's data, or English data if it has none. */
  readonly of: <T>(draw: (faker: Faker) => T) => T;
  /** Draws with English data, from the same stream. */
  readonly english: <T>(draw: (faker: Faker) => T) => T;
}

/**
 * The class comes from the shared instance: importing it from the package's main entry loads every locale.
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
 * faker-js throws if a language lacks data (Russian has no prefixes). If English fails too, the event fails.
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
 * Loads known locales before the first render. Each draws from a fork of `ports.random` labeled with its
 * name, so other locales do not change its values. `label`: `faker` or `mimesis`.
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

/** Locales by name, as attributes and items; created at first use. */
export class LocaleTable extends TemplateObject {
  private readonly made = new Map<string, Value>();

  constructor(
    /** Name in errors: `module.faker`. */
    private readonly owner: string,
    private readonly known: LocaleNames,
    private readonly loaded: ReadonlyMap<string, LoadedLocale>,
    private readonly make: (locale: LoadedLocale) => Value,
  ) {
    super();
  }
  get typeName(): string {
    return `${this.owner}.locale`;
  }
  override attribute(name: string): Value {
    const ready = this.made.get(name);
    if (ready !== undefined) return ready;
    const locale = this.loaded.get(name);
    if (locale === undefined) return this.missing(name);
    const value = this.make(locale);
    this.made.set(name, value);
    return value;
  }
  override item(key: Value): Value | undefined {
    return typeof key === 'string' ? this.attribute(key) : undefined;
  }
  override contains(needle: Value): boolean {
    return typeof needle === 'string' && this.known.has(needle);
  }
  override iterator(): Iterator<Value> {
    return this.loaded.keys();
  }
  override size(): number {
    return this.loaded.size;
  }
  private missing(name: string): Value {
    if (this.known.has(name)) {
      return raise(
        'RuntimeError',
        `the locale ${name} is not loaded: write ${this.owner}.locale['${name}'] with a constant name`,
      );
    }
    const near = nearest(name, [...this.known.keys()]);
    const hint = near === null ? '' : `; did you mean ${near}?`;
    return undefinedBecause(`${this.owner} has no locale '${name}'${hint}`);
  }
}
