import type { Readable, Writable } from 'node:stream';
import { MAX_MESSAGE_CHARS } from '../../domain/text/shown.js';

/** Longest frame: the largest scenario state with encoding overhead. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024;

const LENGTH_BYTES = 4;

/** Frame: length as 4 bytes big-endian, then the content. */
export const writeFrame = (to: Writable, frame: Uint8Array): void => {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(frame.length);
  to.write(length);
  to.write(frame);
};

/** Reads frames until the stream ends. A frame over the limit calls `onBroken` and ends reading. */
export const readFrames = (
  from: Readable,
  events: { readonly onFrame: (frame: Buffer) => void; readonly onBroken: (reason: string) => void },
): void => {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted: number | null = null;
  let isBroken = false;

  const take = (bytes: number): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    chunks = all.length === bytes ? [] : [all.subarray(bytes)];
    held -= bytes;
    return all.subarray(0, bytes);
  };

  from.on('data', (chunk: Buffer) => {
    if (isBroken) return;
    chunks.push(chunk);
    held += chunk.length;
    while (held >= (wanted ?? LENGTH_BYTES)) {
      if (wanted === null) {
        wanted = take(LENGTH_BYTES).readUInt32BE();
        if (wanted <= MAX_FRAME_BYTES) continue;
        isBroken = true;
        chunks = [];
        events.onBroken(`its process sent an invalid frame: its length would be ${wanted} bytes`);
        return;
      }
      const frame = take(wanted);
      wanted = null;
      events.onFrame(frame);
    }
  });
};

/** Calls `onLine` for each line of a stream of UTF-8, also a last one without end. The rest of a long line is left out. */
export const readLines = (from: Readable, onLine: (line: string) => void): void => {
  let line = '';
  const add = (text: string): void => {
    if (line.length <= MAX_MESSAGE_CHARS) line += text.slice(0, MAX_MESSAGE_CHARS + 1);
  };
  const give = (): void => {
    if (line !== '') onLine(line);
    line = '';
  };
  from.setEncoding('utf8');
  from.on('data', (text: string) => {
    const parts = text.split('\n');
    parts.forEach((part, index) => {
      add(part);
      if (index < parts.length - 1) give();
    });
  });
  from.on('end', give);
};
