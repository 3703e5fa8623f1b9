import { didYouMean } from '../../../domain/text/shown.js';
import {
  boolean,
  defaulted,
  freeObject,
  integer,
  lazily,
  listOf,
  oneOf,
  optional,
  required,
  text,
} from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { eventPlugin } from '../../declare.js';
import { samplesField } from './context/samples/shape.js';
import {
  aliasesOf,
  MAX_CONSTANTS,
  MODES,
  type PickMode,
  type TemplateItem,
  templatesField,
  thinkShape,
} from './templatesField.js';

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
  ['kinds', 'activity'],
  ['when', 'activity'],
] as const satisfies readonly (readonly [keyof TemplateItem, PickMode])[];

/** Absent, or the default that read-back shows in every mode. */
const isUnset = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

const strayKey = (mode: PickMode, aliases: Aliases): RuleBreach | null => {
  for (const [alias, item] of aliases) {
    for (const [key, owner] of KEYS_OF_MODES) {
      if (!isUnset(item[key]) && mode !== owner)
        return breach('unknown_key', `has '${key}' at '${alias}', a key of mode ${owner}, not ${mode}`);
    }
  }
  return null;
};

const missingChance = (mode: PickMode, aliases: Aliases): RuleBreach | null => {
  if (mode !== 'chance') return null;
  const [alias] = aliases.find(([, { chance }]) => chance === null) ?? [];
  return alias === undefined
    ? null
    : breach('missing', `needs 'chance' at '${alias}', a number greater than 0`);
};

const missingKinds = (mode: PickMode, aliases: Aliases): RuleBreach | null => {
  if (mode !== 'activity') return null;
  for (const [alias, { kinds, tags }] of aliases) {
    if ((kinds ?? []).length === 0)
      return breach('missing', `needs 'kinds' at '${alias}', a list of kinds of activities`);
    if ((tags ?? []).length > 0)
      return breach(
        'unknown_key',
        `has 'tags' at '${alias}', which mode activity does not have`,
        'Write them as `when: {has_tags: [...]}`.',
      );
  }
  return null;
};

