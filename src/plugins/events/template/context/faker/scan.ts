import { type NameAfter, namesAfter } from '../../../../../template/index.js';
import { FAKER_LOCALES, type LocaleNames, MIMESIS_LOCALES } from './localeNames.js';

interface NeededLocales {
  readonly faker: readonly string[];
  readonly mimesis: readonly string[];
}

type Package = keyof NeededLocales;

const TABLES: Readonly<Record<Package, LocaleNames>> = { faker: FAKER_LOCALES, mimesis: MIMESIS_LOCALES };

/** In these objects, `locale` is data. */
const DATA: ReadonlySet<string | null> = new Set(['params', 'vars']);

const isOf = (owner: string | null, which: Package): boolean =>
  owner === which || (owner !== 'faker' && owner !== 'mimesis' && !DATA.has(owner));

const SOUGHT = { module: 'variable', locale: 'attribute', faker: 'attribute', mimesis: 'attribute' } as const;

/** All locales if a name is dynamic. */
const neededOf = (
  which: Package,
  modules: readonly NameAfter[],
  locales: readonly NameAfter[],
): readonly string[] => {
  const table = TABLES[which];
  const isUsed = modules.some(({ follows }) => follows.kind !== 'name' || follows.name === which);
  if (!isUsed) return [];
  const names = new Set<string>();
  for (const { owner, follows } of locales) {
    // A call is the provider `locale()`.
    if (!isOf(owner, which) || follows.kind === 'call') continue;
    if (follows.kind !== 'name') return [...table.keys()];
    if (table.has(follows.name)) names.add(follows.name);
  }
  return [...names].sort();
};

/**
 * Locales by constant names after `locale` (`module.faker.locale.de_DE`, `f.locale['de_DE']`); all, if a
 * name is dynamic or the table is passed on. Pass every template, included ones too. Texts that do not parse
 * need none.
 */
export const localesIn = (templates: Iterable<string>): NeededLocales => {
  const modules: NameAfter[] = [];
  const locales: NameAfter[] = [];
  for (const source of templates) {
    const found = namesAfter(source, SOUGHT);
    if (found === null) continue;
    modules.push(...found.module);
    locales.push(...found.locale);
    // `module.faker[x]` may be a locale table.
    for (const which of ['faker', 'mimesis'] as const) {
      const members = found[which].filter(({ follows }) => follows.kind === 'key');
      locales.push(...members.map((each) => ({ ...each, owner: which })));
    }
  }
  return { faker: neededOf('faker', modules, locales), mimesis: neededOf('mimesis', modules, locales) };
};
