import { failure } from '../../../domain/errors.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { Missed } from '../../kit.js';
import { priorityOf } from '../../shared/syslogFields.js';
import { headerWriter, structuredElement } from '../../shared/syslogHeader.js';
import { type Framing, makeFrames } from '../shared/socket/frames.js';

interface SyslogMessages {
  readonly bytes: Buffer;
  readonly ends: ArrayLike<number>;
  readonly count: number;
  readonly failed: number;
  readonly missed?: readonly Missed[];
  /** Position in the batch of each message. Undefined when it is the number of the message. */
  readonly positions?: readonly number[];
}

interface MessageOptions {
  readonly framing: Framing;
  readonly headerAt: (now: Micros) => Buffer;
  readonly hasMark: boolean;
  readonly max_bytes: number;
  readonly now: () => Micros;
}

const positionsWithout = (count: number, unfit: readonly number[]): readonly number[] => {
  const left_out = new Set(unfit);
  return Array.from({ length: count }, (_, index) => index).filter((index) => !left_out.has(index));
};

/** Turns a batch into framed messages with one header. */
export const syslogMessageMaker =
  ({ framing, headerAt, hasMark, max_bytes, now }: MessageOptions) =>
  (batch: EventBatch): SyslogMessages => {
    const { bytes: events, ends: eventEnds } = batch.encoded();
    const items = {
      bytes: Buffer.from(events.buffer, events.byteOffset, events.byteLength),
      ends: eventEnds,
      trailer_bytes: 1,
      failed: 0,
    };
    const header = headerAt(now());
    const { bytes, ends, count, unfit } = makeFrames(items, { framing, header, hasMark, max_bytes });
    if (unfit.length === 0) return { bytes, ends, count, failed: 0 };
    const what = Number.isFinite(max_bytes)
      ? `the message is empty or longer than max_message_bytes (${max_bytes})`
      : 'an empty message has no frame';
    const reason = failure('unroutable', `output syslog: ${what}. Change the event.`);
    return {
      ...{ bytes, ends, count, failed: 0 },
      missed: [{ items: unfit, reason }],
      positions: positionsWithout(batch.count, unfit),
    };
  };

type Structured = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What stands before each event. */
export interface HeaderParts {
  readonly format: 'rfc5424' | 'rfc3164' | 'raw';
  readonly facility: string;
  readonly severity: string;
  readonly hostname: string;
  readonly app_name: string;
  readonly procid: string | null;
  readonly msgid: string | null;
  readonly structured_data: Structured | null;
}

const structuredText = (data: Structured | null): string =>
  Object.entries(data ?? {})
    .map(([id, params]) => structuredElement(id, Object.entries(params)))
    .join('');

/** The header of messages sent at a time. */
export const headerMaker = (parts: HeaderParts, zone: Zone): ((now: Micros) => Buffer) => {
  const { format, facility, severity, structured_data } = parts;
  if (format === 'raw') return () => Buffer.alloc(0);
  const write = headerWriter(format, zone);
  const words = {
    ...parts,
    priority: priorityOf(facility, severity),
    structured: structuredText(structured_data),
  };
  return (now) => Buffer.from(write(now, words));
};
