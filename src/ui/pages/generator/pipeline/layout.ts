import { counted } from '../../../parts/numbers.js';
import type { PartKey } from './parts.js';
import type { Box, CountedPart, EventBox, OutputBox, Picture, Trouble } from './picture.js';

/** Heights are fixed, so that curves meet nodes without a measurement. Three nodes fit below `MAX_CLOSED_HEIGHT`. */
export const NODE_HEIGHT = 52;
const NODE_GAP = 10;
/** Height of the picture while no side is open. */
export const MAX_CLOSED_HEIGHT = 180;
/** More nodes of a side become one. */
const MAX_NODES = 3;
export const BAR_HEIGHT = 16;
/** Above and below the bars of an event node. */
const BARS_PADDING = 8;

/** Columns in percent of the width: inputs, curves, event, its line to the queue, the queue, curves, outputs. */
export const COLUMNS = [23, 7, 25, 3, 9, 7, 26] as const;

/** Left edge of a column. */
const leftOf = (column: number): number => COLUMNS.slice(0, column).reduce((sum, width) => sum + width, 0);

export type Tone = 'ok' | 'slow' | 'failed';

/** What is shown of a side of the picture: each node, or one for all of them. */
export interface Side<B extends Box> {
  readonly boxes: readonly B[];
  /** Null when each node is shown. */
  readonly group: SideGroup | null;
}

export interface SideGroup {
  readonly title: string;
  /** Names of the plugins, each once. */
  readonly detail: string;
  readonly count: number;
  readonly rate: number;
  readonly bytes: number;
  /** Trouble of all nodes together. */
  readonly troubles: readonly Trouble[];
  readonly failed: number;
  readonly slow: number;
}

const added = <C extends CountedPart>(all: readonly C[]): readonly C[] => {
  const sums = new Map<string, C>();
  for (const one of all) {
    const found = sums.get(one.what);
    sums.set(one.what, found === undefined ? one : { ...found, count: found.count + one.count });
  }
  return [...sums.values()];
};

const sumOf = <B>(boxes: readonly B[], read: (box: B) => number): number =>
  boxes.reduce((sum, box) => sum + read(box), 0);

/** `toneOf` says which nodes failed or are slow. */
export const sideOf = <B extends Box>(
  boxes: readonly B[],
  noun: string,
  toneOf: (key: PartKey) => Tone,
): Side<B> => {
  if (boxes.length <= MAX_NODES) return { boxes, group: null };
  const withTone = (tone: Tone): number => boxes.filter(({ key }) => toneOf(key) === tone).length;
  return {
    boxes,
    group: {
      title: counted(boxes.length, noun),
      detail: [...new Set(boxes.map(({ plugin }) => plugin))].join(', '),
      count: sumOf(boxes, ({ count }) => count),
      rate: sumOf(boxes, ({ rate }) => rate),
      bytes: sumOf(boxes, (box) => ('bytes' in box ? (box as unknown as OutputBox).bytes : 0)),
      troubles: added(boxes.flatMap(({ troubles }) => troubles)),
      failed: withTone('failed'),
      slow: withTone('slow'),
    },
  };
};

/** The worst tone of a node that stands for others. */
export const toneOfGroup = ({ failed, slow }: SideGroup): Tone => {
  if (failed > 0) return 'failed';
  return slow > 0 ? 'slow' : 'ok';
};

const stackHeight = (nodes: number): number => nodes * NODE_HEIGHT + Math.max(0, nodes - 1) * NODE_GAP;

/** Height of the event node with its bars. */
export const eventHeight = ({ templates, others }: EventBox): number => {
  const bars = templates.length + (others === null ? 0 : 1);
  return NODE_HEIGHT + (bars === 0 ? 0 : bars * BAR_HEIGHT + BARS_PADDING);
};

/** Distance of the middle of each node from the top. */
const middlesOf = (nodes: number, height: number): readonly number[] => {
  const top = (height - stackHeight(nodes)) / 2 + NODE_HEIGHT / 2;
  return Array.from({ length: nodes }, (_, index) => top + index * (NODE_HEIGHT + NODE_GAP));
};

/** A line of the picture. */
export interface Curve {
  readonly key: string;
  /** Path in percent of the width and pixels of the height. */
  readonly path: string;
  readonly width: number;
  /** How fast its dashes move, from 0: not at all. */
  readonly pace: number;
  readonly tone: Tone;
}

const MIN_WIDTH = 1.5;
const MAX_WIDTH = 6;
/** Events a second that make a line as wide as it gets. */
const FULL_RATE = 100_000;

