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
import type { LoadedLocale } from './locales.js';
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

/** All that a locale of `module.faker` has. */
export const fakerProviders = (locale: LoadedLocale): Providers =>
  new Providers(
    `module.faker.locale.${locale.name}`,
    new Map([
      ...PURE_GROUPS.flatMap((group) => pureMembers(group(locale))),
      ...givingMembers(choosing(locale)),
    ]),
  );
