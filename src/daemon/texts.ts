import type { StartupTexts } from '../../actors/stores/startup.js';
import { systemClock } from '../adapters/systemClock.js';
import type { ConfigReader } from '../config/generator/config.js';
import type { Result } from '../domain/errors.js';
import { textHost } from '../host/textHost.js';
import { loadedSources } from '../plugins/loaded.js';
import { TEXT_TASKS, type TextTask, type TextTasks } from '../worker/textTasks.js';

/** Longer texts would block the main thread. */
const MAX_AT_ONCE = 16_384;

const host = textHost(new URL('../worker/textThread.js', import.meta.url), systemClock, loadedSources);

/** `left` minus the characters of a value; stops below zero. */
const leftAfter = (value: unknown, left: number): number => {
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left - 8;
  let rest = left - 8;
  const inner: Iterable<unknown> = value instanceof Map ? value : Object.entries(value);
  for (const entry of inner) {
    if (rest < 0) break;
    rest = leftAfter(
      (entry as readonly [unknown, unknown])[1],
      leftAfter((entry as readonly unknown[])[0], rest),
    );
  }
  return rest;
};

type Right<R> = R extends { readonly right: infer A } ? A : never;

/**
 * Runs a task on short texts at once, and on long ones on a thread. Returns the error `invalid` also for a timeout.
 * `file` is the name in errors.
 */
export const withText = async <K extends TextTask>(
  kind: K,
  file: string,
  ...args: Parameters<TextTasks[K]>
): Promise<Result<Right<ReturnType<TextTasks[K]>>>> => {
  type Edited = Result<Right<ReturnType<TextTasks[K]>>>;
  const run = TEXT_TASKS[kind] as (...given: Parameters<TextTasks[K]>) => Edited;
  if (leftAfter(args, MAX_AT_ONCE) >= 0) return run(...args);
  return (await host(kind, args, file)) as Edited;
};

export const startupTexts: StartupTexts = {
  load: (text, file, ...context) => withText('startup.load', file, text, file, ...context),
  open: (text, file, context) => withText('startup.open', file, text, file, context),
  change: (was, change, context) => withText('startup.change', was.file, was, change, context),
};

export const configReader: ConfigReader = {
  value: (text, file) => withText('config.value', file, text, file),
  locate: (text, file, issues) => withText('config.locate', file, text, file, issues),
};
