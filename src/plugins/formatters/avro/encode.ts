import type { Zone } from '../../../domain/time/zone.js';
import type { Sink } from './sink.js';

/** Why a value does not fit its type, and where it stands, as a JSON pointer. */
export interface Misfit {
  readonly path: string;
  readonly what: string;
}

/** How values of a type are written. */
export interface Codec {
  /** Appends a value. Returns null when it is written. After a misfit the sink holds a part of it. */
  readonly write: (value: unknown, sink: Sink) => Misfit | null;
  /** Whether the JSON type of a value is that of this type: picks the branch of a union. */
  readonly fits: (value: unknown) => boolean;
}

export interface CodecOptions {
  /** Time zone of local times in ISO 8601. */
  readonly zone: Zone;
}

export const misfit = (what: string): Misfit => ({ path: '', what });

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The same misfit, seen from the value around it. */
export const within = (key: string, { path, what }: Misfit): Misfit => ({
  path: `/${escaped(key)}${path}`,
  what,
});

/** One sentence for logs. */
export const misfitText = ({ path, what }: Misfit): string => `${path === '' ? 'the event' : path} ${what}`;

export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
