import { givenText, parsedJson } from '../../../domain/json.js';
import type { Zone } from '../../../domain/time/zone.js';
import { eventTime } from '../../shared/eventTime.js';
import { compileText } from '../../shared/text/compile.js';
import { type ConfigValue, compileValue, compileValues } from '../../shared/text/values.js';
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
  /** Id in hex. Null when it is absent or invalid. */
  readonly traceId: string | null;
  readonly spanId: string | null;
}

export interface RecordOptions {
  readonly content: 'auto' | 'json' | 'text';
  readonly body: string | null;
  readonly time: string | null;
  readonly severity: ConfigValue | null;
  readonly attributes: Readonly<Record<string, ConfigValue>>;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly zone: Zone;
  readonly generator: string;
}

const NO_ATTRIBUTES: LogRecord['attributes'] = [];

const idReader = (written: string | null, digits: number): ((document: unknown) => string | null) => {
  if (written === null) return () => null;
  const read = compileText(written).value;
  const spelling = new RegExp(`^[0-9a-f]{${digits}}$`, 'i');
  return (document) => {
    const id = read(document);
    // All zeros mean no id.
    return typeof id === 'string' && spelling.test(id) && /[^0]/.test(id) ? id.toLowerCase() : null;
  };
};

const isObject = (document: unknown): boolean => typeof document === 'object' && document !== null;

export interface RecordMaker {
  /** Returns the record of an event that is observed at `now`, or null when the event is not JSON, but must be. */
  readonly recordOf: (event: string, now: bigint) => LogRecord | null;
  /** Whether the records of all texts that are not JSON differ in their bodies only. */
  readonly isUniform: boolean;
}

export const recordMaker = (options: RecordOptions): RecordMaker => {
  const { content, zone, generator, severity, body } = options;
  const time = eventTime(options.time, zone);
  const readBody = body === null ? null : compileText(body).value;
  const level = severity === null ? null : compileValue(severity, { generator });
  const attributes = compileValues(options.attributes, { generator });
  const traceId = idReader(options.trace_id, 32);
  const spanId = idReader(options.span_id, 16);
  const hasPointers =
    [options.time, body, options.trace_id, options.span_id].some((written) => written !== null) ||
    [level, ...attributes].some((text) => text?.readsJson === true);
  const mustParse = content !== 'text' || hasPointers;
  const bodyOf = (event: string, document: unknown): unknown => {
    const pointed = readBody?.(document);
    if (pointed !== undefined) return pointed;
    return content === 'json' || (content === 'auto' && isObject(document)) ? document : event;
  };
  const recordOf: RecordMaker['recordOf'] = (event, now) => {
    const document = mustParse ? parsedJson(event) : undefined;
    if (content === 'json' && document === undefined) return null;
    const severityText = level === null ? null : givenText(level.value(document));
    const given =
      attributes.length === 0
        ? NO_ATTRIBUTES
        : attributes
            .map(({ name, value }) => [name, value(document)] as const)
            .filter(([, value]) => value !== undefined);
    return {
      time: time.nanos(document) ?? now,
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
