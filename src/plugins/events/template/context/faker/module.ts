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
import { type LoadedLocale, LocaleTable } from './locales.js';
import { type Group, givingMembers, Providers, pureMembers } from './providers.js';

/** Groups that return none of their arguments; `choosing` does. */
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

export const FAKER_GROUPS: readonly Group[] = [...PURE_GROUPS, choosing];

const providersOf = (locale: LoadedLocale): Providers =>
  new Providers(
    `module.faker.locale.${locale.name}`,
    new Map([
      ...PURE_GROUPS.flatMap((group) => pureMembers(group(locale))),
      ...givingMembers(choosing(locale)),
    ]),
  );

/** `module.faker`, with the locales that templates name. */
export const fakerModule = (loaded: ReadonlyMap<string, LoadedLocale>): TemplateObject =>
  new HostModule('faker', { locale: new LocaleTable('module.faker', FAKER_LOCALES, loaded, providersOf) });
