import { DISPLACED, type ImperfectionKind, LABELLED, type Labelled } from '../../domain/imperfections.js';
import { crcText, type ReadLabel } from '../../imperfections/label.js';
import { type BlockBudget, makeSequences, type Sequences } from './sequences.js';

/** What a generator did on purpose to the event with a sequence number. */
interface Known {
  readonly what: ImperfectionKind | 'silenced';
  /** Whether the damaged line can be known again by its checksum. */
  readonly hasLine: boolean;
  /** The damaged line, or the second copy. */
  isSeen: boolean;
}

/** Events of a stream that are not whole on purpose: what is known of each, by its sequence number. */
export type KnownEvents = ReadonlyMap<number, Known>;

/** The ground truth of one output, collected from its labels. */
export interface Truth {
  /** The same label again changes nothing: a crash may write it twice. */
  readonly add: (label: ReadLabel) => void;
  /** Outputs that the labels are of, in order of appearance. */
  readonly outputs: () => readonly string[];
  readonly eventsOf: (stream: number) => KnownEvents;
  /** Whether the line is a damaged event of the ground truth. */
  readonly takeLine: (bytes: Uint8Array, from: number, to: number) => boolean;
  /** Whether a line with the broken mark of this event is a damaged event of the ground truth. */
  readonly takeBroken: (stream: number, sequence: number) => boolean;
  /** Whether this second copy is of the ground truth; true once for each event. */
  readonly takeDouble: (stream: number, sequence: number) => boolean;
  /** Whether the clock of this event was wrong on purpose. */
  readonly isSkewed: (stream: number, sequence: number) => boolean;
  /** Returns why the event may come behind later ones, or null when there is no reason. */
  readonly displacementOf: (stream: number, sequence: number) => Displacement | null;
}

type Displacement = (typeof DISPLACED)[number];

const isDisplacement = (what: Labelled): what is Displacement =>
  DISPLACED.some((displacement) => displacement === what);

/** 128 MiB of events with a wrong clock. Beyond that they are not counted. */
const MAX_SKEWED_BLOCKS = 32_768;

export type FlawCounts = Readonly<Record<Labelled, number>>;

export const NO_FLAWS: FlawCounts = {
  dropped: 0,
  doubled: 0,
  truncated: 0,
  malformed: 0,
  late: 0,
  out_of_order: 0,
  buffered: 0,
  skewed: 0,
  silenced: 0,
};

export const addFlaws = (a: FlawCounts, b: FlawCounts): FlawCounts =>
  Object.fromEntries(LABELLED.map((flaw) => [flaw, a[flaw] + b[flaw]])) as unknown as FlawCounts;

const NOTHING: KnownEvents = new Map();

export const makeTruth = (): Truth => {
  const streams = new Map<number, Map<number, Known>>();
  /** Not yet seen, by length and checksum: several events may be damaged alike. */
  const lines = new Map<string, Known[]>();
  const lengths = new Set<number>();
  const outputs = new Set<string>();
  const displaced = new Map<number, Map<number, Displacement>>();
  /** Compact: a clock can be wrong for every event. */
  const skewed = new Map<number, Sequences>();
  const budget: BlockBudget = { left: MAX_SKEWED_BLOCKS };

  return {
    add: ({ output, stream, sequence, what, bytes, crc }) => {
      outputs.add(output);
      if (stream === null || sequence === null) return;
      if (what === 'skewed') {
        const wrong = skewed.get(stream) ?? makeSequences(budget);
        skewed.set(stream, wrong);
        wrong.add(sequence);
        return;
      }
      if (isDisplacement(what)) {
        const moved = displaced.get(stream) ?? new Map<number, Displacement>();
        displaced.set(stream, moved.set(sequence, what));
        return;
      }
      const own = streams.get(stream) ?? new Map<number, Known>();
      streams.set(stream, own);
      if (own.has(sequence)) return;
      const known = { what, hasLine: crc !== null, isSeen: false };
      own.set(sequence, known);
      if (bytes === null || crc === null) return;
      lengths.add(bytes);
      const key = `${bytes}:${crc}`;
      const unseen = lines.get(key);
      if (unseen === undefined) lines.set(key, [known]);
      else unseen.push(known);
    },
    outputs: () => [...outputs],
    eventsOf: (stream) => streams.get(stream) ?? NOTHING,
    takeLine: (bytes, from, to) => {
      if (!lengths.has(to - from)) return false;
      const unseen = lines.get(`${to - from}:${crcText(bytes, from, to)}`);
      const next = unseen?.pop();
      if (next !== undefined) next.isSeen = true;
      return unseen !== undefined;
    },
    takeBroken: (stream, sequence) => {
      const known = streams.get(stream)?.get(sequence);
      if (known?.what !== 'malformed') return false;
      known.isSeen = true;
      return true;
    },
    isSkewed: (stream, sequence) => skewed.get(stream)?.has(sequence) === true,
    displacementOf: (stream, sequence) => displaced.get(stream)?.get(sequence) ?? null,
    takeDouble: (stream, sequence) => {
      const known = streams.get(stream)?.get(sequence);
      if (known?.what !== 'doubled' || known.isSeen) return false;
      known.isSeen = true;
      return true;
    },
  };
};
