import { existsSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { mergeStats } from '../../../actors/partitions/parts.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { isoFormatter } from '../../domain/time/iso.js';
import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { utc } from '../../domain/time/zone.js';
import type { GeneratorStats } from '../../messages/generators.js';
import { ownDescriptor, standardStream, writeAll } from '../../plugins/outputs/shared/descriptor.js';
import { systemFailure } from '../../plugins/outputs/shared/errors.js';
import { openSingleHost, type SingleHost, type SingleOptions, type SingleRun } from './single.js';

/**
 * A history made in pieces of time, several at once: each is a run of its own, with its own state and random numbers. Where
 * pieces begin depends on the time alone, so any number of workers makes the same events.
 */
interface PiecesOptions extends Omit<SingleOptions, 'partitions' | 'change' | 'state'> {
  readonly begin: Micros;
  /** Exclusive. */
  readonly end: Micros;
  readonly workers: number;
  readonly seed: string;
}

export interface Piece {
  readonly begin: Micros;
  readonly end: Micros;
}

/** Lengths of pieces by the whole time: at least eight pieces, so that workers end together, and few, as each begins anew. */
const LENGTHS = [
  { from: 8 * MICROS_PER_DAY, length: MICROS_PER_DAY },
  { from: 2 * MICROS_PER_DAY, length: 6 * MICROS_PER_HOUR },
  { from: MICROS_PER_DAY, length: 3 * MICROS_PER_HOUR },
  { from: 8 * MICROS_PER_HOUR, length: MICROS_PER_HOUR },
] as const;
const SHORTEST = 10 * MICROS_PER_MINUTE;

/** The pieces of a time, cut at whole days, hours or tens of minutes of UTC. */
export const piecesOf = (begin: Micros, end: Micros): readonly Piece[] => {
  const length = LENGTHS.find(({ from }) => end - begin >= from)?.length ?? SHORTEST;
  const pieces: Piece[] = [];
  for (let at = begin; at < end; ) {
    const next = Math.min(end, (Math.floor(at / length) + 1) * length);
    pieces.push({ begin: at, end: next });
    at = next;
  }
  return pieces;
};

/** Runs the pieces of a time with several workers. The counters are those of all pieces so far. */
export const runPieces = ({ begin, end, workers, seed, ...single }: PiecesOptions): SingleRun => {
  const pieces = piecesOf(begin, end);
  const { id } = single.params;
  const isoText = isoFormatter(utc);
  const running = new Map<number, SingleRun>();
  const stopping = new AbortController();
  let done: GeneratorStats | null = null;
  let problem: SpateError | null = null;
  let next = 0;

  const stop = (): void => {
    stopping.abort();
    for (const run of running.values()) run.stop();
  };
  const failWith = (error: SpateError): void => {
    problem ??= error;
    stop();
  };
  const summed = (parts: readonly (GeneratorStats | null)[]): GeneratorStats | null => {
    const known = parts.filter((part) => part !== null);
    return known.length === 0 ? null : mergeStats(id, known);
  };

  /** Runs a piece and returns what it made of shared outputs, complete or not. */
  const runPiece = async (host: SingleHost, index: number, folder: string): Promise<MadePiece> => {
    const piece = pieces[index] as Piece;
    let parts: readonly Part[] = [];
    const run = host.run({
      // It begins at its time, whatever the inputs say: what is before is in the pieces before.
      params: {
        ...single.params,
        live_mode: true,
        skip_past: true,
        from: isoText(piece.begin),
        seed,
      },
      tweaks: {
        ...single.tweaks,
        never_waits: true,
        until: piece.end,
        piece: { index, count: pieces.length },
      },
      change: (definition) =>
        E.map((shared: readonly Shared[]) => {
          parts = shared.map((output) => ({ output, file: fileOf(output, index, folder) }));
          return writingTo(parts, definition);
        })(sharedOf(definition)),
    });
    running.set(index, run);
    const { error, stats } = await run.ended;
    running.delete(index);
    done = summed([done, stats === null ? null : named(stats, parts)]);
    if (error !== null) failWith(error);
    const isComplete = error === null && !stopping.signal.aborted;
    return { parts, isComplete, events: stats?.event.produced ?? 0 };
  };

  const runAll = async (): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'spate-pieces-'));
    const joiner = makeJoiner(failWith);
    const work = async (): Promise<void> => {
      const host = openSingleHost({ ...single, state: null });
      try {
        while (next < pieces.length && !stopping.signal.aborted) {
          const index = next++;
          await joiner.add(index, await runPiece(host, index, folder));
        }
      } finally {
        host.close();
      }
    };
    await Promise.all(Array.from({ length: Math.min(workers, pieces.length) }, work));
    const events = await joiner.end(problem === null);
    if (events > 0) {
      const why = 'pieces of time after the one where the run ended are not written: they would leave a gap';
      single.log.write('warning', why, { events });
    }
    await rm(folder, { recursive: true, force: true });
  };

  return {
    ended: runAll().then(() => ({ error: problem, stats: done })),
    stats: async () =>
      summed([done, ...(await Promise.all([...running.values()].map((run) => run.stats())))]),
    stop,
  };
};

/** An output that the pieces share: a file, or standard output without a path. */
interface Shared {
  /** Number in the config, from 0. */
  readonly place: number;
  /** Absolute path. Null for standard output. */
  readonly path: string | null;
  readonly isEmptied: boolean;
}

/** What a piece made of a shared output, in a file of its own. */
interface Part {
  readonly output: Shared;
  readonly file: string;
}

interface MadePiece {
  readonly parts: readonly Part[];
  readonly isComplete: boolean;
  readonly events: number;
}

