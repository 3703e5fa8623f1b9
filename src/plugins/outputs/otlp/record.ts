import { givenText, parsedJson } from '../../../domain/json.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { Log } from '../../../ports/log.js';
import { eventTime } from '../../shared/eventTime.js';
import { compileText } from '../../shared/text/compile.js';
import { type ConfigValue, compileValue, compileValues } from '../../shared/text/field.js';

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

interface RecordMaker {
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

/** First number of each range of the data model, by the names that loggers use, syslog included. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...['trace', 'verbose', 'finest', 'finer'].map((name) => [name, 1] as const),
  ...['debug', 'fine', 'config'].map((name) => [name, 5] as const),
  ...['info', 'information', 'informational', 'log'].map((name) => [name, 9] as const),
  ['notice', 10],
  ...['warn', 'warning'].map((name) => [name, 13] as const),
  ...['error', 'err', 'severe', 'failure'].map((name) => [name, 17] as const),
  ...['critical', 'crit'].map((name) => [name, 18] as const),
  ['alert', 19],
  ...['fatal', 'emergency', 'emerg', 'panic'].map((name) => [name, 21] as const),
]);

const MAX_SEVERITY = 24;

/** Severity number of a name such as `warn` or `INFO2`, or of a number from 1 to 24; 0: unknown. */
export const severityOf = (text: string | null): number => {
  if (text === null) return 0;
  const name = text.trim().toLowerCase();
  const known = NUMBERS.get(name);
  if (known !== undefined) return known;
  const step = /^(trace|debug|info|warn|error|fatal)([2-4])$/.exec(name);
  if (step !== null) return (NUMBERS.get(step[1] as string) ?? 0) + Number(step[2]) - 1;
  const number = /^\d{1,2}$/.test(name) ? Number(name) : 0;
  return number <= MAX_SEVERITY ? number : 0;
};

const MAX_LOGGED = 3;

/** Returns what makes the records of events; those that must be JSON and are not are logged and left out. */
export const batchRecords =
  ({ recordOf }: Pick<RecordMaker, 'recordOf'>, log: Log) =>
  (events: readonly string[], now: bigint): readonly LogRecord[] => {
    const records: LogRecord[] = [];
    let logged = 0;
    for (const event of events) {
      const record = recordOf(event, now);
      if (record !== null) records.push(record);
      else if (logged++ < MAX_LOGGED) {
        log.write('error', 'event dropped: it is not JSON', { original_event: event });
      }
    }
    return records;
  };
