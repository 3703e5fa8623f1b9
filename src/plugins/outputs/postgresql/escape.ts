import type { EncodedEvents } from '../../../domain/events/encodedEvents.js';

const LINE_FEED = 0x0a;
const BACKSLASH = 0x5c;

/** Second byte of the escape of a byte in COPY's text format; 0: none. */
const ESCAPES = new Uint8Array(256);
ESCAPES[BACKSLASH] = BACKSLASH;
ESCAPES[0x09] = 0x74;
ESCAPES[LINE_FEED] = 0x6e;
ESCAPES[0x0d] = 0x72;

const IN_TEXT: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A text as a field of COPY's text format. */
export const escapedText = (text: string): string =>
  /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (found) => IN_TEXT[found] as string) : text;

/** Bytes that need an escape; the line ends after events do not. */
const countEscapes = (bytes: Uint8Array, events: number): number => {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (ESCAPES[bytes[at] as number] !== 0) count++;
  return count - events;
};

/** Events as rows of one column in COPY's text format. Copies only if an event needs an escape. */
export const escaped = ({
  bytes,
  ends,
}: EncodedEvents): { readonly bytes: Buffer; readonly ends: Uint32Array } => {
  const more = countEscapes(bytes, ends.length);
  if (more === 0) return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), ends };
  const out = Buffer.allocUnsafe(bytes.length + more);
  const outEnds = new Uint32Array(ends.length);
  let from = 0;
  let to = 0;
  for (let index = 0; index < ends.length; index++) {
    const last = (ends[index] as number) - 1;
    for (; from < last; from++) {
      const byte = bytes[from] as number;
      const letter = ESCAPES[byte] as number;
      if (letter === 0) out[to++] = byte;
      else {
        out[to++] = BACKSLASH;
        out[to++] = letter;
      }
    }
    from++;
    out[to++] = LINE_FEED;
    outEnds[index] = to;
  }
  return { bytes: out, ends: outEnds };
};
