import { statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../../domain/errors.js';
import type { JsonObject } from '../../../../domain/json.js';
import { WHOLE } from '../../../../domain/partitions.js';
import type { Python } from '../../../../ports/python.js';
import type { Built, EventContext, EventProducer } from '../../../kit.js';
import { generatorFile } from '../../../shared/generatorFile.js';
import type { Marker } from '../../shared/marker.js';
import { shownPath } from '../thrown.js';
import { loadedChild } from './child.js';
import { isPython } from './ending.js';
import { answerGlobals, globalsLock } from './globals.js';
import { pythonProducer } from './producer.js';

/** Lock of this thread. The members of a scenario share it. */
const lock = globalsLock();

const DEFAULT_INTERPRETER = 'python3';

/** A name is searched on PATH, a path starts at the folder of the generator. */
const interpreterOf = (given: string | null, context: EventContext): string => {
  if (given === null) return DEFAULT_INTERPRETER;
  return given.includes('/') ? generatorFile(context, given) : given;
};

const checkFile = (file: string, shown: string): string | null => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return `${shown} does not exist (looked for ${file})`;
  return found.isFile() ? null : `${shown} is not a file`;
};

const initOf = (
  file: string,
  shown: string,
  python: Python,
  marker: Marker | null,
  context: EventContext,
): JsonObject => ({
  file,
  shown,
  directory: context.directory,
  drafts: Object.fromEntries([...(context.drafts ?? [])].filter(([path]) => isPython(path))),
  zone: context.zone.id,
  params: context.params,
  partition: { ...(context.partition ?? WHOLE) },
  seed: String(context.random.fork('python').uint32()),
  memory_mb: python.memory_mb,
  parent: python.pid,
  counts_calls: marker !== null,
});

/** Runs a Python script in a process of its own. */
export const buildPython = async (
  { file, interpreter, marker }: { file: string; interpreter: string | null; marker: Marker | null },
  context: EventContext,
): Built<EventProducer> => {
  const { directory, python, clock, log, signal, globals } = context;
  const shown = shownPath(file, directory);
  const refuse = (sentence: string) => E.left(failure('plugin_failed', `script ${sentence}`, { file }));
  const wrong = context.drafts?.has(file) === true ? null : checkFile(file, shown);
  if (wrong !== null) return refuse(wrong);
  if (python === undefined) return refuse(`${shown}: Python scripts cannot run here`);
  const self = {};
  const child = await loadedChild(
    {
      python,
      interpreter: interpreterOf(interpreter, context),
      directory,
      shown,
      env: {
        // Hashes of strings, and so the order of sets, follow the seed.
        PYTHONHASHSEED: String(context.random.fork('python hashes').uint32()),
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONUTF8: '1',
      },
      clock,
      log,
      signal,
      onAsked: (asked, tell) => {
        const [operation] = Array.isArray(asked) ? asked : [];
        if (operation === 'acquire') return void lock.acquire(self).then(() => tell({}));
        if (operation !== 'release') return tell(answerGlobals(globals, asked));
        lock.release(self);
        tell({});
      },
      onEnd: () => lock.release(self),
    },
    initOf(file, shown, python, marker, context),
  );
  return E.map((loaded: typeof child extends E.Either<unknown, infer A> ? A : never) =>
    pythonProducer({ child: loaded, marker, shown, context }),
  )(child);
};
