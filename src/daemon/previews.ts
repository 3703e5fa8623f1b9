import * as E from 'fp-ts/lib/Either.js';
import type { PreviewInput } from '../../actors/preview/preview.js';
import { systemClock } from '../adapters/systemClock.js';
import { previewHost } from '../host/previewHost.js';
import type { Threads } from '../host/threads.js';
import type { Ask, Requests } from '../messages/ask.js';
import type { GeneratorDirectories } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { Current } from './reload.js';
import type { FindActor } from './routing.js';

/** What the owner of previews is given. */
export const previewsInput = (given: {
  /** The settings in force. */
  readonly current: Pick<Current, 'settings'>;
  readonly directories: GeneratorDirectories;
  readonly log: Log;
  readonly threads: Threads;
  /** Ends all threads of previews. */
  readonly signal: AbortSignal;
}): PreviewInput => ({
  directories: given.directories,
  host: previewHost({
    threads: given.threads,
    isolation: () => given.current.settings.generation.isolation,
    clock: systemClock,
    log: given.log,
    signal: given.signal,
  }),
  timezone: () => given.current.settings.generation.timezone,
  template_limits: () => given.current.settings.generation.template_limits,
  clock: systemClock,
  log: given.log,
});

/** Ends all previews: a call that hangs must not hold up the end of the daemon. */
export const endPreviews = (find: FindActor): void =>
  find('preview')?.send({ type: 'preview.end_all', payload: null, reply: () => {} });

/** Requests, of which the deletion of a directory ends what is in preview of it. */
export const forgettingAsk =
  (ask: Ask, find: FindActor): Ask =>
  async <K extends keyof Requests>(type: K, payload: Requests[K]['payload']) => {
    const answer = await ask<K>(type, payload);
    if (type === 'configs.delete' && E.isRight(answer)) {
      const { name } = payload as Requests['configs.delete']['payload'];
      find('preview')?.send({ type: 'preview.forget', payload: { name }, reply: () => {} });
    }
    return answer;
  };