/** Joins what pieces made, in their order. */
const makeJoiner = (failWith: (error: SpateError) => void) => {
  const made = new Map<number, MadePiece>();
  let joined = 0;
  let joining = Promise.resolve();

  /** Joins what is complete up to the first piece that is not. */
  const joinReady = async (): Promise<void> => {
    for (let piece = made.get(joined); piece?.isComplete === true; piece = made.get(joined)) {
      for (const part of piece.parts) {
        const error = await joinPart(part, joined === 0);
        if (error !== null) return failWith(error);
      }
      made.delete(joined++);
    }
  };

  return {
    add: (index: number, piece: MadePiece): Promise<void> => {
      made.set(index, piece);
      joining = joining.then(joinReady);
      return joining;
    },
    /** With `joinsNext` the next piece goes up to where it was stopped. Returns the events that nobody gets. */
    end: async (joinsNext: boolean): Promise<number> => {
      const next = made.get(joined);
      if (next !== undefined && joinsNext) {
        made.set(joined, { ...next, isComplete: true });
        await joinReady();
      }
      const rest = [...made.values()].filter(({ parts }) => parts.length > 0);
      await Promise.all(rest.flatMap(({ parts }) => parts.map(({ file }) => rm(file, { force: true }))));
      return rest.reduce((sum, { events }) => sum + events, 0);
    },
  };
};

/** Standard output keeps its name, although its parts are files. */
const named = (stats: GeneratorStats, parts: readonly Part[]): GeneratorStats => {
  const printed = new Set(parts.flatMap(({ output }) => (output.path === null ? [output.place + 1] : [])));
  const output = stats.output.map((each) =>
    printed.has(each.plugin_id) ? { ...each, plugin_name: 'stdout' } : each,
  );
  return { ...stats, output };
};

const paramsIn = (entry: Json, kind: string): JsonObject | null => {
  const params = isJsonObject(entry) ? entry[kind] : undefined;
  return params !== undefined && isJsonObject(params) ? params : null;
};

const outputsIn = ({ config }: GeneratorDefinition): readonly Json[] => {
  const outputs = isJsonObject(config) ? config['output'] : null;
  return Array.isArray(outputs) ? (outputs as readonly Json[]) : [];
};

/** Returns the outputs whose parts are joined in order. Others get the events of all pieces as they are made. */
const sharedOf = (definition: GeneratorDefinition): Result<readonly Shared[]> => {
  const found: Shared[] = [];
  for (const [place, entry] of outputsIn(definition).entries()) {
    if (paramsIn(entry, 'stdout')?.['stream'] === 'stdout')
      found.push({ place, path: null, isEmptied: false });
    const file = paramsIn(entry, 'file');
    const path = file?.['path'];
    if (typeof path !== 'string' || path.includes('{partition}')) continue;
    if (path.includes('{')) {
      const message = `output ${place + 1}: with --workers a path has no placeholder but {partition}, the number of the piece of time`;
      return E.left(failure('invalid', message));
    }
    const absolute = resolve(dirname(definition.params.path), path);
    found.push({ place, path: absolute, isEmptied: file?.['write_mode'] === 'overwrite' });
  }
  return E.right(found);
};

const fileOf = ({ place, path }: Shared, index: number, folder: string): string =>
  path === null ? join(folder, `${index}-${place}`) : `${path}.piece-${String(index + 1).padStart(5, '0')}`;

/** The definition of a piece, whose shared outputs are files of its own. */
const writingTo = (parts: readonly Part[], definition: GeneratorDefinition): GeneratorDefinition => {
  const outputs = [...outputsIn(definition)];
  const names = [...definition.plugins.outputs];
  for (const { output, file: path } of parts) {
    const { stdout, file, ...common } = outputs[output.place] as JsonObject;
    const { stream: _stream, flush_interval: _flush, ...own } = (stdout ?? file) as JsonObject;
    outputs[output.place] = { ...common, file: { ...own, path, write_mode: 'append' } };
    names[output.place] = 'file';
  }
  const config = { ...(definition.config as JsonObject), output: outputs };
  return { ...definition, config, plugins: { ...definition.plugins, outputs: names } };
};

/** Appends a part to its output and deletes it. Returns what went wrong, or null. */
const joinPart = async ({ output, file }: Part, isFirst: boolean): Promise<SpateError | null> => {
  const { path, isEmptied } = output;
  const failed = (thrown: unknown): SpateError =>
    systemFailure('unwritable', `cannot write ${path ?? 'standard output'}`, thrown);
  try {
    // A piece without events has no file.
    if (!existsSync(file)) return null;
    if (isFirst && path !== null && (isEmptied || !existsSync(path))) await rename(file, path);
    else {
      const problem = await append(file, path);
      if (problem !== null) return failed(problem);
      await rm(file);
    }
    return null;
  } catch (thrown) {
    return failed(thrown);
  }
};

const CHUNK_BYTES = 1 << 20;
const NO_SEPARATOR = Buffer.alloc(0);
/** A slow reader of standard output slows the run down, as without workers. */
const NEVER_ABORTED = new AbortController().signal;

/** Without a path, to standard output. Returns a system error, or null. */
const append = async (file: string, path: string | null): Promise<unknown> => {
  const source = await open(file, 'r');
  try {
    const into = path === null ? null : await open(path, 'a');
    const target = into === null ? await standardStream(1) : ownDescriptor(into.fd, true);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    try {
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES);
        if (bytesRead === 0) return null;
        const bytes = buffer.subarray(0, bytesRead);
        const within = { clock: systemClock, signal: NEVER_ABORTED };
        const { error } = await writeAll(target, bytes, NO_SEPARATOR, within);
        if (error !== null) return error;
      }
    } finally {
      await (into ?? target).close();
    }
  } finally {
    await source.close();
  }
};
