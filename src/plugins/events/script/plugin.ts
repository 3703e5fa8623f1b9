import { Console } from 'node:console';
import { Writable } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type LogLevel, type Result } from '../../../domain/errors.js';
import type { Log } from '../../../ports/log.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Built, EventContext, EventPlugin, EventProducer } from '../../kit.js';
import { generatorFile } from '../../shared/generatorFile.js';
import { makeMarker } from '../shared/marker.js';
import { loadScript } from './loader/load.js';
import { scriptProducer } from './producer.js';
import { isPython } from './python/ending.js';
import { scriptSpec } from './spec.js';
import { shownPath } from './thrown.js';

const lines = (log: Log, level: LogLevel): Writable =>
  new Writable({
    decodeStrings: false,
    write: (text: string | Buffer, _encoding, done) => {
      log.write(level, String(text).replace(/\n$/, ''), { source: 'console' });
      done();
    },
  });

/** `console` of a script: writes to the log, because stdout may carry events. */
const scriptConsole = (log: Log): Console =>
  new Console({ stdout: lines(log, 'info'), stderr: lines(log, 'warning'), colorMode: false });

/** Returns the loaded script, or an error on teardown: top-level await may never end. */
const unlessTornDown = <A>(loading: Built<A>, signal: AbortSignal, file: string): Promise<Result<A>> =>
  new Promise((answer, reject) => {
    const stop = (): void =>
      answer(E.left(failure('plugin_failed', `script ${file} was stopped while loading`, { file })));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    loading.then(answer, reject).finally(() => signal.removeEventListener('abort', stop));
  });

const NO_DRAFTS: ReadonlyMap<string, string> = new Map();

const build = async (
  { path, marks, python }: ValueOf<typeof scriptSpec.fields>,
  context: EventContext,
): Built<EventProducer> => {
  const file = generatorFile(context, path);
  const marker = marks === null ? null : makeMarker(marks, context.random);
  if (isPython(file)) {
    const { buildPython } = await import('./python/build.js');
    return buildPython({ file, interpreter: python, marker }, context);
  }
  const { directory, drafts = NO_DRAFTS } = context;
  const loading = loadScript(file, { directory, drafts, console: scriptConsole(context.log) });
  const loaded = await unlessTornDown(loading, context.signal, file);
  if (E.isLeft(loaded)) return loaded;
  const shown = shownPath(file, context.directory);
  return E.right(scriptProducer({ ...loaded.right, marker, file: shown, context }));
};

export const scriptPlugin: EventPlugin<typeof scriptSpec.fields> = { spec: scriptSpec, build };
