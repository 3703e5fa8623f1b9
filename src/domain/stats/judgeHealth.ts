import type { GeneratorPhase } from '../generator.js';
import type { Health, HealthReport, HealthSample } from './health.js';

/** Counters are compared with those of this many milliseconds ago. */
const WINDOW_MS = 3_000;
/** Fewer lost events without a success in between do not yet mean that all are lost, unless they last. */
const MIN_LOST = 10;
const LASTING_MS = 4_000;
/** The outputs take nothing for this long while timestamps are due. */
const BLOCKED_MS = 10_000;
/** Mean lateness. */
const LATE_MICROS = 5_000_000;
/** Outputs that open slower than this are named. */
const OPENING_MS = 10_000;
/** A better state is shown after it has lasted for this long; twice as long after each relapse. */
const CLEAR_MS = 4_000;
const MAX_CLEAR_MS = 60_000;
/** A state that is worse again this soon is a relapse. */
const RELAPSE_MS = 60_000;

/** How many events of one plugin come through. */
interface Share {
  readonly verdict: 'all' | 'some' | 'none';
  /** How the last lost events were lost. */
  readonly loss: 'unformatted' | 'rejected' | 'undelivered';
  readonly lostSinceGood: number;
  readonly lostSinceMs: number | null;
}

const ALL_WELL: Share = { verdict: 'none', loss: 'undelivered', lostSinceGood: 0, lostSinceMs: null };

/** One thing that is wrong, or worth saying. */
interface Finding {
  /** The same while it is the same thing. */
  readonly key: string;
  readonly report: HealthReport;
}

/** What `judge` knows about a generator from earlier samples. */
export interface HealthState {
  /** Oldest first; the first is at least as old as the window, if there is one. */
  readonly samples: readonly HealthSample[];
  readonly event: Share;
  readonly outputs: readonly Share[];
  readonly isLate: boolean;
  readonly blockedSinceMs: number | null;
  readonly phaseSinceMs: number;
  /** It failed, and has not been up since. */
  readonly isRecovering: boolean;
  /** At the sample before: a new start owes nothing to the run before it. */
  readonly wasAtRest: boolean;
  readonly shown: Finding;
  /** Since when the state is better than the shown one. Null while it is not. */
  readonly betterSinceMs: number | null;
  readonly clear_ms: number;
  /** When the shown state became better. */
  readonly clearedMs: number | null;
}

const finding = (
  key: string,
  health: Health,
  health_reason: string | null,
  remedy: string | null = null,
): Finding => ({ key, report: { health, health_reason, remedy } });

const withCause = (sentence: string, cause: string | null): string =>
  cause === null ? sentence : `${sentence}: ${cause}`;

const SEND_AGAIN = 'Send them again or remove them.';

const RESTING: Partial<Record<GeneratorPhase, Finding>> = {
  idle: finding('idle', 'idle', 'not started'),
  stopped: finding('stopped', 'idle', 'stopped on purpose'),
  finished: finding('finished', 'idle', 'has made all its events'),
  draining: finding('draining', 'idle', 'is stopping'),
};

const isAtRest = (phase: GeneratorPhase): boolean => RESTING[phase] !== undefined || phase === 'failed';

const RANKS: Readonly<Record<Health, number>> = { failing: 2, degraded: 1, ok: 0, idle: 0 };

const rankOf = ({ report }: Finding): number => RANKS[report.health];

/** Counters of a patched output start at 0 again. */
const grown = (now: number, before: number | undefined): number => Math.max(0, now - (before ?? 0));

/** Events of one plugin in the window, and the lost ones since the last sample. */
interface Counted {
  readonly made: number;
  readonly lost: number;
  readonly rejected: number;
  readonly unformatted: number;
  readonly lostNow: number;
}

/** A plugin without events in the window stays as it was. */
const shareAfter = (former: Share, counted: Counted, atMs: number): Share => {
  const { made, lost, rejected, unformatted, lostNow } = counted;
  if (made === 0 && lost === 0) return former;
  if (lost === 0) return ALL_WELL;
  const loss = rejected > 0 ? 'rejected' : unformatted > 0 ? 'unformatted' : 'undelivered';
  if (made > 0) return { verdict: 'some', loss, lostSinceGood: 0, lostSinceMs: null };
  const lostSinceGood = former.lostSinceGood + lostNow;
  const lostSinceMs = former.lostSinceMs ?? atMs;
  const isAll = former.verdict === 'all' || lostSinceGood >= MIN_LOST || atMs - lostSinceMs >= LASTING_MS;
  return { verdict: isAll ? 'all' : 'some', loss, lostSinceGood, lostSinceMs };
};

