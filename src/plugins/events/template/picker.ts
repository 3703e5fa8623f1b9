import type { Random } from '../../../domain/random.js';
import { PyDict } from '../../../template/index.js';
import { type ConditionCheck, compileCondition, type Scene } from './fsm/conditions.js';
import type { Instances } from './fsm/instances.js';
import type { PickMode, TemplateItem } from './templatesField.js';

/** Picks templates by index, once per timestamp and after `dispatch.next()`. */
export interface Picker {
  /** `isAgain` after `dispatch.next()`. */
  readonly pick: (scene: Scene, isAgain: boolean) => readonly number[];
  /** Position to save; `null` before the first pick and for stateless modes. */
  readonly position: () => number | null;
  readonly goTo: (position: number | null) => void;
}

const REMEMBERS_NOTHING = { position: () => null, goTo: () => {} };

/** Each index as a list, created once. */
const singles = (count: number): readonly (readonly number[])[] =>
  Array.from({ length: count }, (_, index) => Object.freeze([index]));

const anyOf = (count: number, random: Random): Picker => {
  const picks = singles(count);
  return { pick: () => picks[random.integer(0, count - 1)] ?? [], ...REMEMBERS_NOTHING };
};

const byChance = (weights: readonly number[], random: Random): Picker => {
  const picks = singles(weights.length);
  const ends: number[] = [];
  let total = 0;
  for (const weight of weights) {
    total += weight;
    ends.push(total);
  }
  return {
    pick: () => {
      const drawn = random.next() * total;
      const index = ends.findIndex((end) => drawn < end);
      // Rounding may leave the last end below the total.
      return picks[index < 0 ? picks.length - 1 : index] ?? [];
    },
    ...REMEMBERS_NOTHING,
  };
};

const inTurn = (order: readonly number[]): Picker => {
  const picks = order.map((index) => Object.freeze([index]));
  let at = 0;
  return {
    pick: () => {
      const picked = picks[at] ?? [];
      at = (at + 1) % picks.length;
      return picked;
    },
    position: () => at,
    goTo: (position) => {
      at = position ?? 0;
    },
  };
};

/** Runs within the limits of a render; throws a `Fault` beyond. */
type Within = <A>(run: () => A) => A;

interface Way {
  readonly to: number;
  readonly check: ConditionCheck;
}

/** `warn` gets a sentence if a condition cannot compare a field. */
const stateMachine = (
  templates: readonly (readonly [alias: string, item: TemplateItem])[],
  warn: (sentence: string) => void,
  within: Within,
  instances: Instances | null,
): Picker => {
  const picks = singles(templates.length);
  const places = new Map(templates.map(([alias], index) => [alias, index]));
  const ways = templates.map(([, { transitions }]): readonly Way[] =>
    (transitions ?? []).map(({ to, when }) => ({ to: places.get(to) ?? 0, check: compileCondition(when) })),
  );
  const initial = templates.findIndex(([, item]) => item.initial === true);
  if (instances !== null) {
    return {
      pick: (scene, isAgain) => {
        const state = instances.step((from) => {
          const open = from === null ? [] : (ways[from] ?? []);
          if (from === null || open.length === 0) return from ?? initial;
          return within(() => open.find(({ check }) => check(scene, warn)))?.to ?? from;
        }, isAgain);
        // No instance is due.
        return state === null ? [] : (picks[state] ?? []);
      },
      ...REMEMBERS_NOTHING,
    };
  }
  let state: number | null = null;
  return {
    pick: (scene) => {
      if (state === null) state = initial;
      else {
        const from = ways[state] ?? [];
        if (from.length > 0) state = within(() => from.find(({ check }) => check(scene, warn)))?.to ?? state;
      }
      return picks[state] ?? [];
    },
    position: () => state,
    goTo: (position) => {
      state = position;
    },
  };
};

/**
 * Timestamps with a tag that templates have pick among those: by chance, evenly, or all of them in mode `all`. The others
 * pick as if there were no tags, and draw the same numbers.
 */