const wrongStates = (mode: PickMode, aliases: Aliases): RuleBreach | null => {
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

const CHECKS = [strayKey, missingChance, missingKinds, wrongStates];

/** Rules over mode and templates. */
const templateRules = [
  {
    fields: ['mode', 'templates'] as const,
    check: ({
      mode,
      templates,
    }: {
      readonly mode: PickMode;
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
      readonly mode: PickMode;
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
      readonly mode: PickMode;
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

const MAX_CHAIN = 10_000;
const MAX_INSTANCES = 100_000;

export const templateFields = lazily(() => ({
  mode: required(oneOf(MODES), {
    help: 'Picks templates for a timestamp: all in order, any (one at random), chance (one by weight), spin (each in turn), fsm (state machine), chain (in the order of chain), activity (by the kind of the activity that the input `world` gives).',
    example: 'all',
  }),
  templates: templatesField,
  chain: optional(listOf(text({ minLength: 1 }), { min: 1, max: MAX_CHAIN }), {
    help: 'Aliases in rendering order, one per timestamp, starting over at the end. Required in mode chain, not allowed in others.',
  }),
  instances: optional(integer({ min: 1, max: MAX_INSTANCES }), {
    help: 'Runs of the state machine at once, each with its own state and `locals`. Mode fsm only.',
    example: 200,
    extension: true,
  }),
  think: optional(thinkShape, {
    help: 'Pause of an instance after each event, in seconds, drawn evenly from min to max. A timestamp makes no event while every instance pauses. Only with `instances`.',
    example: { min: 2, max: 10 },
    extension: true,
  }),
  params: defaulted(
    freeObject({ maxValues: MAX_CONSTANTS }),
    {},
    { help: 'Constants of all templates, available as `params`.' },
  ),
  samples: samplesField,
  drop_empty: defaulted(boolean(), false, {
    help: 'Skip empty events. A timestamp with no other event counts as dropped.',
    extension: true,
  }),
}));

export const templateSpec = eventPlugin({
  name: 'template',
  mayBlock: (_, { allowsSubprocess }) => allowsSubprocess,
  summary: 'Renders Jinja templates: one event per picked template.',
  notes: [
    'Pages: [templates](../../../../docs/templates.md), [modes](../../../../docs/templates-modes.md), [samples and state](../../../../docs/templates-data.md), [language reference](../../../../docs/templates-reference.md).',
    'The language is Jinja 3.1 with Python values and printing, the `do` statement and loop controls. Templates are `.jinja` files in the folder of the generator; include and import paths start there. ' +
      'Templates compile at start, which reports their errors with the line. One newline at the end of a file is stripped.',
    'Names: `timestamp` (a date-time in the time zone of the generator), `tags`, `params`, `vars`, `samples`, `locals` (state of this template), `shared` (state of all templates of the generator), ' +
      '`globals` (state of the scenario, shared with scripts and the API), `module`, `dispatch`, `partition` (its `index` and the `count` of partitions; 0 and 1 without partitions), `subprocess`, and with an input `world` `activity`. Templates imported without context have all but `timestamp`, `tags`, `activity` and `vars`.',
    '`activity` is a read-only dict of what the timestamp observes: `at` (a date-time, before delay and clock error), `kind`, `person`, `host`, `session`, `facts`, `truth` (none, or `attack`, `campaign`, `phase`, `technique`), `id`, `cause`. It is none at timestamps of other inputs.',
    'Modes: `all` makes one event per template, the others one per timestamp. `chance` picks by weight. `spin` and `chain` keep their position after a failure. `fsm` starts with the `initial` template; ' +
      'before each later event it follows the first transition of the current state with a true condition. With `instances`, many runs of the state machine take turns: each has its own state and `locals`, and `instance` is its number from 0.',
    'Mode `activity` picks, of the templates that list the kind in `kinds`, the first one whose condition `when` holds; without one the activity makes no event and counts as dropped. All inputs must be `world` then, and each of their kinds needs a template.',
    'A condition is an object with one key. `eq`, `gt`, `ge`, `lt`, `le`, `len_eq`, `len_gt`, `len_ge`, `len_lt`, `len_le`, `contains`, `in` and `matches` (a Python regular expression, from the start of the string) take one field and a value (`eq: {shared.state: ready}`, `eq: {activity.facts.type: 10}`). ' +
      'Others: `defined: shared.state`; `has_tags`; `before` and `after` with parts of a date and time (`after: {hour: 22}`); `always`, `never`; `or`, `and` (lists), `not`. A missing, null or incomparable field makes the condition false and logs a warning.',
    '`module` has `rand`, `faker`, `mimesis` and the Python modules `datetime`, `json`, `math`, `hashlib`, `base64`, `calendar`, `random`, `re`, `uuid`, `string`, `ipaddress`, `time`, `itertools`, `collections` and `urllib.parse`, and no others. Random values follow the seed of the generator; `datetime.now()` and `time.time()` return the timestamp of the event.',
    '`dispatch.drop()` skips the timestamp, `dispatch.next()` picks again, `dispatch.exhaust()` stops the generator. Each ends the render at once.',
    'A template error fails its timestamp and discards its events; Spate counts it, logs it with its line and continues with the next timestamp. State is never rolled back. ' +
      '`generation.template_limits` limits each render. An empty string is an event, unless `drop_empty` is set.',
    '`globals` holds JSON: a list or object read from it is a copy; set it again to store a change. Renders are never interrupted, so `globals.acquire()` and `release()` have no effect.',
    '`subprocess.run(command, cwd, env, timeout)` fails unless `generation.allow_subprocess` is set. It blocks all generators of its thread, for 8 seconds at most.',
    'A checkpoint contains `locals`, `shared`, the position of the mode and all random numbers. State with a macro or function cannot be saved: Spate logs this and keeps the previous checkpoint.',
  ],
  fields: templateFields,
  rules: templateRules,
  examples: [
    {
      title: 'One of two templates by weight, with rows from a file',
      params: {
        mode: 'chance',
        templates: [
          { ok: { template: 'ok.jinja', chance: 9 } },
          { failed: { template: 'failed.jinja', chance: 1, vars: { level: 'error' } } },
        ],
        samples: { users: { type: 'csv', source: 'users.csv', header: true } },
        params: { host: 'web-1' },
      },
    },
    {
      title: 'A state machine',
      params: {
        mode: 'fsm',
        templates: [
          {
            login: {
              template: 'login.jinja',
              initial: true,
              transitions: [{ to: 'logout', when: { ge: { 'shared.pages': 3 } } }],
            },
          },
          { logout: { template: 'logout.jinja', transitions: [{ to: 'login', when: { always: null } }] } },
        ],
      },
    },
    {
      title: 'A fixed order',
      params: {
        mode: 'chain',
        chain: ['request', 'response'],
        templates: [{ request: { template: 'request.jinja' } }, { response: { template: 'response.jinja' } }],
      },
    },
  ],
});
