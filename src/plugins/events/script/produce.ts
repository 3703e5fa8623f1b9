import * as E from 'fp-ts/lib/Either.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import { MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import type { Zone } from '../../../domain/time/zone.js';

/** Thrown by `drop()` and `exhaust()`. Shared, so a call costs no stack trace. */
export const DROP_SIGNAL = new Error('drop() ends the call of produce: do not catch this');
export const EXHAUST_SIGNAL = new Error('exhaust() ends the call of produce: do not catch this');

/** Functions for scripts: in the argument of `produce`, and from `import { drop, exhaust } from 'spate'`. */
interface Signals {
  /** Ends the call without an event; the timestamp counts as dropped. */
  readonly drop: () => never;
  /** Ends the call without an event, then the generator. */
  readonly exhaust: () => never;
}

export const SIGNALS: Signals = Object.freeze({
  drop: (): never => {
    throw DROP_SIGNAL;
  },
  exhaust: (): never => {
    throw EXHAUST_SIGNAL;
  },
});

export const resultTypeName = (value: unknown): string => {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined (is a return missing?)';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return 'array';
  const name: unknown = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'object';
};

const MAX_NAMED = 5;

/**
 * Adds the events of one call, a string or an array of strings. Returns `null`, or the error; then nothing is added.
 */
export const addEvents = (result: unknown, events: string[]): string | null => {
  if (typeof result === 'string') {
    events.push(result);
    return null;
  }
  if (!Array.isArray(result))
    return `produce returned ${resultTypeName(result)}, not a string or an array of strings`;
  const items: readonly unknown[] = result;
  const before = events.length;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'string') events.push(item);
    else {
      events.length = before;
      return `produce returned an array with ${othersIn(items)} among its items, not only strings`;
    }
  }
  return null;
};

const othersIn = (items: readonly unknown[]): string => {
  const names = new Set<string>();
  for (const item of items) {
    if (typeof item !== 'string') names.add(item === undefined ? 'undefined' : resultTypeName(item));
    if (names.size === MAX_NAMED) break;
  }
  return [...names].join(', ');
};

/** Timestamp of an event for scripts; prints ISO 8601 with the offset of the zone. */
interface ScriptTimestamp {
  readonly epochMilliseconds: number;
  readonly epochMicroseconds: number;
  readonly timeZoneId: string;
  /** Text in a strftime format, e.g. `%d/%b/%Y:%H:%M:%S %z`. */
  readonly strftime: (format: string) => string;
  readonly toDate: () => Date;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

const MAX_FORMATS = 64;

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Makes timestamps: one small object each, everything else is on the prototype. */
export const timestampMaker = (zone: Zone): ((micros: Micros) => ScriptTimestamp) => {
  const iso = isoFormatter(zone);
  const formats = new Map<string, (micros: Micros) => string>();

  const formatter = (format: string): ((micros: Micros) => string) => {
    const known = formats.get(format);
    if (known !== undefined) return known;
    const compiled = compileStrftime(format, zone);
    if (E.isLeft(compiled)) throw new RangeError(`strftime(${JSON.stringify(format)}): ${compiled.left}`);
    if (formats.size >= MAX_FORMATS) formats.clear();
    formats.set(format, compiled.right);
    return compiled.right;
  };

  class Timestamp implements ScriptTimestamp {
    readonly #micros: Micros;

    constructor(micros: Micros) {
      this.#micros = micros;
    }
    get epochMilliseconds(): number {
      return Math.floor(this.#micros / MICROS_PER_MS);
    }
    get epochMicroseconds(): number {
      return this.#micros;
    }
    get timeZoneId(): string {
      return zone.id;
    }
    strftime(format: string): string {
      return formatter(String(format))(this.#micros);
    }
    toDate(): Date {
      return new Date(this.epochMilliseconds);
    }
    toString(): string {
      return iso(this.#micros);
    }
    toJSON(): string {
      return iso(this.#micros);
    }
    [Symbol.toPrimitive](hint: string): string | number {
      return hint === 'number' ? this.epochMilliseconds : iso(this.#micros);
    }
    [INSPECT](): string {
      return iso(this.#micros);
    }
  }
  return (micros) => new Timestamp(micros);
};