const byTags = (
  picker: Picker,
  mode: PickMode,
  templates: readonly (readonly [alias: string, item: TemplateItem])[],
  random: Random,
): Picker => {
  if (templates.every(([, { tags }]) => (tags ?? []).length === 0)) return picker;
  const indexesFor = (wanted: readonly string[]): readonly number[] =>
    templates.flatMap(([, { tags }], index) =>
      (tags ?? []).some((tag) => wanted.includes(tag)) ? [index] : [],
    );
  const pickerFor = (wanted: readonly string[]): Picker['pick'] => {
    const indexes = indexesFor(wanted);
    if (indexes.length === 0) return picker.pick;
    if (mode === 'all') return () => indexes;
    const weights = indexes.map((index) => templates[index]?.[1].chance ?? 1);
    const among = byChance(weights, random);
    return (scene, isAgain) => among.pick(scene, isAgain).map((at) => indexes[at] as number);
  };
  // An input has one array of tags for all its timestamps.
  const known = new WeakMap<readonly string[], Picker['pick']>();
  return {
    ...picker,
    pick: (scene, isAgain) => {
      const pick = known.get(scene.tags) ?? pickerFor(scene.tags);
      known.set(scene.tags, pick);
      return pick(scene, isAgain);
    },
  };
};

/** Picks the first template of the kind whose condition holds, and after `dispatch.next()` the next one. */
const byKind = (
  templates: readonly (readonly [alias: string, item: TemplateItem])[],
  warn: (sentence: string) => void,
  within: Within,
): Picker => {
  const picks = singles(templates.length);
  const checks = templates.map(([, { when }]) => (when === null ? null : compileCondition(when)));
  const ofKind = new Map<string, number[]>();
  for (const [index, [, { kinds }]] of templates.entries())
    for (const kind of new Set(kinds ?? [])) ofKind.set(kind, [...(ofKind.get(kind) ?? []), index]);
  let last = -1;
  return {
    pick: (scene, isAgain) => {
      const after = isAgain ? last : -1;
      const kind = scene.activity instanceof PyDict ? scene.activity.get('kind') : null;
      const found = ofKind.get(String(kind))?.find((index) => {
        if (index <= after) return false;
        const check = checks[index] ?? null;
        return check === null || within(() => check(scene, warn));
      });
      last = found ?? templates.length;
      return found === undefined ? [] : (picks[found] ?? []);
    },
    ...REMEMBERS_NOTHING,
  };
};

interface PickerOptions {
  readonly mode: PickMode;
  readonly templates: readonly (readonly [alias: string, item: TemplateItem])[];
  readonly chain: readonly string[] | null;
  /** A separate stream: random values in templates do not change picks. */
  readonly random: Random;
  /** A separate stream for picks by tag, so that they do not change other picks. */
  readonly tagged: Random;
  readonly warn: (sentence: string) => void;
  /** Limits conditions, which iterate lists and match patterns. */
  readonly within: Within;
  /** Instances of mode fsm. Null in other modes, and for one run of the state machine. */
  readonly instances: Instances | null;
}

export const makePicker = (options: PickerOptions): Picker =>
  byTags(pickerOf(options), options.mode, options.templates, options.tagged);

const pickerOf = (options: PickerOptions): Picker => {
  const { mode, templates, chain, random, warn, within, instances } = options;
  const aliases = templates.map(([alias]) => alias);
  const all = aliases.map((_, index) => index);
  switch (mode) {
    case 'all':
      return { pick: () => all, ...REMEMBERS_NOTHING };
    case 'any':
      return anyOf(aliases.length, random);
    case 'chance':
      return byChance(
        templates.map(([, { chance }]) => chance ?? 1),
        random,
      );
    case 'spin':
      return inTurn(all);
    case 'chain':
      return inTurn((chain ?? []).map((alias) => aliases.indexOf(alias)));
    case 'fsm':
      return stateMachine(templates, warn, within, instances);
    case 'activity':
      return byKind(templates, warn, within);
  }
};
