import type { Random } from '../../../../../domain/random/random.js';
import { HostModule, type TemplateObject, type Value } from '../../../../../template/index.js';
import { MIMESIS_LOCALES } from '../faker/localeNames.js';
import { type LoadedLocale, loadLocales } from '../faker/locales.js';
import { LocaleTable } from '../faker/localeTable.js';
import type { FakerPorts } from '../faker/ports.js';
import { type Group, Providers, pureMembers } from '../faker/providers.js';
import { Choice, randomModule } from './choice.js';
import { development, food, hardware, transport } from './devices.js';
import { enumsModule } from './enums.js';
import { file, path } from './filesystem.js';
import { internet } from './internet.js';
import { finance, payment } from './money.js';
import { code, cryptographic, numeric, science } from './numbers.js';
import { person } from './people.js';
import { address } from './places.js';
import { text } from './texts.js';
import { datetime } from './time.js';

export const MIMESIS_GROUPS: Readonly<Record<string, Group>> = {
  person,
  internet,
  address,
  datetime,
  text,
  finance,
  hardware,
  code,
  cryptographic,
  numeric,
  payment,
  transport,
  food,
  path,
  file,
  development,
  science,
};

const groupsOf = (locale: LoadedLocale): Providers => {
  const owner = `module.mimesis.locale['${locale.name}']`;
  const groups = Object.entries(MIMESIS_GROUPS).map(([name, group]): [string, Value] => [
    name,
    new Providers(`${owner}.${name}`, new Map(pureMembers(group(locale)))),
  ]);
  return new Providers(owner, new Map([...groups, ['choice', new Choice(locale.random)]]));
};

/** Locale names of mimesis: `en`, `de-at`. */
export const loadMimesisLocales = (
  names: Iterable<string>,
  ports: FakerPorts,
): Promise<ReadonlyMap<string, LoadedLocale>> => loadLocales(names, ports, MIMESIS_LOCALES, 'mimesis');

/** `module.mimesis`, with the locales that templates name. `random`: for `module.mimesis.random`. */
export const mimesisModule = (loaded: ReadonlyMap<string, LoadedLocale>, random: Random): TemplateObject =>
  new HostModule('mimesis', {
    locale: new LocaleTable('module.mimesis', MIMESIS_LOCALES, loaded, groupsOf),
    enums: enumsModule(),
    random: randomModule(random),
  });