const eventFindings = ({ event }: HealthState, now: HealthSample): readonly Finding[] => {
  if (event.verdict === 'none') return [];
  const cause = now.causeOf('event');
  const remedy = 'Mend the event plugin: the log of the generator has each failure with its line.';
  return event.verdict === 'all'
    ? [finding('event all', 'failing', withCause('every event fails', cause), remedy)]
    : [finding('event some', 'degraded', withCause('some events fail', cause), remedy)];
};

const outputFindings = (
  { outputs }: Pick<HealthState, 'outputs'>,
  now: HealthSample,
  before: HealthSample | undefined,
): readonly Finding[] =>
  now.outputs.flatMap((output, index) => {
    const { verdict, loss } = outputs[index] ?? ALL_WELL;
    const former = before?.outputs[index];
    const isTwin = now.outputs.some((one, at) => at !== index && one.name === output.name);
    const name = isTwin ? `${index + 1} (${output.name})` : output.name;
    const said = (key: string, health: Health, sentence: string, remedy: string): readonly Finding[] => [
      finding(`output ${index} ${key}`, health, withCause(sentence, now.causeOf(index + 1)), remedy),
    ];
    const away = `Check the destination of output ${name}. Spate tries it again every few seconds.`;
    if (verdict !== 'none' && loss === 'unformatted') {
      const remedy = `Correct the events or the formatter of output ${name}.`;
      return verdict === 'all'
        ? said('formats none', 'failing', `no event of output ${name} can be formatted`, remedy)
        : said('formats some', 'degraded', `some events of output ${name} cannot be formatted`, remedy);
    }
    if (verdict !== 'none' && loss === 'rejected') {
      const remedy = `Correct the events or output ${name}, then send its dead letters again.`;
      return verdict === 'all'
        ? said('rejects all', 'failing', `every batch of output ${name} is rejected`, remedy)
        : said('rejects some', 'degraded', `some events of output ${name} are rejected`, remedy);
    }
    if (verdict === 'all') return said('away', 'failing', `output ${name} is away`, away);
    if (verdict === 'some') return said('shaky', 'degraded', `output ${name} takes only some events`, away);
    const isRetried =
      former !== undefined &&
      grown(output.retries, former.retries) > 0 &&
      grown(output.written, former.written) === 0;
    return isRetried ? said('retried', 'degraded', `writes to output ${name} are retried`, away) : [];
  });

const flowFindings = (state: HealthState, now: HealthSample): readonly Finding[] => {
  const { blockedSinceMs, isLate, phaseSinceMs } = state;
  const findings: Finding[] = [];
  if (!now.isUp) {
    findings.push(
      now.atMs - phaseSinceMs < OPENING_MS
        ? finding('opening', 'idle', 'opens its outputs')
        : finding('slow opening', 'degraded', 'its outputs are not open yet', 'Check their destinations.'),
    );
  }
  if (blockedSinceMs !== null && now.atMs - blockedSinceMs >= BLOCKED_MS) {
    findings.push(
      finding(
        'blocked',
        'failing',
        'nothing is produced though timestamps are due: the outputs take no events',
        'Look for a stalled reader or a slow destination.',
      ),
    );
  }
  if (isLate) {
    findings.push(
      finding(
        'late',
        'degraded',
        'events are more than 5 s late',
        'Lower the rate, split the generator into partitions, or find out why its outputs are slow.',
      ),
    );
  }
  return findings;
};

/** All that can be said, the phase first. */
const findingsOf = (
  state: HealthState,
  now: HealthSample,
  before: HealthSample | undefined,
): readonly Finding[] => {
  const resting = RESTING[now.phase];
  if (resting !== undefined) {
    const { health, health_reason } = resting.report;
    return now.hasDeadLetters && now.phase !== 'draining'
      ? [finding(resting.key, health, `${health_reason}; dead letters are waiting`, SEND_AGAIN)]
      : [resting];
  }
  if (now.phase === 'failed')
    return [
      finding('failed', 'failing', withCause('failed', now.reason), 'Remove the cause, then start it.'),
    ];
  if (now.phase === 'backing_off' || state.isRecovering)
    return [
      finding(
        'restarting',
        'failing',
        withCause('fails and is restarted', now.reason),
        'Remove the cause; Spate restarts it by itself.',
      ),
    ];
  if (now.phase === 'loading') return [finding('loading', 'idle', 'is starting')];
  const findings = [
    ...eventFindings(state, now),
    ...outputFindings(state, now, before),
    ...flowFindings(state, now),
  ];
  if (findings.length > 0) return findings;
  return [
    now.hasDeadLetters
      ? finding('letters', 'ok', 'dead letters are waiting', SEND_AGAIN)
      : finding('ok', 'ok', null),
  ];
};

const OK = finding('ok', 'ok', null);

const START: Omit<HealthState, 'phaseSinceMs'> = {
  samples: [],
  event: ALL_WELL,
  outputs: [],
  isLate: false,
  blockedSinceMs: null,
  isRecovering: false,
  wasAtRest: true,
  shown: OK,
  betterSinceMs: null,
  clear_ms: CLEAR_MS,
  clearedMs: null,
};

