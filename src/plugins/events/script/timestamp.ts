import * as E from 'fp-ts/lib/Either.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import { MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import type { Zone } from '../../../domain/time/zone.js';

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
