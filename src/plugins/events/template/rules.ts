import { didYouMean } from '../../../domain/text/nearest.js';
import type { RuleBreach } from '../../../schema/shape.js';
import type { Mode } from './modes.js';
import { aliasesOf, type TemplateItem } from './templatesField.js';

type Templates = readonly Readonly<Record<string, TemplateItem>>[];
type Aliases = ReturnType<typeof aliasesOf>;

const breach = (type: string, message: string, hint?: string): RuleBreach => ({
  at: 'templates',
  type,
  message,
  ...(hint === undefined ? {} : { hint }),
});

const hintOf = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ?? `Known: ${known.join(', ')}.`;

const doubled = (aliases: Aliases): RuleBreach | null => {
  const names = aliases.map(([alias]) => alias);
  const twice = names.find((alias, index) => names.indexOf(alias) !== index);
  return twice === undefined ? null : breach('conflict', `uses the alias '${twice}' twice`);
};

/** Keys of items used by one mode only. */
const KEYS_OF_MODES = [
  ['chance', 'chance'],
  ['initial', 'fsm'],
  ['transitions', 'fsm'],
] as const satisfies readonly (readonly [keyof TemplateItem, Mode])[];

/** Absent, or the default that read-back shows in every mode. */
const isUnset = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

const strayKey = (mode: Mode, aliases: Aliases): RuleBreach | null => {
  for (const [alias, item] of aliases) {
    for (const [key, owner] of KEYS_OF_MODES) {
      if (!isUnset(item[key]) && mode !== owner)
        return breach('unknown_key', `has '${key}' at '${alias}', a key of mode ${owner}, not ${mode}`);
    }
  }
  return null;
};

const missingChance = (mode: Mode, aliases: Aliases): RuleBreach | null => {
  if (mode !== 'chance') return null;
  const [alias] = aliases.find(([, { chance }]) => chance === null) ?? [];
  return alias === undefined
    ? null
    : breach('missing', `needs 'chance' at '${alias}', a number greater than 0`);
};

const wrongStates = (mode: Mode, aliases: Aliases): RuleBreach | null => {
  if (mode !== 'fsm') return null;
  const known = aliases.map(([alias]) => alias);
  const initial = aliases.filter(([, item]) => item.initial === true).map(([alias]) => alias);
  if (initial.length !== 1) {
    const found = initial.length === 0 ? 'none' : initial.join(', ');
    return breach('missing', `needs initial: true at exactly one template; it is at ${found}`);
  }
  for (const [alias, { transitions }] of aliases) {
    const lost = transitions?.find(({ to }) => !known.includes(to));
    if (lost !== undefined) {
      return breach(
        'not_allowed',
        `has a transition from '${alias}' to '${lost.to}', an unknown alias`,
        hintOf(lost.to, known),
      );
    }
  }
  return null;
};

const CHECKS = [strayKey, missingChance, wrongStates];

/** Rules over mode and templates. */
export const templateRules = [
  {
    fields: ['mode', 'templates'] as const,
    check: ({
      mode,
      templates,
    }: {
      readonly mode: Mode;
      readonly templates: Templates;
    }): RuleBreach | null => {
      const aliases = aliasesOf(templates);
      return CHECKS.reduce<RuleBreach | null>(
        (found, check) => found ?? check(mode, aliases),
        doubled(aliases),
      );
    },
  },
  {
    fields: ['mode', 'instances'] as const,
    check: ({
      mode,
      instances,
    }: {
      readonly mode: Mode;
      readonly instances: number | null;
    }): RuleBreach | null =>
      instances === null || mode === 'fsm'
        ? null
        : { at: 'instances', type: 'unknown_key', message: `belongs to mode fsm, not ${mode}` },
  },
  {
    fields: ['instances', 'think', 'templates'] as const,
    check: (given: {
      readonly instances: number | null;
      readonly think: unknown;
      readonly templates: Templates;
    }): RuleBreach | null => {
      if (given.instances !== null) return null;
      const hint = 'Add instances: how many runs of the state machine there are at once.';
      const message = 'belongs to a state machine with instances';
      if (given.think !== null) return { at: 'think', type: 'unknown_key', message, hint };
      const aliases = aliasesOf(given.templates);
      const index = aliases.findIndex(([, item]) => (item.think ?? null) !== null);
      const alias = aliases[index]?.[0];
      const at = ['templates', String(index), alias ?? '', 'think'];
      return alias === undefined ? null : { at, type: 'unknown_key', message, hint };
    },
  },
  {
    fields: ['mode', 'chain', 'templates'] as const,
    check: (given: {
      readonly mode: Mode;
      readonly chain: readonly string[] | null;
      readonly templates: Templates;
    }): RuleBreach | null => {
      const { mode, chain, templates } = given;
      if (mode !== 'chain') {
        return chain === null
          ? null
          : { at: 'chain', type: 'unknown_key', message: `belongs to mode chain, not ${mode}` };
      }
      if (chain === null) return { at: 'chain', type: 'missing', message: 'is required in mode chain' };
      const known = aliasesOf(templates).map(([alias]) => alias);
      const lost = [...new Set(chain)].filter((alias) => !known.includes(alias));
      if (lost.length === 0) return null;
      return {
        at: 'chain',
        type: 'not_allowed',
        message: `names unknown aliases: ${lost.map((alias) => `'${alias}'`).join(', ')}`,
        hint: hintOf(lost[0] ?? '', known),
      };
    },
  },
];
