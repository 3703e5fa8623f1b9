import { LABELLED, type Labelled, type MalformedKind } from '../domain/imperfections.js';
import { isJsonObject, parsedJson } from '../domain/json.js';
import { hex8 } from '../domain/marks/mark.js';
import { markOf } from '../domain/marks/read.js';
import { CRC_START, crcOf, feedBytes } from '../domain/text/crc32.js';
import { isoFormatter } from '../domain/time/iso.js';
import { utc } from '../domain/time/zone.js';
import type { Flawed, Silenced, Skewed } from './apply.js';
import type { Displacement, Silence } from './times.js';

/** A line of the ground truth, as JSON. */
export interface Label {
  /** When it was written, ISO 8601. */
  readonly at: string;
  /** Number, from 1, and name of the output. */
  readonly output: string;
  /** Number of the event in the stream of its generator, from 1. */
  readonly event: number;
  /** `<stream>:<sequence>`. Null when the event has no mark. */
  readonly mark: string | null;
  readonly what: Labelled;
  /** What was done to a malformed event. */
  readonly kind?: MalformedKind;
  /** Bytes before the damage. */
  readonly position?: number;
  /** Size in bytes of a damaged item that is one line, so that it can be recognized. */
  readonly bytes?: number;
  /** CRC-32 of the damaged item in UTF-8, 8 hex digits. */
  readonly crc?: string;
  /** Delay of a late event; how far the clock of a skewed one is ahead, negative: behind. */
  readonly seconds?: number;
  /** Most places that an event out of order is behind. */
  readonly places?: number;
  /** The silence of an event that is lost in it or comes after it, ISO 8601. */
  readonly from?: string;
  readonly until?: string;
}

export const crcText = (bytes: Uint8Array, from: number, to: number): string =>
  hex8(crcOf(feedBytes(CRC_START, bytes, from, to)));

const LINE_FEED = 10;

/** An item of several lines is not known again. */
const lineOf = (bytes: Buffer): Pick<Label, 'bytes' | 'crc'> =>
  bytes.includes(LINE_FEED) ? {} : { bytes: bytes.length, crc: crcText(bytes, 0, bytes.length) };

export interface Displaced {
  readonly item: number;
  readonly ordinal: number;
  readonly displacement: Displacement;
}

/** An event with an imperfection. */
export type Hit = Flawed | Silenced | Skewed | Displaced;

export const whatOf = (hit: Hit): Labelled => ('what' in hit ? hit.what : hit.displacement.what);

const silenceOf = ({ from, until }: Silence): Pick<Label, 'from' | 'until'> => {
  const iso = isoFormatter(utc);
  return { from: iso(from), until: iso(until) };
};

const damageOf = ({ damaged }: Flawed): Partial<Label> =>
  damaged === null
    ? {}
    : {
        ...(damaged.kind === 'truncated' ? {} : { kind: damaged.kind }),
        position: damaged.at,
        ...lineOf(damaged.bytes),
      };

const sizeOf = (hit: Hit): Partial<Label> => {
  if ('displacement' in hit) {
    const { displacement } = hit;
    if (displacement.what === 'late') return { seconds: displacement.seconds };
    if (displacement.what === 'out_of_order') return { places: displacement.places };
    return silenceOf(displacement.silence);
  }
  if (hit.what === 'skewed') return { seconds: hit.seconds };
  return hit.what === 'silenced' ? silenceOf(hit.silence) : damageOf(hit);
};

/** `text`: the event before the formatter. */
export const labelOf = (hit: Hit, text: string, { at, output }: Pick<Label, 'at' | 'output'>): Label => ({
  at,
  output,
  event: hit.ordinal + 1,
  mark: markOf(text),
  what: whatOf(hit),
  ...sizeOf(hit),
});

/** What `spate verify` needs of a label. */
export interface ReadLabel {
  readonly output: string;
  readonly stream: number | null;
  readonly sequence: number | null;
  readonly what: Labelled;
  readonly event: number;
  readonly bytes: number | null;
  readonly crc: string | null;
}

const MARK = /^([0-9a-f]{8}):(\d{1,16})$/;

const isLabelled = (value: unknown): value is Labelled => (LABELLED as readonly unknown[]).includes(value);

/** Parses a line of the ground truth. Returns null when it is no label. */
export const readLabel = (line: string): ReadLabel | null => {
  const value = parsedJson(line);
  if (!isJsonObject(value)) return null;
  const { output, event, mark, what, bytes, crc } = value;
  if (typeof output !== 'string' || typeof event !== 'number' || !isLabelled(what)) return null;
  const [, stream, sequence] = MARK.exec(typeof mark === 'string' ? mark : '') ?? [];
  return {
    output,
    event,
    what,
    stream: stream === undefined ? null : Number.parseInt(stream, 16),
    sequence: sequence === undefined ? null : Number(sequence),
    bytes: typeof bytes === 'number' ? bytes : null,
    crc: typeof crc === 'string' ? crc : null,
  };
};
