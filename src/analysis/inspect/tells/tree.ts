import { type Bits, both, butNot, commonCount } from './bits.js';
import type { Predicate } from './predicates.js';

/** Roots that are tried with every second question: the best by themselves. */
const MAX_ROOTS = 40;

/** Events of the two classes, as a tree sees them. */
export interface Sides {
  readonly attack: Bits;
  readonly normal: Bits;
}

interface Leaf {
  readonly attack: number;
  readonly normal: number;
}

/** Shares of both classes among the events of a set. */
const leafOf = (set: Bits, sides: Sides, sizes: Leaf): Leaf => ({
  attack: commonCount(set, sides.attack) / sizes.attack,
  normal: commonCount(set, sides.normal) / sizes.normal,
});

const rest = (whole: Leaf, part: Leaf): Leaf => ({
  attack: whole.attack - part.attack,
  normal: whole.normal - part.normal,
});

/** What a leaf adds to the accuracy when it says what most of its events are, each class weighing one half. */
const gainOf = ({ attack, normal }: Leaf): number => Math.max(attack, normal) / 2;

const WHOLE: Leaf = { attack: 1, normal: 1 };

/** Two questions deep: what is asked first, and then on either side. */
export interface Tree {
  readonly root: Predicate;
  readonly yes: Predicate;
  readonly no: Predicate;
}

interface Best {
  readonly predicate: Predicate;
  readonly gain: number;
}

const bestWithin = (
  predicates: readonly Predicate[],
  sides: Sides,
  sizes: Leaf,
  whole: Leaf,
): Best | undefined => {
  let best: Best | undefined;
  for (const predicate of predicates) {
    const part = leafOf(predicate.events, sides, sizes);
    const gain = gainOf(part) + gainOf(rest(whole, part));
    if (best === undefined || gain > best.gain) best = { predicate, gain };
  }
  return best;
};

const narrowed = (sides: Sides, narrow: (set: Bits) => Bits): Sides => ({
  attack: narrow(sides.attack),
  normal: narrow(sides.normal),
});

/** The decision tree of depth two with the best balanced accuracy on `sides`; null without predicates. */
export const bestTree = (predicates: readonly Predicate[], sides: Sides, sizes: Leaf): Tree | null => {
  const roots = predicates
    .map((root) => {
      const part = leafOf(root.events, sides, sizes);
      return { root, part, gain: gainOf(part) + gainOf(rest(WHOLE, part)) };
    })
    .toSorted((a, b) => b.gain - a.gain)
    .slice(0, MAX_ROOTS);
  let best: (Tree & { readonly gain: number }) | null = null;
  for (const { root, part } of roots) {
    const yes = bestWithin(
      predicates,
      narrowed(sides, (set) => both(set, root.events)),
      sizes,
      part,
    );
    const no = bestWithin(
      predicates,
      narrowed(sides, (set) => butNot(set, root.events)),
      sizes,
      rest(WHOLE, part),
    );
    if (yes === undefined || no === undefined) continue;
    const gain = yes.gain + no.gain;
    if (best === null || gain > best.gain) best = { root, yes: yes.predicate, no: no.predicate, gain };
  }
  return best;
};

/** Balanced accuracy on `tested` of a tree whose leaves say what most of their events in `learned` are. */
export const accuracyOf = (
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
  const sharesOf = ({ sides, sizes }: typeof learned): readonly Leaf[] => {
    const known = leaves.flatMap((set) => (set === null ? [] : [leafOf(set, sides, sizes)]));
    return [...known, known.reduce(rest, WHOLE)];
  };
  const test = sharesOf(tested);
  return sharesOf(learned).reduce((sum, leaf, index) => {
    const { attack, normal } = test[index] as Leaf;
    return sum + (leaf.attack >= leaf.normal ? attack : normal) / 2;
  }, 0);
};
