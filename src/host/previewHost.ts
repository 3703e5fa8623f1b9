import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../domain/errors.js';
import type { Isolation } from '../domain/generator.js';
import type { PreviewTask } from '../domain/preview.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { FromWorker } from './protocol.js';
import { spawnThread, type Threads } from './thread.js';

const DEADLINE_MS = 10_000;
/** On an idle core, learning from the largest log takes about 15 s, and a day in the largest world up to half a minute. */
const LONG_DEADLINE_MS = 90_000;
/**
 * A process for learning takes at most their sum, so that it and an idle daemon fit into 512 MB. The largest log that
 * is accepted takes less, unless nearly all of its values differ.
 */
const LEARN_LIMITS = { heap_mb: 256, memory_mb: 96 } as const;
/** For an idle plugin to close, before its thread is terminated. */
const CLOSE_MS = 1_000;

export type PreviewAnswer = Result<readonly Uint8Array[]>;

/** A thread for previews; its plugins end with it. */
export interface PreviewThread {
  /** Runs one task. The deadline terminates the thread. */
  readonly run: (task: PreviewTask) => Promise<PreviewAnswer>;
  /** Terminates the thread, an idle one after its plugin is closed; open tasks answer with the error. Idempotent. */
  readonly end: (why: SpateError) => void;
  readonly isAlive: () => boolean;
}

/**
 * Starts a thread for previews, separate from those of generators; the name shows in tools. The thread of `learn` is in
 * a process of its own, whatever the isolation: a log can make it take any memory.
 */
export type PreviewHost = (name: string, purpose?: 'learn') => PreviewThread;

const ADVICE: Readonly<Record<PreviewTask['kind'], string>> = {
  timestamps: 'ask for fewer timestamps',
  format: 'format fewer events',
  normalize: 'write the date in a simpler way',
  log_times: 'send fewer lines, or a pattern with fewer nested repetitions',
  learn: 'send fewer lines of the log',
  connect: 'an output does not open; look at its server',
  open: 'look for code that hangs while the plugin is loaded',
  produce: 'the event plugin in preview is gone; post it again, and look for code that hangs',
  state: 'the event plugin in preview is gone; post it again',
  world: 'ask again later, or use `spate world`',
  close: 'nothing is left to do',
};

const LEARN_TOO_LARGE = failure(
  'too_large',
  `learning from this log takes more memory than the ${LEARN_LIMITS.heap_mb + LEARN_LIMITS.memory_mb} MB that it may take: send fewer lines, or learn on the command line with \`spate learn\``,
);

const STOPPING = failure('unavailable', 'the service is stopping');

const deadlineOf = ({ kind }: PreviewTask): number =>
  kind === 'learn' || kind === 'world' ? LONG_DEADLINE_MS : DEADLINE_MS;

const tooLate = (task: PreviewTask): SpateError =>
  failure(
    'timed_out',
    `the preview was busy for ${deadlineOf(task) / 1000} s and was terminated: ${ADVICE[task.kind]}`,
  );

export const previewHost = (options: {
  readonly threads: Threads;
  /** Isolation of previews, which run user code like generators. */
  readonly isolation: () => Isolation;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}): PreviewHost => {
  const { clock, log } = options;
  const open = new Set<PreviewThread>();
  const endAll = (): void => {
    for (const thread of [...open]) thread.end(STOPPING);
  };
  options.signal.addEventListener('abort', endAll, { once: true });

  return (name, purpose) => {
    const waiting = new Map<number, (answer: PreviewAnswer) => void>();
    let jobs = 0;
    let ended: SpateError | null = null;

    const finish = (why: SpateError): void => {
      ended ??= why;
      open.delete(preview);
      for (const answer of waiting.values()) answer(E.left(ended));
      waiting.clear();
    };
    const onMessage = (message: FromWorker): void => {
      if (message.type === 'preview.done') waiting.get(message.job)?.(E.right(message.chunks));
      if (message.type === 'preview.failed') waiting.get(message.job)?.(E.left(message.error));
      if (message.type === 'log') log.write(message.level, message.message, message.context);
    };
    const thread = spawnThread({
      ...options.threads(options.isolation(), {
        hasUserCode: true,
        ...(purpose === 'learn' ? { expendable: LEARN_LIMITS } : {}),
      }),
      name,
      onMessage,
      onDeath: ({ reason }) => {
        if (purpose !== 'learn') return finish(failure('plugin_failed', `the preview has ended: ${reason}`));
        log.write('warning', 'learning from a log has ended', { reason });
        return finish(LEARN_TOO_LARGE);
      },
    });
    const preview: PreviewThread = {
      run: async (task) => {
        if (ended !== null) return E.left(ended);
        thread.beats();
        const job = ++jobs;
        const answered = new AbortController();
        const answer = new Promise<PreviewAnswer>((resolve) => waiting.set(job, resolve));
        void clock.sleepMs(deadlineOf(task), answered.signal).then(() => {
          if (!answered.signal.aborted) preview.end(tooLate(task));
        });
        thread.post({ type: 'preview', job: { job, task } });
        const result = await answer;
        answered.abort();
        waiting.delete(job);
        return result;
      },
      end: (why) => {
        if (ended !== null) return;
        const isIdle = jobs > 0 && waiting.size === 0;
        finish(why);
        if (!isIdle) return thread.terminate();
        const closed = new AbortController();
        waiting.set(++jobs, () => closed.abort());
        thread.post({ type: 'preview', job: { job: jobs, task: { kind: 'close' } } });
        void clock.sleepMs(CLOSE_MS, closed.signal).then(() => thread.terminate());
      },
      isAlive: () => ended === null,
    };
    open.add(preview);
    if (options.signal.aborted) preview.end(STOPPING);
    return preview;
  };
};
