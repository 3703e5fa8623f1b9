import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { Output, PluginContext } from '../../../src/plugins/kit.js';
import type { Clock } from '../../../src/ports/clock.js';
import { type LoggedLine, memoryLog } from '../../support/logs.js';

/** Folders made by tests of this file; `removeFolders` is for `afterAll`. */
const folders: string[] = [];

export const newFolder = (): string => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-output-'));
  folders.push(folder);
  return folder;
};

export const removeFolders = (): void => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
};

/** A context without zone and random: outputs use neither. */
export const outputContext = (
  directory: string,
  clock: Clock = systemClock,
): { readonly context: PluginContext; readonly lines: LoggedLine[] } => {
  const { log, lines } = memoryLog();
  const context = { directory, clock, log, signal: new AbortController().signal } as unknown as PluginContext;
  return { context, lines };
};

export const opened = async (built: Promise<E.Either<unknown, Output>>): Promise<Output> => {
  const output = await built;
  if (E.isLeft(output)) throw new Error(`did not open: ${JSON.stringify(output.left)}`);
  return output.right;
};

export const never: AbortSignal = new AbortController().signal;

export const numbered = (count: number, width = 60): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${i}:`.padEnd(width, String(i % 10)));

export const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
