import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { pythonProcesses } from '../../../../../src/adapters/processes/pythonProcess.js';
import { systemClock } from '../../../../../src/adapters/systemClock.js';
import { Failed, type SpateError } from '../../../../../src/domain/errors.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../../../../src/domain/generator.js';
import { globalsView, makeOwnedGlobals } from '../../../../../src/domain/globals/owned.js';
import type { MarkMode } from '../../../../../src/domain/marks/mark.js';
import { seededRandom } from '../../../../../src/domain/random.js';
import { zoneOf } from '../../../../../src/domain/time/zone.js';
import { PYTHON_FILE } from '../../../../../src/host/singleThread.js';
import { scriptPlugin } from '../../../../../src/plugins/events/script/plugin.js';
import type { EventContext, EventProducer, Produced } from '../../../../../src/plugins/kit.js';
import type { Clock } from '../../../../../src/ports/clock.js';
import { writeFiles } from '../../../../support/library.js';
import { type LoggedLine, memoryLog } from '../../../../support/logs.js';
import { hasPython } from '../../../../support/programs.js';

export const HAS_PYTHON = hasPython("import zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin')");
export const NEEDS_PYTHON = '(needs python3 with zone data)';

/** 11:30:00.123456 in Berlin. */
const T0 = Date.UTC(2025, 0, 15, 10, 30) * 1000 + 123_456;
const MEMORY_MB = 256;

export type Outcome = Omit<Produced, 'events'> & { readonly events: readonly string[] };

export interface Script {
  readonly directory: string;
  /** Asks for so many timestamps, one second apart, until all are used. */
  readonly call: (count?: number, tags?: readonly string[]) => Promise<Outcome>;
  /** The error that ends the generator. */
  readonly failure: () => Promise<SpateError>;
  readonly producer: EventProducer;
  readonly lines: readonly LoggedLine[];
  readonly abort: () => void;
}

export interface ScriptOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly python?: string;
  readonly marks?: MarkMode;
  readonly clock?: Clock;
  readonly seed?: string;
  readonly drafts?: Readonly<Record<string, string>>;
  readonly more?: Partial<EventContext>;
}

/** Starts scripts in folders of their own. */
export const scriptStarter = () => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-python-'));
  const opened: EventProducer[] = [];
  let made = 0;

  const build = async (text: string, options: ScriptOptions) => {
    const directory = join(folder, `g ${++made}`);
    await writeFiles(directory, { 'produce.py': text, ...options.files });
    const { log, lines } = memoryLog();
    const controller = new AbortController();
    const zone = zoneOf('Europe/Berlin');
    if (zone === null) throw new Error('no zone');
    const context: EventContext = {
      directory,
      zone,
      clock: options.clock ?? systemClock,
      random: seededRandom(options.seed ?? '1'),
      log,
      signal: controller.signal,
      templates: { limits: DEFAULT_TEMPLATE_LIMITS, runCommand: null, isTraced: false },
      params: { answer: 42 },
      globals: globalsView(makeOwnedGlobals('home', {}, 0), []),
      python: pythonProcesses(PYTHON_FILE, MEMORY_MB),
      drafts: new Map(
        Object.entries(options.drafts ?? {}).map(([file, text]) => [join(directory, file), text]),
      ),
      ...options.more,
    };
    const params = { path: 'produce.py', marks: options.marks ?? null, python: options.python ?? null };
    const built = await scriptPlugin.build(params, context);
    return { built, directory, lines, abort: () => controller.abort() };
  };

  const start = async (text: string, options: ScriptOptions = {}): Promise<Script> => {
    const { built, ...rest } = await build(text, options);
    if (E.isLeft(built)) throw new Failed(built.left);
    const producer = built.right;
    opened.push(producer);
    const call = async (count = 1, tags: readonly string[] = []): Promise<Outcome> => {
      const micros = Float64Array.from({ length: count }, (_, index) => T0 + index * 1e6);
      const events: string[] = [];
      const total = { consumed: 0, failed: 0, dropped: 0, exhausted: false };
      while (total.consumed < count && !total.exhausted) {
        const request = { micros, from: total.consumed, to: count, tagsOf: () => tags, isSpent: () => false };
        const one = await producer.produce(request);
        events.push(...one.events.texts());
        total.consumed += one.consumed;
        total.failed += one.failed;
        total.dropped += one.dropped;
        total.exhausted = one.exhausted;
      }
      return { ...total, events };
    };
    const failure = (): Promise<SpateError> =>
      call().then(
        () => Promise.reject(new Error('the script goes on')),
        (thrown: unknown) => (thrown instanceof Failed ? thrown.error : Promise.reject(thrown as Error)),
      );
    return { ...rest, producer, call, failure };
  };

  /** Why a script cannot be built. */
  const refusal = async (text: string, options: ScriptOptions = {}): Promise<SpateError> => {
    const { built } = await build(text, options);
    if (E.isLeft(built)) return built.left;
    await built.right.close();
    throw new Error('the script was built');
  };

  return {
    start,
    refusal,
    remove: async () => {
      await Promise.all(opened.map((producer) => producer.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** A clock on which timers run when `pass` is called. */
export const handClock = (): { readonly clock: Clock; readonly pass: () => void } => {
  const timers = new Set<() => void>();
  const after: Clock['after'] = (_ms, run) => {
    timers.add(run);
    return () => void timers.delete(run);
  };
  const pass = (): void => {
    const due = [...timers];
    timers.clear();
    for (const run of due) run();
  };
  return { clock: { ...systemClock, after }, pass };
};
