import {
  appendFileSync,
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readSync,
} from 'node:fs';
import type { JsonObject } from '../../src/domain/json.js';

/** A destination that can be struck while events flow into it. */
export interface Peer {
  /** Parameters of the output. */
  readonly params: JsonObject;
  readonly kill: () => Promise<unknown>;
  readonly start: () => Promise<unknown>;
  /** Everything that arrived, an event a line. */
  readonly arrived: () => AsyncIterable<Buffer | string>;
  readonly remove: () => Promise<unknown>;
}

export interface LossCase {
  /** Name of the plugin. */
  readonly output: string;
  /** Why it cannot run here; `null`: it can. */
  readonly lack: string | null;
  /** What a kill means. */
  readonly kill: string;
  /** Whether the README promises that nothing is lost. */
  readonly isPromised: boolean;
  /** Whether events must be JSON. */
  readonly isJson?: true;
  /** The struck process is Spate, which resumes. */
  readonly isSelf?: true;
  readonly start: (folder: string) => Promise<Peer>;
}

export const lackOf = (is: boolean, needs: string): string | null => (is ? null : needs);

export const linesOf = (path: string): ReadStream => createReadStream(path);

/** Ends the line that a killed peer was writing, so that it does not join the next one. */
const endLine = (path: string): void => {
  const file = openSync(path, 'r');
  const last = Buffer.from('\n');
  const { size } = fstatSync(file);
  if (size > 0) readSync(file, last, 0, 1, size - 1);
  closeSync(file);
  if (last[0] !== 0x0a) appendFileSync(path, '\n');
};

/** How to start a peer again that appends lines to a file. */
export const restart =
  (file: string, start: () => Promise<unknown>): Peer['start'] =>
  async () => {
    endLine(file);
    await start();
  };