/** Width of a line in pixels; it grows with each digit of the rate. */
export const strokeWidthOf = (rate: number): number => {
  const part = Math.log10(1 + Math.max(0, rate)) / Math.log10(1 + FULL_RATE);
  return Math.round((MIN_WIDTH + (MAX_WIDTH - MIN_WIDTH) * Math.min(1, part)) * 10) / 10;
};

const MAX_PACE = 6;

/** Paces are few, because dashes jump when their speed changes: one for each digit of the rate, 0 at rest. */
export const paceOf = (rate: number): number =>
  rate <= 0 ? 0 : Math.min(MAX_PACE, 1 + Math.max(0, Math.floor(Math.log10(rate)) + 1));

const curvePath = (fromX: number, fromY: number, toX: number, toY: number): string => {
  const half = (fromX + toX) / 2;
  return `M${fromX} ${fromY}C${half} ${fromY} ${half} ${toY} ${toX} ${toY}`;
};

interface Layout {
  readonly height: number;
  readonly curves: readonly Curve[];
}

interface Flow {
  readonly rate: number;
  readonly tone: Tone;
}

const flowsOf = (side: Side<Box>, toneOf: (key: PartKey) => Tone): readonly Flow[] =>
  side.group === null
    ? side.boxes.map(({ key, rate }) => ({ rate, tone: toneOf(key) }))
    : [{ rate: side.group.rate, tone: toneOfGroup(side.group) }];

/** Where the lines of the picture go. */
export const layoutOf = (
  { event }: Pick<Picture, 'event'>,
  inputs: Side<Box>,
  outputs: Side<Box>,
  toneOf: (key: PartKey) => Tone,
): Layout => {
  const [left, right] = [flowsOf(inputs, toneOf), flowsOf(outputs, toneOf)];
  const height = Math.max(stackHeight(left.length), stackHeight(right.length), eventHeight(event));
  const middle = height / 2;
  const lineOf = (key: string, path: string, { rate, tone }: Flow): Curve => ({
    ...{ key, path, tone },
    width: strokeWidthOf(rate),
    pace: paceOf(rate),
  });
  const [, inputsEnd, eventStart, eventEnd, queueStart, queueEnd, outputsStart] = COLUMNS.map((_, column) =>
    leftOf(column),
  ) as [number, number, number, number, number, number, number];
  const trunk: Flow = { rate: event.rate, tone: toneOf('event') };
  return {
    height,
    curves: [
      ...middlesOf(left.length, height).map((y, index) =>
        lineOf(`input ${index}`, curvePath(inputsEnd, y, eventStart, middle), left[index] as Flow),
      ),
      lineOf('event', curvePath(eventEnd, middle, queueStart, middle), trunk),
      ...middlesOf(right.length, height).map((y, index) =>
        lineOf(`output ${index}`, curvePath(queueEnd, middle, outputsStart, y), right[index] as Flow),
      ),
    ],
  };
};

/** What is told of a part below the picture. */
export interface NoteLine {
  readonly key: string;
  readonly name: string;
  readonly notes: readonly CountedPart[];
}

/** A node has room for one trouble; all of them are told with the notes. */
export const shownTrouble = ({ troubles: [first] }: Pick<Box, 'troubles'>): Trouble | null => first ?? null;

/** Trouble and notes in full, a line for each part that has some: a node may cut its words off. */
const linesOfSide = (side: Side<Box>, isOpen: boolean, noun: string): readonly NoteLine[] => {
  const { boxes, group } = side;
  const toldOf = ({ troubles, notes }: Pick<Box, 'troubles' | 'notes'>): readonly CountedPart[] => [
    ...troubles,
    ...notes,
  ];
  if (group === null || isOpen) {
    return boxes.map((box, index) => ({
      key: box.key,
      name: `${noun} ${boxes.length > 1 ? `${index + 1} ` : ''}${box.plugin}`,
      notes: toldOf(box),
    }));
  }
  const notes = added(boxes.flatMap((box) => box.notes));
  return [{ key: noun, name: group.title, notes: toldOf({ troubles: group.troubles, notes }) }];
};

export const noteLines = (
  { event, removed }: Pick<Picture, 'event' | 'removed'>,
  inputs: Side<Box> & { readonly isOpen: boolean },
  outputs: Side<Box> & { readonly isOpen: boolean },
): readonly NoteLine[] =>
  [
    ...linesOfSide(inputs, inputs.isOpen, 'input'),
    {
      key: 'removed',
      name: 'inputs',
      notes: removed > 0 ? [{ count: removed, what: 'of former inputs' }] : [],
    },
    ...linesOfSide({ boxes: [event], group: null }, false, 'event'),
    ...linesOfSide(outputs, outputs.isOpen, 'output'),
  ].filter(({ notes }) => notes.length > 0);
