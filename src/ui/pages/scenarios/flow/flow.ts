import type { Usage, UsageLocation } from '../membership.js';

/** A key of the globals, and who uses it. */
export interface FlowKey {
  readonly key: string;
  readonly writers: readonly string[];
  readonly readers: readonly string[];
  /** What is remarkable about it, in words. Null when it goes from one generator to another. */
  readonly note: string | null;
}

/** A generator, and the files of it that use globals. */
export interface FlowMember {
  readonly id: string;
  readonly files: readonly string[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

export interface GlobalsFlow {
  readonly keys: readonly FlowKey[];
  readonly members: readonly FlowMember[];
  /** Members none of whose files is seen to use a global. */
  readonly unused: readonly string[];
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted();
const membersIn = (locations: readonly UsageLocation[]): readonly string[] =>
  distinct(locations.map(({ member }) => member));

const noteOf = (writers: readonly string[], readers: readonly string[], isSet: boolean): string | null => {
  if (writers.length === 0 && readers.length === 0) return 'no file names it';
  if (readers.length === 0) return 'nobody reads it';
  if (writers.length === 1 && readers.length === 1 && writers[0] === readers[0])
    return `only ${writers[0]} uses it`;
  if (writers.length > 0) return null;
  return isSet ? 'only people set it' : 'not set; only people set it';
};

/** Who writes and reads which key: keys that a file names, and those that are set. */
export const flowOf = (usage: Usage, ids: readonly string[], set: readonly string[]): GlobalsFlow => {
  const keys = distinct([...usage.keys.keys(), ...set]).map((key): FlowKey => {
    const { writes = [], reads = [] } = usage.keys.get(key) ?? {};
    const [writers, readers] = [membersIn(writes), membersIn(reads)];
    return { key, writers, readers, note: noteOf(writers, readers, set.includes(key)) };
  });
  const all = [...usage.keys].flatMap(([, { writes, reads }]) => [...writes, ...reads]);
  const members = ids.map((id): FlowMember => {
    return {
      id,
      files: distinct(all.filter(({ member }) => member === id).map(({ template }) => template)),
      writes: keys.filter(({ writers }) => writers.includes(id)).map(({ key }) => key),
      reads: keys.filter(({ readers }) => readers.includes(id)).map(({ key }) => key),
    };
  });
  return {
    keys,
    members: members.filter(({ files }) => files.length > 0),
    unused: members.filter(({ files }) => files.length === 0).map(({ id }) => id),
  };
};

/** Keys that the picture shows at a time. */
export const MAX_SHOWN_KEYS = 24;

/** The flow with the first keys whose name has a text, and the members that use them. */
export const filteredFlow = (flow: GlobalsFlow, text: string): GlobalsFlow => {
  const wanted = text.trim().toLowerCase();
  const keys = flow.keys.filter(({ key }) => key.toLowerCase().includes(wanted)).slice(0, MAX_SHOWN_KEYS);
  const users = new Set(keys.flatMap(({ writers, readers }) => [...writers, ...readers]));
  return { ...flow, keys, members: flow.members.filter(({ id }) => users.has(id)) };
};

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Placed<A> extends Box {
  readonly of: A;
}

/** An arrow between a generator and a key; with `isWrite` and `isRead` it has two heads. */
export interface FlowEdge {
  readonly member: string;
  readonly key: string;
  readonly isWrite: boolean;
  readonly isRead: boolean;
  /** From the generator to the key, as the `d` of an SVG path. */
  readonly path: string;
}

export interface FlowPicture {
  readonly width: number;
  readonly height: number;
  readonly members: readonly Placed<FlowMember>[];
  readonly keys: readonly Placed<FlowKey>[];
  readonly edges: readonly FlowEdge[];
}

/** Pixels. */
const KEY_HEIGHT = 44;
const MEMBER_HEIGHT = 48;
const FILE_HEIGHT = 18;
const GAP = 12;
/** Room of the arrows between two columns. */
const ARROWS = { narrow: 36, wide: 72 };
const MAX_COLUMN = 280;
/** Below this width all generators stand on one side. */
const NARROW = 640;
/** Files that a node names. */
export const MAX_NAMED_FILES = 3;

const heightOf = ({ files }: FlowMember): number =>
  MEMBER_HEIGHT +
  FILE_HEIGHT * (Math.min(files.length, MAX_NAMED_FILES) + (files.length > MAX_NAMED_FILES ? 1 : 0));

/** Those that write stand left, those that only read stand right; if one side is empty, those that do both are shared out. */
const sidesOf = (members: readonly FlowMember[]): readonly [readonly FlowMember[], readonly FlowMember[]] => {
  const left = members.filter(({ writes, reads }) => writes.length > 0 && reads.length === 0);
  const right = members.filter(({ writes }) => writes.length === 0);
  for (const member of members.filter(({ writes, reads }) => writes.length > 0 && reads.length > 0))
    (left.length <= right.length ? left : right).push(member);
  return [left, right];
};

/** Mean position of the keys that a generator uses: nodes in this order have few crossing arrows. */
const middleOf = ({ writes, reads }: FlowMember, order: ReadonlyMap<string, number>): number => {
  const used = [...writes, ...reads].flatMap((key) => order.get(key) ?? []);
  return used.length === 0 ? 0 : used.reduce((sum, at) => sum + at, 0) / used.length;
};

const columnHeight = (heights: readonly number[]): number =>
  heights.reduce((sum, height) => sum + height + GAP, -GAP);

const placedIn = <A>(
  items: readonly A[],
  { x, width, height }: { readonly x: number; readonly width: number; readonly height: number },
  heightFor: (item: A) => number,
): readonly Placed<A>[] => {
  let y = (height - columnHeight(items.map(heightFor))) / 2;
  return items.map((of) => {
    const placed = { of, x, y, width, height: heightFor(of) };
    y += placed.height + GAP;
    return placed;
  });
};

const curve = (member: Box, key: Box): string => {
  const isLeft = member.x < key.x;
  const from = { x: isLeft ? member.x + member.width : member.x, y: member.y + member.height / 2 };
  const to = { x: isLeft ? key.x : key.x + key.width, y: key.y + key.height / 2 };
  const middle = (from.x + to.x) / 2;
  return `M${from.x} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
};

/** Where everything stands in a picture of a width. */
export const flowPicture = (flow: GlobalsFlow, width: number): FlowPicture => {
  const isNarrow = width < NARROW;
  const columns = isNarrow ? 2 : 3;
  const arrows = isNarrow ? ARROWS.narrow : ARROWS.wide;
  const column = Math.max(0, Math.min(MAX_COLUMN, (width - (columns - 1) * arrows) / columns));
  const right = width - column;
  const order = new Map(flow.keys.map(({ key }, index) => [key, index]));
  const sorted = flow.members.toSorted((a, b) => middleOf(a, order) - middleOf(b, order));
  const sides = isNarrow ? ([[], sorted] as const) : sidesOf(sorted);
  const height = Math.max(
    0,
    columnHeight(flow.keys.map(() => KEY_HEIGHT)),
    ...sides.map((side) => columnHeight(side.map(heightOf))),
  );
  const keys = placedIn(
    flow.keys,
    { x: isNarrow ? 0 : (width - column) / 2, width: column, height },
    () => KEY_HEIGHT,
  );
  const members = [
    ...placedIn(sides[0], { x: 0, width: column, height }, heightOf),
    ...placedIn(sides[1], { x: right, width: column, height }, heightOf),
  ];
  const edges = members.flatMap((member) =>
    keys.flatMap((key): FlowEdge[] => {
      const { id, writes, reads } = member.of;
      const isWrite = writes.includes(key.of.key);
      const isRead = reads.includes(key.of.key);
      return isWrite || isRead
        ? [{ member: id, key: key.of.key, isWrite, isRead, path: curve(member, key) }]
        : [];
    }),
  );
  return { width, height, members, keys, edges };
};
