import type { Random } from '../../../../domain/random.js';
import { HostModule, type TemplateObject } from '../../../../template/index.js';
import { FAKER_LOCALES, MIMESIS_LOCALES } from './faker/localeNames.js';
import { type FakerPorts, type LoadedLocale, LocaleTable, loadLocales } from './faker/locales.js';
import { mimesisRandomModule } from './mimesis/choice.js';
import { enumsModule } from './mimesis/enums.js';

/** `module.faker` or `module.mimesis`, with the locales that templates name. */
interface Fakes {
  readonly locales: ReadonlyMap<string, LoadedLocale>;
  /** Makes the object that templates use. */
  readonly make: () => TemplateObject;
}

const withoutLocale = (): never => {
  throw new Error('providers were asked for, and no locale is loaded');
};

/** The groups are loaded with a first locale, which most templates do not name. */
export const loadFaker = async (names: readonly string[], ports: FakerPorts): Promise<Fakes> => {
  const locales = await loadLocales(names, ports);
  const providers = locales.size === 0 ? withoutLocale : (await import('./faker/groups.js')).fakerProviders;
  return {
    locales,
    make: () =>
      new HostModule('faker', {
        locale: new LocaleTable('module.faker', FAKER_LOCALES, locales, providers),
      }),
  };
};

/** Locale names of mimesis: `en`, `de-at`. Its groups are loaded as those of faker. `random`: for `module.mimesis.random`. */
export const loadMimesis = async (
  names: readonly string[],
  ports: FakerPorts,
  random: Random,
): Promise<Fakes> => {
  const locales = await loadLocales(names, ports, MIMESIS_LOCALES, 'mimesis');
  const providers =
    locales.size === 0 ? withoutLocale : (await import('./mimesis/groups.js')).mimesisProviders;
  return {
    locales,
    make: () =>
      new HostModule('mimesis', {
        locale: new LocaleTable('module.mimesis', MIMESIS_LOCALES, locales, providers),
        enums: enumsModule(),
        random: mimesisRandomModule(random),
      }),
  };
};
