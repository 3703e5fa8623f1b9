import { fstatSync, readSync } from 'node:fs';
import { withInputFileSync } from '../../shared/inputFile.js';

/** What a file was when the recording was opened. */
export interface FileIdentity {
  /** As the config has it. */
  readonly name: string;
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  /** In bytes; what is appended later is not read. */
  readonly size: number;
  /** Last change, in microseconds. */
  readonly changed: number;
}

/** Throws system errors, and `Error` for anything but a regular file. */
export const identify = (name: string, path: string): FileIdentity =>
  withInputFileSync(path, (fd) => {
    const { dev, ino, size, mtimeMs } = fstatSync(fd);
    return { name, path, device: dev, inode: ino, size, changed: Math.floor(mtimeMs * 1000) };
  });

/** Reads at a position on this thread: an input gives its timestamps without waiting. Throws if the file is another one now. */
const readAt = (file: FileIdentity, into: Buffer, at: number, length: number, position: number): void =>
  withInputFileSync(file.path, (fd) => {
    const { dev, ino } = fstatSync(fd);
    if (dev !== file.device || ino !== file.inode) {
      throw new Error(`${file.name} was replaced while it was read. Replay a copy of logs that are rotated`);
    }
    for (let done = 0; done < length; ) {
      const count = readSync(fd, into, at + done, length - done, position + done);
      if (count === 0) throw new Error(`${file.name} was truncated while it was read. Replay a copy of it`);
      done += count;
    }
  });

/** Bytes `start..end` of `bytes` are those of the file from `position` on. */
export interface FileWindow {
  bytes: Buffer;
  start: number;
  end: number;
  /** Offset in the file of `start`. */
  readonly offset: () => number;
  /** Reads more behind `end`, keeping what is unread. False at the end of the file. */
  readonly more: () => boolean;
  readonly seek: (offset: number) => void;
}

export const fileWindow = (file: FileIdentity, chunk_bytes: number): FileWindow => {
  /** Offset in the file of `end`. */
  let position = 0;
  const window: FileWindow = {
    bytes: Buffer.alloc(0),
    start: 0,
    end: 0,
    offset: () => position - (window.end - window.start),
    more: () => {
      const wanted = Math.min(chunk_bytes, file.size - position);
      if (wanted <= 0) return false;
      const rest = window.end - window.start;
      if (window.bytes.length < rest + wanted) {
        const larger = Buffer.allocUnsafeSlow(Math.max(rest + wanted, rest * 2));
        window.bytes.copy(larger, 0, window.start, window.end);
        window.bytes = larger;
      } else window.bytes.copyWithin(0, window.start, window.end);
      window.start = 0;
      window.end = rest;
      readAt(file, window.bytes, rest, wanted, position);
      window.end += wanted;
      position += wanted;
      return true;
    },
    seek: (offset) => {
      position = offset;
      window.start = 0;
      window.end = 0;
    },
  };
  return window;
};
