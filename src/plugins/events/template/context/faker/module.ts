import { HostModule, type TemplateObject } from '../../../../../template/index.js';
import { addresses } from './groups/address.js';
import { business } from './groups/business.js';
import { codes } from './groups/codes.js';
import { dateTime } from './groups/dateTime.js';
import { files } from './groups/files.js';
import { internet } from './groups/internet.js';
import { lorem } from './groups/lorem.js';
import { misc } from './groups/misc.js';
import { network } from './groups/network.js';
import { choosing, numbers } from './groups/numbers.js';
import { person } from './groups/person.js';
import { FAKER_LOCALES } from './localeNames.js';
import type { LoadedLocale } from './locales.js';
import { LocaleTable } from './localeTable.js';
import { type Group, givingMembers, Providers, pureMembers } from './providers.js';

/** Groups of providers that give nothing of their arguments; `choosing` gives elements of a list. */
const PURE_GROUPS: readonly Group[] = [
  person,
  addresses,
  business,
  internet,
  network,
  lorem,
  misc,
  numbers,
  dateTime,
  files,
  codes,
];

/** Every group of providers, each with its functions by signature. */
export const FAKER_GROUPS: readonly Group[] = [...PURE_GROUPS, choosing];

/** What `module.faker.locale[name]` gives: every provider by its name in Python's Faker. */
const providersOf = (locale: LoadedLocale): Providers =>
  new Providers(
    `module.faker.locale.${locale.name}`,
    new Map([
      ...PURE_GROUPS.flatMap((group) => pureMembers(group(locale))),
      ...givingMembers(choosing(locale)),
    ]),
  );

/** `module.faker`, on the locales that were loaded for the templates (`localesIn`). */
export const fakerModule = (loaded: ReadonlyMap<string, LoadedLocale>): TemplateObject =>
  new HostModule('faker', { locale: new LocaleTable('module.faker', FAKER_LOCALES, loaded, providersOf) });
