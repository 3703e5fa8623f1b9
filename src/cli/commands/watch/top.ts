import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../domain/errors.js';
import { plural } from '../../../domain/text/shown.js';
import type { GeneratorListItem, GeneratorStats } from '../../../messages/generators.js';
import { type Command, NO_POSITIONALS } from '../../arguments/command.js';
import { integerOption } from '../../arguments/option.js';
import { reportError } from '../../report.js';
import { EXIT, stopOnSignal } from '../../terminal/io.js';
import { alignedLines, showRough } from '../../terminal/text.js';
import {
  CREDENTIALS_NOTE,
  generatorsOf,
  SERVICE_OPTIONS,
  type WatchedService,
  watchedService,
} from './service.js';
import { saidOf } from './status.js';

const DEFAULT_ROWS = 20;
const MAX_ROWS = 1_000;
const INTERVAL_MS = 1_000;

const topOptions = {
  ...SERVICE_OPTIONS,
  rows: integerOption(
    'N',
    { short: 'n', help: `Show the N busiest generators (default ${DEFAULT_ROWS}).` },
    { min: 1, max: MAX_ROWS },
  ),
};

/** What the service knew at a moment. */
interface Sample {
  /** When it was taken, by a clock that is never set. */
  readonly at: number;
  readonly items: readonly GeneratorListItem[];
  /** Counters of the generators that run, by id. */
  readonly stats: ReadonlyMap<string, GeneratorStats>;
}

const takeSample = async (service: WatchedService, monotonicMs: () => number): Promise<Result<Sample>> => {
  const [items, running] = await Promise.all([
    generatorsOf(service),
    service.get<readonly GeneratorStats[]>('/generators/group-actions/stats-running'),
  ]);
  if (E.isLeft(items)) return items;
  return E.map((all: readonly GeneratorStats[]) => ({
    at: monotonicMs(),
    items: items.right,
    stats: new Map(all.map((stats) => [stats.id, stats])),
  }))(running);
};

const written = ({ output }: GeneratorStats): number => output.reduce((sum, { bytes }) => sum + bytes, 0);
const deadLetters = ({ output }: GeneratorStats): number =>
  output.reduce((sum, { dead_lettered }) => sum + dead_lettered, 0);

const HEAD = [
  'GENERATOR',
  'HEALTH',
  'EVENTS/S',
  'KIB/S',
  'LATE P99',
  'LAG P99',
  'FAILED',
  'DEAD LETTERS',
  '',
];
const NUMBERS: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 7]);

interface Row {
  readonly perSecond: number;
  readonly cells: readonly string[];
}

const rowOf = (item: GeneratorListItem, before: Sample, now: Sample): Row => {
  const stats = now.stats.get(item.id);
  const said = saidOf(item);
  if (stats === undefined)
    return {
      perSecond: 0,
      cells: [item.id, item.status.health, '-', '-', '-', '-', '-', '-', said || item.status.phase],
    };
  const former = before.stats.get(item.id);
  const seconds = (now.at - before.at) / 1_000;
  // A run that is new since then counts from 0.
  const isSame = former?.start_time === stats.start_time;
  const rateOf = (count: (of: GeneratorStats) => number): number =>
    (count(stats) - (former === undefined || !isSame ? 0 : count(former))) / seconds;
  const perSecond = rateOf(({ event }) => event.produced);
  const cells = [
    showRough(perSecond),
    showRough(rateOf(written) / 1_024),
    `${showRough(stats.lateness_ms.p99)} ms`,
    `${showRough(stats.delivery_lag_ms.p99)} ms`,
    showRough(stats.event.produce_failed),
    showRough(deadLetters(stats)),
  ];
  return { perSecond, cells: [item.id, item.status.health, ...cells, said] };
};

/** The table of one moment. */
const tableOf = (before: Sample, now: Sample, count: number, columns: number): string => {
  const rows = now.items
    .map((item) => rowOf(item, before, now))
    .toSorted(
      (a, b) => b.perSecond - a.perSecond || (a.cells[0] ?? '').localeCompare(b.cells[0] ?? '', 'en'),
    );
  const sum = rows.reduce((all, { perSecond }) => all + perSecond, 0);
  const more = rows.length - count;
  const lines = [
    `${plural(now.items.length, 'generator')}, ${now.stats.size} running, ${showRough(sum)} events/s`,
    ...alignedLines([HEAD, ...rows.slice(0, count).map(({ cells }) => cells)], NUMBERS),
    ...(more > 0 ? [`and ${plural(more, 'more generator')}`] : []),
  ];
  return lines.map((line) => `${line.slice(0, columns)}\n`).join('');
};

/** Clears the screen and begins at its top. */
const HOME = '\u001b[H\u001b[J';

export const top: Command<typeof topOptions> = {
  name: 'top',
  summary: 'Shows rates, delays and failures of the generators of a running service, the busiest first.',
  positionals: NO_POSITIONALS,
  options: topOptions,
  notes: [
    'On a terminal the table is renewed every second until Ctrl-C; otherwise it is printed once, after a second.',
    'LATE is how long after its timestamp an event was made, LAG how long until outputs had it: 99 % are below, since the start. FAILED and DEAD LETTERS count since the start, too.',
    CREDENTIALS_NOTE,
  ],
  examples: [{ title: 'Watch the service on this machine', line: 'spate top' }],
  run: async ({ options }, { io, services }) => {
    const service = await watchedService(options, io);
    if (E.isLeft(service)) return reportError(io, service.left);
    const { isTerminal, columns } = io.stdout;
    const { sleepMs, monotonicMs } = services.clock;
    const ended = new AbortController();
    const signals = stopOnSignal(io, () => ended.abort());
    try {
      let before = await takeSample(service.right, monotonicMs);
      while (E.isRight(before)) {
        await sleepMs(INTERVAL_MS, ended.signal);
        if (ended.signal.aborted) return EXIT.ok;
        const now = await takeSample(service.right, monotonicMs);
        if (E.isLeft(now)) return reportError(io, now.left);
        const table = tableOf(
          before.right,
          now.right,
          options.rows ?? DEFAULT_ROWS,
          isTerminal ? columns : Infinity,
        );
        io.stdout.write(isTerminal ? `${HOME}${table}` : table);
        if (!isTerminal) return EXIT.ok;
        before = now;
      }
      return reportError(io, before.left);
    } finally {
      signals.release();
    }
  },
};
