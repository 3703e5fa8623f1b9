import type { Zone } from '../../../domain/time/zone.js';
import { parsedEvent, pointerReader } from '../shared/eventValues/pointer.js';
import { isPointed, type Source, sourceReader, textOf } from '../shared/eventValues/source.js';
import { nanosOf } from '../shared/eventValues/time.js';
import { severityOf } from './severity.js';

/** A log record of the OpenTelemetry data model. */
export interface LogRecord {
  /** Nanoseconds since 1970. */
  readonly time: bigint;
  readonly observed: bigint;
  /** 1..24; 0: unknown. */
  readonly severity: number;
  readonly severityText: string | null;
  /** Any JSON value, or text as UTF-8. */
  readonly body: unknown;
  readonly attributes: readonly (readonly [key: string, value: unknown])[];
  /** Hex; `null`: absent or invalid. */
  readonly traceId: string | null;
  readonly spanId: string | null;
}

export interface RecordOptions {
  readonly content: 'auto' | 'json' | 'text';
  readonly body: string | null;
  readonly time: string | null;
  readonly severity: Source | null;
  readonly attributes: Readonly<Record<string, Source>>;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly zone: Zone;
}

const NO_ATTRIBUTES: LogRecord['attributes'] = [];

const idReader = (pointer: string | null, digits: number): ((document: unknown) => string | null) => {
  if (pointer === null) return () => null;
  const read = pointerReader(pointer);
  const spelling = new RegExp(`^[0-9a-f]{${digits}}$`, 'i');
  return (document) => {
    const id = read(document);
    // All zeros mean no id.
    return typeof id === 'string' && spelling.test(id) && /[^0]/.test(id) ? id.toLowerCase() : null;
  };
};

const isObject = (document: unknown): boolean => typeof document === 'object' && document !== null;

export interface RecordMaker {
  /** The record of an event that is observed at `now`; `null`: the event is not JSON, and must be. */
  readonly recordOf: (event: string, now: bigint) => LogRecord | null;
  /** Whether the records of all texts that are not JSON differ in their bodies only. */
  readonly isUniform: boolean;
}

export const recordMaker = (options: RecordOptions): RecordMaker => {
  const { content, zone } = options;
  const readTime = options.time === null ? null : pointerReader(options.time);
  const readBody = options.body === null ? null : pointerReader(options.body);
  const readSeverity = sourceReader(options.severity);
  const sources = Object.entries(options.attributes);
  const attributes = sources.map(([key, source]) => ({ key, read: sourceReader(source) }));
  const traceId = idReader(options.trace_id, 32);
  const spanId = idReader(options.span_id, 16);
  const hasPointers =
    [options.time, options.body, options.trace_id, options.span_id].some((pointer) => pointer !== null) ||
    [options.severity, ...Object.values(options.attributes)].some(isPointed);
  const mustParse = content !== 'text' || hasPointers;
  const bodyOf = (event: string, document: unknown): unknown => {
    const pointed = readBody?.(document);
    if (pointed !== undefined) return pointed;
    return content === 'json' || (content === 'auto' && isObject(document)) ? document : event;
  };
  const recordOf: RecordMaker['recordOf'] = (event, now) => {
    const document = mustParse ? parsedEvent(event) : undefined;
    if (content === 'json' && document === undefined) return null;
    const severityText = textOf(readSeverity(document));
    const given =
      attributes.length === 0
        ? NO_ATTRIBUTES
        : attributes
            .map(({ key, read }) => [key, read(document)] as const)
            .filter(([, value]) => value !== undefined);
    return {
      time: (readTime === null ? null : nanosOf(readTime(document), zone)) ?? now,
      observed: now,
      severity: severityOf(severityText),
      severityText,
      body: bodyOf(event, document),
      attributes: given,
      traceId: traceId(document),
      spanId: spanId(document),
    };
  };
  return { recordOf, isUniform: content !== 'json' && !hasPointers };
};
