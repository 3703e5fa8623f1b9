import * as E from 'fp-ts/lib/Either.js';
import type { DaemonOptions } from '../../../daemon.js';
import { plural } from '../../arguments/numbers.js';
import { destinationOf, outputsOf } from '../../files/outputs.js';
import type { Io, Services } from '../../terminal/io.js';

/** Generators listed at start; further ones are counted. */
const MAX_NAMED = 20;
/** Log lines wait this long for the destinations at most. */
const MAX_HOLD_MS = 2_000;

type Listening = Parameters<DaemonOptions['onListening']>[0];

const destinationLine = async (
  { id, path, params }: Listening['generators'][number],
  program: string,
): Promise<string> => {
  const outputs = await outputsOf(path);
  if (E.isRight(outputs)) {
    return `  ${id}: events to ${outputs.right.map((output) => destinationOf(output, path, params)).join(', ')}\n`;
  }
  return outputs.left.code === 'not_found'
    ? `  ${id}: ${path} does not exist: create it or change the path in the startup list\n`
    : `  ${id}: the config cannot be used: ${program} validate ${path}\n`;
};

const destinationLines = async (generators: Listening['generators'], program: string): Promise<string> => {
  const lines = await Promise.all(
    generators.slice(0, MAX_NAMED).map((generator) => destinationLine(generator, program)),
  );
  const rest = generators.length - lines.length;
  return `${lines.join('')}${rest > 0 ? `  and ${plural(rest, 'more generator')}\n` : ''}`;
};

/** Prints the address, then the destinations of events, then log lines. */
export const startAnnouncer = (
  { stderr: { write }, program }: Pick<Io, 'stderr' | 'program'>,
  { version, clock }: Pick<Services, 'version' | 'clock'>,
) => {
  let held: string[] | null = null;
  const release = (): void => {
    const lines = held ?? [];
    held = null;
    for (const line of lines) write(line);
  };
  const announce = async ({ url, hasUi, generators, place }: Listening): Promise<void> => {
    const name = `spate ${version}${place === null ? '' : `, node "${place.node}" of cluster "${place.cluster}",`}`;
    write(
      url === null
        ? `${name} runs without HTTP server (server.api_enabled is false)\n`
        : `${name} listens on ${url} (${hasUi ? 'web UI; ' : ''}API documentation: ${url}/api/docs)\n`,
    );
    held ??= [];
    const printed = new AbortController();
    void clock.sleepMs(MAX_HOLD_MS, printed.signal).then(release);
    write(await destinationLines(generators, program));
    printed.abort();
    release();
  };
  return {
    writeLog: (line: string): void => {
      if (held === null) write(line);
      else held.push(line);
    },
    announce: (info: Listening): void => void announce(info),
  };
};