/** What the counters of the window say; a generator without events in it stays as it was. */
const noted = (former: HealthState, now: HealthSample): { state: HealthState; before?: HealthSample } => {
  const last = former.samples.at(-1);
  const isSameRun = last !== undefined && last.run === now.run && last.outputs.length === now.outputs.length;
  const samples = isSameRun ? former.samples : [];
  const before = samples.findLast(({ atMs }) => atMs <= now.atMs - WINDOW_MS) ?? samples[0];
  const phaseSinceMs = last?.phase === now.phase ? former.phaseSinceMs : now.atMs;
  const isDown = now.phase === 'backing_off' || former.isRecovering;
  const isRecovering = isDown && !now.isUp && RESTING[now.phase] === undefined && now.phase !== 'failed';
  const wasAtRest = last === undefined || isAtRest(last.phase);
  const common = { ...former, phaseSinceMs, isRecovering, wasAtRest, samples: [now] };
  if (before === undefined || last === undefined)
    return {
      state: {
        ...common,
        event: ALL_WELL,
        outputs: now.outputs.map(() => ALL_WELL),
        isLate: false,
        blockedSinceMs: null,
      },
    };
  const { atMs } = now;
  const produced = grown(now.produced, before.produced) + grown(now.dropped, before.dropped);
  const generated = grown(now.generated, before.generated);
  const stuck = now.isBlocked && now.produced === last.produced;
  return {
    before,
    state: {
      ...common,
      samples: [...samples.filter((one) => one === before || one.atMs > before.atMs), now],
      event: shareAfter(
        former.event,
        {
          made: produced,
          lost: grown(now.produce_failed, before.produce_failed),
          rejected: 0,
          unformatted: 0,
          lostNow: grown(now.produce_failed, last.produce_failed),
        },
        atMs,
      ),
      outputs: now.outputs.map((output, index) => {
        const earlier = before.outputs[index];
        const counted = {
          made: grown(output.written, earlier?.written),
          lost: grown(output.lost, earlier?.lost),
          rejected: grown(output.rejected, earlier?.rejected),
          unformatted: grown(output.unformatted, earlier?.unformatted),
          lostNow: grown(output.lost, last.outputs[index]?.lost),
        };
        return shareAfter(former.outputs[index] ?? ALL_WELL, counted, atMs);
      }),
      isLate:
        generated === 0
          ? former.isLate && now.isLive
          : now.isLive && grown(now.lateness_micros, before.lateness_micros) / generated >= LATE_MICROS,
      blockedSinceMs: stuck ? (former.blockedSinceMs ?? atMs) : null,
    },
  };
};

/** The worst finding; the shown one as long as it is among the worst, with its first sentence. */
const worstOf = (findings: readonly Finding[], shown: Finding): Finding => {
  const worst = findings.reduce((one, other) => (rankOf(other) > rankOf(one) ? other : one));
  if (rankOf(worst) === rankOf(shown) && findings.some(({ key }) => key === shown.key)) {
    const same = findings.find(({ key }) => key === shown.key) as Finding;
    // The first cause stays, because the causes of events differ from one to the next.
    return shown.report.health_reason?.includes(': ') === true ? shown : same;
  }
  return worst;
};

/** Shows worse states at once, better ones after they have lasted. Phases at rest are shown at once. */
const settled = (state: HealthState, findings: readonly Finding[], now: HealthSample): HealthState => {
  const { shown, betterSinceMs, clear_ms, clearedMs } = state;
  const { atMs, phase } = now;
  const found = worstOf(findings, shown);
  if (state.wasAtRest || isAtRest(phase))
    return { ...state, shown: found, betterSinceMs: null, clear_ms: CLEAR_MS, clearedMs: null };
  if (rankOf(found) > rankOf(shown)) {
    const isRelapse = clearedMs !== null && atMs - clearedMs < RELAPSE_MS;
    const next = isRelapse ? Math.min(MAX_CLEAR_MS, 2 * clear_ms) : CLEAR_MS;
    return { ...state, shown: found, betterSinceMs: null, clear_ms: next };
  }
  if (rankOf(found) === rankOf(shown)) return { ...state, shown: found, betterSinceMs: null };
  const since = betterSinceMs ?? atMs;
  if (atMs - since < clear_ms) return { ...state, betterSinceMs: since };
  return { ...state, shown: found, betterSinceMs: null, clearedMs: atMs };
};

/** Health after one more sample. `former` is null for the first. */
export const judge = (former: HealthState | null, now: HealthSample): HealthState => {
  const { state, before } = noted(former ?? { ...START, phaseSinceMs: now.atMs }, now);
  return settled(state, findingsOf(state, now, before), now);
};

export const shownHealth = ({ shown }: HealthState): HealthReport => shown.report;
