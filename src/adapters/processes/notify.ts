import { logLimit } from '../../domain/logLimit.js';
import { serialQueue } from '../../domain/waiting.js';
import type { Notify, NotifyMessage } from '../../ports/processes.js';
import { runProgram } from './programs.js';

const PROGRAM = 'systemd-notify';
/** The program itself waits up to five seconds. */
const TIMEOUT_MS = 10_000;
/** Limit of queued messages; further ones are dropped. */
const MAX_WAITING = 10;

interface NotifyOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warn: (message: string) => void;
}

const SILENT: Notify = { send: async () => {}, watchdog_ms: null };

/** Microseconds of CLOCK_MONOTONIC, as systemd expects. */
const monotonicMicros = (): string => String(process.hrtime.bigint() / 1_000n);

const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

const variablesOf = (message: NotifyMessage): readonly string[] => {
  switch (message.type) {
    case 'ready':
      return ['READY=1', `STATUS=${oneLine(message.status)}`];
    case 'reloading':
      return ['RELOADING=1', `MONOTONIC_USEC=${monotonicMicros()}`, 'STATUS=reloading its settings'];
    case 'stopping':
      return ['STOPPING=1', 'STATUS=stopping, delivering events in flight'];
    case 'watchdog':
      return ['WATCHDOG=1'];
  }
};

/** Returns the watchdog interval of systemd in milliseconds, or null when there is none for this process. */
const watchdogMs = ({ WATCHDOG_USEC, WATCHDOG_PID }: NotifyOptions['env']): number | null => {
  if (WATCHDOG_PID !== undefined && WATCHDOG_PID !== '' && Number(WATCHDOG_PID) !== process.pid) return null;
  const micros = /^\d+$/.test(WATCHDOG_USEC ?? '') ? Number(WATCHDOG_USEC) : 0;
  return micros > 0 ? micros / 1_000 : null;
};

/**
 * Reports to systemd through its program `systemd-notify`, as Node lacks Unix datagram sockets; the unit needs
 * `NotifyAccess=all`. A failure is only a warning.
 */
export const systemdNotify = ({ env, warn }: NotifyOptions): Notify => {
  if ((env['NOTIFY_SOCKET'] ?? '') === '') return SILENT;
  const limit = logLimit({ first: 1, interval_ms: 600_000, monotonicMs: () => performance.now() });
  const inTurn = serialQueue();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isMissing = false;

  const deliver = async (message: NotifyMessage): Promise<void> => {
    if (isMissing) return;
    const end = await runProgram(PROGRAM, variablesOf(message), TIMEOUT_MS);
    ({ isMissing } = end);
    if (end.reason === null || !limit.admit()) return;
    const advice = isMissing
      ? '; it is part of systemd, without it a unit needs Type=exec and no WatchdogSec'
      : '';
    warn(`systemd cannot be notified: ${end.reason}${advice}`);
  };

  return {
    watchdog_ms: watchdogMs(env),
    send: (message) => {
      if (waiting >= MAX_WAITING) return last;
      waiting++;
      last = inTurn(() => deliver(message)).finally(() => waiting--);
      return last;
    },
  };
};
