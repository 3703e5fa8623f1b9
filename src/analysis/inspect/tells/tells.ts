import { seededRandom } from '../../../domain/random.js';
import { type Bits, both, butNot, commonCount, eventCount, eventSet } from './bits.js';
import { type Classes, type Predicate, predicatesOf } from './predicates.js';
import type { EventTable } from './table.js';

/** Above this share of an attack, something that no normal event has is a tell. */
export const MAX_TELL_SHARE = 0.2;
/** Above this balanced accuracy, held out, a tree of two questions gives an attack away; chance is 0.5. */
export const MAX_TREE_ACCURACY = 0.65;
/** With fewer events of an attack or of everyday life, accuracies are chance. */
export const MIN_EVENTS = 50;

/** Something that a part of the attack has and no normal event. */
export interface Tell {
  readonly text: string;
  readonly path: string;
  /** Share of the events of the attack. */
  readonly share: number;
}

/** What gives an attack away. */
export interface AttackReport {
  /** The label of its events. */
  readonly attack: string;
  readonly events: number;
  /** The most frequent first. */
  readonly tells: readonly Tell[];
  /** The best tree of two questions; null with too few events. */
  readonly tree: {
    /** Balanced accuracy on the half of the events that it was not made from. */
    readonly accuracy: number;
    /** The same with shuffled labels: what chance gives. */
    readonly shuffled: number;
    readonly questions: readonly [string, string, string];
  } | null;
  readonly is_within: boolean;
}

export interface TellsReport {
  readonly events: number;
  readonly normal_events: number;
  /** By label. */
  readonly attacks: readonly AttackReport[];
}

export interface TellsOptions {
  /** Field whose value is the attack that an event belongs to. */
  readonly label: string;
  /** Fields that may tell an attack, such as the address of the attacker; those below them, too. */
  readonly indicators: readonly string[];
}

/** Labels of events that belong to no attack; so does an event without one. */
const NO_ATTACK: ReadonlySet<string> = new Set(['', 'none', 'null', 'false', 'normal', 'benign']);

