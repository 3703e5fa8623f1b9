import { Writable } from 'node:stream';
import type { LogLevel } from '../../domain/errors.js';
import { MAX_MESSAGE_CHARS, shortened } from '../../domain/text/shown.js';

/** Receives text written to a standard stream, or a warning of Node. */
type TakeText = (level: LogLevel, text: string, source: 'stdout' | 'stderr' | 'warning') => void;

const MAX_BYTES_PER_CHAR = 3;

/** Decodes no more than a log message can hold. */
const textOf = (chunk: string | Uint8Array): string => {
  if (typeof chunk === 'string') return chunk;
  const bytes = chunk.subarray(0, MAX_MESSAGE_CHARS * MAX_BYTES_PER_CHAR + 1);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
};

const streamTo = (take: (text: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      const text = textOf(chunk).replace(/\n$/, '');
      if (text !== '') take(text);
      done();
    },
  });

/**
 * Replaces the standard streams and the warning printer. Those of Node message the main thread without limit: a
 * script that prints each event would block the API.
 */
export const ownStreams = (take: TakeText): void => {
  for (const [source, level] of [
    ['stdout', 'info'],
    ['stderr', 'warning'],
  ] as const) {
    let stream: Writable | null = null;
    Object.defineProperty(process, source, {
      configurable: true,
      enumerable: true,
      // Lazy: most threads never print.
      get: () => {
        stream ??= streamTo((text) => take(level, text, source));
        return stream;
      },
    });
  }
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    // Disabled for these threads (`--disable-warning`).
    if (warning.name === 'ExperimentalWarning') return;
    take('warning', `${shortened(warning.name)}: ${shortened(warning.message)}`, 'warning');
  });
};
