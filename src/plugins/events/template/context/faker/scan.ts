import { type NameAfter, namesAfter } from '../../../../../template/index.js';
import { FAKER_LOCALES, type LocaleNames, MIMESIS_LOCALES } from './localeNames.js';

/** Names of the locales that templates need, of each module. */
export interface NeededLocales {
  readonly faker: readonly string[];
  readonly mimesis: readonly string[];
}

type Package = keyof NeededLocales;

const TABLES: Readonly<Record<Package, LocaleNames>> = { faker: FAKER_LOCALES, mimesis: MIMESIS_LOCALES };

/** Objects of configs: a field `locale` of theirs is data. */
const DATA: ReadonlySet<string | null> = new Set(['params', 'vars']);

const isOf = (owner: string | null, which: Package): boolean =>
  owner === which || (owner !== 'faker' && owner !== 'mimesis' && !DATA.has(owner));

/** The names by which templates come to locales. */
const SOUGHT = { module: 'variable', locale: 'attribute', faker: 'attribute', mimesis: 'attribute' } as const;

/** The locales of one package by what the templates say; all of them where only a run can tell. */
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
    // A call of it is no use of the table: it is the provider `locale()`.
    if (!isOf(owner, which) || follows.kind === 'call') continue;
    if (follows.kind !== 'name') return [...table.keys()];
    if (table.has(follows.name)) names.add(follows.name);
  }
  return [...names].sort();
};

/**
 * Which locales these templates need, by the constant names behind `locale` (`module.faker.locale.de_DE`,
 * `f.locale['de_DE']`). All that there are, when a name is not constant or the table of locales is passed
 * on. Give the text of every template that may render, included ones too. A text that does not
 * parse needs nothing: the engine reports it.
 */
export const localesIn = (templates: Iterable<string>): NeededLocales => {
  const modules: NameAfter[] = [];
  const locales: NameAfter[] = [];
  for (const source of templates) {
    const found = namesAfter(source, SOUGHT);
    if (found === null) continue;
    modules.push(...found.module);
    locales.push(...found.locale);
    // `module.faker[x]` may be its locales too.
    for (const which of ['faker', 'mimesis'] as const) {
      const members = found[which].filter(({ follows }) => follows.kind === 'key');
      locales.push(...members.map((each) => ({ ...each, owner: which })));
    }
  }
  return { faker: neededOf('faker', modules, locales), mimesis: neededOf('mimesis', modules, locales) };
};
