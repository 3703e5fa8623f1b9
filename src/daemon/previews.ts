import type { PreviewInput } from '../../actors/preview/preview.js';
import { systemClock } from '../adapters/systemClock.js';
import { previewHost } from '../host/previewHost.js';
import type { Threads } from '../host/thread.js';
import type { GeneratorDirectories } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { Current } from './reload.js';

export const previewsInput = (given: {
  readonly current: Pick<Current, 'settings'>;
  readonly directories: GeneratorDirectories;
  readonly log: Log;
  readonly threads: Threads;
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
