import { createReadStream, type ReadStream } from 'node:fs';
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