const isBelow = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}/`) || path.startsWith(`${field}[`);

/** The folder of a label holds nothing but the truth: `/labels` of `/labels/anomaly`. A label at the top stands alone. */
const truthOf = (label: string): string => {
  const end = label.lastIndexOf('/');
  return end > 0 ? label.slice(0, end) : label;
};

const classesOf = (
  { columns, times }: EventTable,
  label: string,
): { readonly attacks: ReadonlyMap<string, readonly number[]>; readonly normal: readonly number[] } => {
  const column = columns.find(({ path }) => path === label);
  const attacks = new Map<string, number[]>();
  const normal: number[] = [];
  for (let event = 0; event < times.length; event++) {
    const name = column?.cells[(column.codes[event] ?? 0) - 1]?.text ?? '';
    if (NO_ATTACK.has(name)) normal.push(event);
    else if (attacks.get(name)?.push(event) === undefined) attacks.set(name, [event]);
  }
  return { attacks, normal };
};

/** The most frequent first; of a field that is given away by a value, its length says nothing more. */
const tellsOf = (predicates: readonly Predicate[], { attack, normal }: Sides): readonly Tell[] => {
  const attacks = eventCount(attack);
  const found = predicates
    .filter(({ isArtifact, events }) => isArtifact && commonCount(events, normal) === 0)
    .map(({ text, path, events }) => ({ text, path, share: commonCount(events, attack) / attacks }))
    .filter(({ share }) => share > MAX_TELL_SHARE)
    // A value comes before the length of its field, and the order of equal shares stays.
    .toSorted((a, b) => b.share - a.share);
  return found.filter(
    ({ path, share }, index) =>
      !found.slice(0, index).some((one) => one.path === path && one.share === share),
  );
};

/** Splits both classes at random: one half to make a tree from, one to try it on. */
const halves = (events: number, { attack, normal }: Classes, isFirst: (event: number) => boolean) => {
  const half = (isIn: (event: number) => boolean) => {
    const some = { attack: attack.filter(isIn), normal: normal.filter(isIn) };
    const sets = { attack: new Set(some.attack), normal: new Set(some.normal) };
    return {
      sides: {
        attack: eventSet(events, (event) => sets.attack.has(event)),
        normal: eventSet(events, (event) => sets.normal.has(event)),
      },
      sizes: { attack: some.attack.length, normal: some.normal.length },
    };
  };
  return { learned: half(isFirst), tested: half((event) => !isFirst(event)) };
};

const tried = (
  predicates: readonly Predicate[],
  events: number,
  classes: Classes,
  isFirst: (event: number) => boolean,
): { readonly tree: Tree; readonly accuracy: number } | null => {
  const { learned, tested } = halves(events, classes, isFirst);
  const tree = bestTree(predicates, learned.sides, learned.sizes);
  return tree === null ? null : { tree, accuracy: accuracyOf(tree, learned, tested) };
};

const attackReport = (
  table: EventTable,
  attack: string,
  classes: Classes,
  options: TellsOptions,
): AttackReport => {
  const events = table.times.length;
  const truth = truthOf(options.label);
  const hidden = [truth, ...options.indicators];
  const predicates = predicatesOf(table, classes, (path) => !hidden.some((field) => isBelow(path, field)));
  const sets = { attack: new Set(classes.attack), normal: new Set(classes.normal) };
  const sides = {
    attack: eventSet(events, (event) => sets.attack.has(event)),
    normal: eventSet(events, (event) => sets.normal.has(event)),
  };
  const tells = tellsOf(predicates, sides);
  const base = { attack, events: classes.attack.length, tells };
  if (classes.attack.length < MIN_EVENTS || classes.normal.length < MIN_EVENTS)
    return { ...base, tree: null, is_within: tells.length === 0 };
  // A seed of its own, so that a report of the same events is the same.
  const random = seededRandom('tells');
  const order = table.times.map(() => random.next() < 0.5);
  const isFirst = (event: number): boolean => order[event] === true;
  const made = tried(predicates, events, classes, isFirst);
  const all = shuffled([...classes.attack, ...classes.normal], random.next);
  const chance = tried(
    predicates,
    events,
    { attack: all.slice(0, classes.attack.length), normal: all.slice(classes.attack.length) },
    isFirst,
  );
  if (made === null || chance === null) return { ...base, tree: null, is_within: tells.length === 0 };
  const { root, yes, no } = made.tree;
  return {
    ...base,
    tree: {
      accuracy: made.accuracy,
      shuffled: chance.accuracy,
      questions: [root.text, yes.text, no.text],
    },
    is_within: tells.length === 0 && made.accuracy <= MAX_TREE_ACCURACY,
  };
};

/** Fisher and Yates. */
const shuffled = (items: readonly number[], next: () => number): readonly number[] => {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    [all[last], all[other]] = [all[other] as number, all[last] as number];
  }
  return all;
};

/** Finds what gives the attacks of labelled events away: by a single mark, and by a tree of two questions. */
export const findTells = (table: EventTable, options: TellsOptions): TellsReport => {
  const { attacks, normal } = classesOf(table, options.label);
  return {
    events: table.times.length,
    normal_events: normal.length,
    attacks: [...attacks]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, events]) => attackReport(table, name, { attack: events, normal }, options)),
  };
};

/** Roots that are tried with every second question: the best by themselves. */
const MAX_ROOTS = 40;

/** Events of the two classes, as a tree sees them. */
interface Sides {
  readonly attack: Bits;
  readonly normal: Bits;
}

interface Leaf {
  readonly attack: number;
  readonly normal: number;
}

/** How many events of both classes are in a set. */
const countsIn = (set: Bits, sides: Sides): Leaf => ({
  attack: commonCount(set, sides.attack),
  normal: commonCount(set, sides.normal),
});

const rest = (whole: Leaf, part: Leaf): Leaf => ({
  attack: whole.attack - part.attack,
  normal: whole.normal - part.normal,
});

/** What a leaf adds to the accuracy when it says what most of its events are, each class weighing one half. */
const gainOf = ({ attack, normal }: Leaf): number => Math.max(attack, normal) / 2;

/** The same of what a question makes of a leaf: the part that it is true of, and the rest. */
const gainOfSplit = (whole: Leaf, part: Leaf): number => gainOf(part) + gainOf(rest(whole, part));

const WHOLE: Leaf = { attack: 1, normal: 1 };

/** Counts as shares of both classes. */
const sharesOf = ({ attack, normal }: Leaf, sizes: Leaf): Leaf => ({
  attack: attack / sizes.attack,
  normal: normal / sizes.normal,
});

/** Two questions deep: what is asked first, and then on either side. */
interface Tree {
  readonly root: Predicate;
  readonly yes: Predicate;
  readonly no: Predicate;
}

/** A predicate among all events of both classes. */
interface Question {
  readonly predicate: Predicate;
  readonly counts: Leaf;
  readonly shares: Leaf;
  readonly gain: number;
}

interface Best {
  readonly predicate: Predicate;
  readonly gain: number;
}

/** The better of two; the first one when they are equal. */
const better = (best: Best | null, predicate: Predicate, whole: Leaf, part: Leaf): Best => {
  const gain = gainOfSplit(whole, part);
  return best === null || gain > best.gain ? { predicate, gain } : best;
};

/** The decision tree of depth two with the best balanced accuracy on `sides`; null without predicates. */
const bestTree = (predicates: readonly Predicate[], sides: Sides, sizes: Leaf): Tree | null => {
  const questions = predicates.map((predicate): Question => {
    const counts = countsIn(predicate.events, sides);
    const shares = sharesOf(counts, sizes);
    return { predicate, counts, shares, gain: gainOfSplit(WHOLE, shares) };
  });
  const roots = questions.toSorted((a, b) => b.gain - a.gain).slice(0, MAX_ROOTS);
  let best: (Tree & { readonly gain: number }) | null = null;
  for (const { predicate: root, shares } of roots) {
    const inside = { attack: both(sides.attack, root.events), normal: both(sides.normal, root.events) };
    const outside = rest(WHOLE, shares);
    let [yes, no]: [Best | null, Best | null] = [null, null];
    for (const { predicate, counts } of questions) {
      const within = countsIn(predicate.events, inside);
      yes = better(yes, predicate, shares, sharesOf(within, sizes));
      no = better(no, predicate, outside, sharesOf(rest(counts, within), sizes));
    }
    if (yes === null || no === null) continue;
    const gain = yes.gain + no.gain;
    if (best === null || gain > best.gain) best = { root, yes: yes.predicate, no: no.predicate, gain };
  }
  return best;
};

/** Balanced accuracy on `tested` of a tree whose leaves say what most of their events in `learned` are. */
const accuracyOf = (
  { root, yes, no }: Tree,
  learned: { readonly sides: Sides; readonly sizes: Leaf },
  tested: { readonly sides: Sides; readonly sizes: Leaf },
): number => {
  const leaves = [
    both(root.events, yes.events),
    butNot(root.events, yes.events),
    butNot(no.events, root.events),
    // Neither: everything without either.
    null,
  ];
  const leavesOf = ({ sides, sizes }: typeof learned): readonly Leaf[] => {
    const known = leaves.flatMap((set) => (set === null ? [] : [sharesOf(countsIn(set, sides), sizes)]));
    return [...known, known.reduce(rest, WHOLE)];
  };
  const test = leavesOf(tested);
  return leavesOf(learned).reduce((sum, leaf, index) => {
    const { attack, normal } = test[index] as Leaf;
    return sum + (leaf.attack >= leaf.normal ? attack : normal) / 2;
  }, 0);
};
