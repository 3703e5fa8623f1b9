import { Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import type uPlot from 'uplot';
import { call } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';
import { useAddress } from '../../parts/address.js';
import { Chart, type ChartColors, type ChartOptions } from '../../parts/charts/Chart.js';
import { alignedRates, lastOf, type Steps, type StepValues } from '../../parts/charts/steps.js';
import { TimeChart, useLineColors } from '../../parts/charts/TimeChart.js';
import { TimeChoice, type TimeWindow, useTimeWindow } from '../../parts/charts/TimeWindow.js';
import { perSecond, shortMicros, shownMicros, shownRate, shownShort } from '../../parts/numbers.js';
import type { TimeMark } from '../../parts/times.js';
import { useMarks } from './data.js';
import {
  type Buckets,
  barsOf,
  boundText,
  type DurationKey,
  figuresOf,
  type HistogramBar,
  type RecentHistory,
  recentBuckets,
} from './recent.js';

interface TimingProps {
  readonly id: string;
  readonly path: string;
  readonly scenarios: readonly string[];
  readonly history: RecentHistory;
  readonly isLive: boolean;
}

/** Throughput over time, and how late, how far behind, how full and how busy the generator was; or how delays spread. */
export const TimingPanel = ({ id, path, scenarios, history, isLive }: TimingProps) => {
  const window = useTimeWindow();
  const { zoom, range, query, every_ms, words } = window;
  const series = useQuery({
    queryKey: ['series', id, zoom ?? range],
    queryFn: () => call('readGeneratorSeries', { path: { id }, query }),
    refetchInterval: every_ms,
    structuralSharing: false,
  });
  const [color = 'currentColor', second = color] = useLineColors();
  const marks = useMarks(id, path, scenarios);
  const rates = useMemo(() => alignedRates([series.data ?? null]), [series.data]);
  const shown = isLive ? GAUGES : GAUGES.filter(({ isOfLive }) => !isOfLive);
  const [list = []] = rates.lists;
  const highest = `at most ${shownRate(Math.max(0, ...list.map((rate) => rate ?? 0)))}`;
  const figures = zoom === null ? `${shownRate(lastOf(list) ?? 0)} now, ${highest}` : highest;
  const empty = series.isError
    ? `The series cannot be read: ${series.error.message}`
    : series.data === undefined
      ? ''
      : `No events ${words}.`;
  return (
    <Stack gap="xs">
      <Card title="Events per second" figures={figures} aside={<TimeChoice window={window} />}>
        <TimeChart
          label={`Events per second of ${id} ${words}: ${figures}`}
          height={HEIGHT}
          window={window}
          steps={rates}
          lines={[{ name: id, color }]}
          shown={perSecond}
          onAxis={shownRate}
          unknown="not running"
          marks={marks}
          empty={empty}
        />
      </Card>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: shown.length }}>
        {shown.map((gauge) => (
          <GaugeCard
            key={gauge.title}
            gauge={gauge}
            series={series.data}
            {...{ id, window, marks }}
            colors={[color, second]}
          />
        ))}
      </SimpleGrid>
      <Distributions history={history} isLive={isLive} />
    </Stack>
  );
};

type Series = AnswerOf<'readGeneratorSeries'>;

interface Gauge {
  readonly title: string;
  readonly isOfLive: boolean;
  /** Names and values of the lines. */
  readonly lines: readonly { readonly name: string; readonly of: (series: Series) => StepValues }[];
  readonly shown: (value: number) => string;
  readonly onAxis: (value: number) => string;
}

const shownPercent = (percent: number): string => `${shownRate(percent)} %`;

/** What charts below that of the rates show, each with the same time. */
const GAUGES: readonly Gauge[] = [
  {
    title: 'Lateness',
    isOfLive: true,
    lines: [
      { name: '99 %', of: ({ lateness_p99_us, seconds }) => knownOr0(lateness_p99_us, seconds) },
      { name: 'half', of: ({ lateness_p50_us, seconds }) => knownOr0(lateness_p50_us, seconds) },
    ],
    shown: shownMicros,
    onAxis: shortMicros,
  },
  {
    title: 'Delivery lag',
    isOfLive: false,
    lines: [{ name: '99 %', of: ({ delivery_lag_p99_us }) => delivery_lag_p99_us }],
    shown: shownMicros,
    onAxis: shortMicros,
  },
  {
    title: 'Batches in flight',
    isOfLive: false,
    lines: [{ name: 'batches', of: ({ queue_batches }) => queue_batches }],
    shown: shownShort,
    onAxis: (batches) => (Number.isInteger(batches) ? shownShort(batches) : ''),
  },
  {
    title: 'Busy share of its thread',
    isOfLive: false,
    lines: [{ name: 'busy', of: ({ busy_percent }) => busy_percent }],
    shown: shownPercent,
    onAxis: shownPercent,
  },
];

/** A step in which no event was late had a lateness of 0. */
const knownOr0 = (values: StepValues, seconds: readonly number[]): StepValues =>
  values.map((value, at) => value ?? (seconds[at] === 0 ? null : 0));

interface GaugeCardProps {
  readonly id: string;
  readonly gauge: Gauge;
  readonly series: Series | undefined;
  readonly window: TimeWindow;
  readonly marks: readonly TimeMark[];
  readonly colors: readonly string[];
}

const GaugeCard = ({ id, gauge, series, window, marks, colors }: GaugeCardProps) => {
  const { title, lines, shown, onAxis } = gauge;
  const steps = useMemo((): Steps => {
    if (series === undefined) return { end_ms: 0, step: 1, lists: [] };
    const { from, step, seconds } = series;
    return {
      end_ms: Date.parse(from) + seconds.length * step * 1_000,
      step,
      lists: lines.map(({ of }) => of(series)),
    };
  }, [series, lines]);
  const highest = lines.map(({ name }, index) => {
    const values = (steps.lists[index] ?? []).map((value) => value ?? 0);
    return `${lines.length === 1 ? '' : `${name} `}at most ${shown(Math.max(0, ...values))}`;
  });
  const isKnown = steps.lists.some((list) => list.some((value) => value !== null));
  const figures = isKnown ? highest.join(', ') : 'nothing to measure';
  return (
    <Card title={title} figures={figures}>
      <TimeChart
        label={`${title} of ${id} ${window.words}: ${figures}`}
        height={GAUGE_HEIGHT}
        window={window}
        steps={steps}
        lines={lines.map(({ name }, index) => ({ name, color: colors[index] ?? 'currentColor' }))}
        shown={shown}
        onAxis={onAxis}
        marks={marks}
        empty=""
      />
    </Card>
  );
};

const GAUGE_HEIGHT = 110;

/** How many events took how long, on demand. */
const Distributions = ({ history, isLive }: Pick<TimingProps, 'history' | 'isLive'>) => {
  const [given, setSpan] = useAddress<string>('spread', HIDDEN);
  const span = SPANS.find(({ value }) => value === given)?.value ?? HIDDEN;
  const lateness = span === HIDDEN ? [] : bucketsOf(history, 'lateness_ms', span);
  const lag = span === HIDDEN ? [] : bucketsOf(history, 'delivery_lag_ms', span);
  return (
    <>
      <Group gap="xs">
        <Text size="xs">Spread of lateness and delivery lag</Text>
        <SegmentedControl
          size="xs"
          aria-label="Time that the spread of lateness and delivery lag covers"
          data={[...SPANS]}
          value={span}
          onChange={setSpan}
        />
      </Group>
      {span !== HIDDEN && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Card title="Spread of lateness" figures={isLive ? figuresOf(lateness) : 'only in live mode'}>
            {isLive && (
              <Histogram bars={barsOf(lateness)} label={`Lateness of events: ${figuresOf(lateness)}`} />
            )}
          </Card>
          <Card title="Spread of delivery lag" figures={figuresOf(lag)}>
            <Histogram bars={barsOf(lag)} label={`Delivery lag of events: ${figuresOf(lag)}`} />
          </Card>
        </SimpleGrid>
      )}
    </>
  );
};

const HIDDEN = 'hidden';

const SPANS = [
  { value: HIDDEN, label: 'Hidden' },
  { value: 'minute', label: 'Last minute' },
  { value: 'start', label: 'Since the start' },
] as const;

const bucketsOf = (history: RecentHistory, key: DurationKey, span: string): Buckets =>
  span === 'minute' ? recentBuckets(history, key) : (history.at(-1)?.stats[key].buckets ?? []);

const Card = ({
  title,
  figures,
  aside,
  children,
}: {
  readonly title: string;
  readonly figures: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) => (
  <Paper withBorder p="sm" component="section" aria-label={title}>
    <Group justify="space-between" align="flex-start" gap="xs" mb="xs">
      <div>
        <Title order={2} size="h6">
          {title}
        </Title>
        <Text size="xs" className="figure">
          {figures}
        </Text>
      </div>
      {aside}
    </Group>
    {children}
  </Paper>
);

const HEIGHT = 150;

const optionsOf = (bars: readonly number[], colors: ChartColors, plot: typeof uPlot): ChartOptions => ({
  legend: { show: false },
  padding: [10, 12, 0, 0],
  scales: {
    x: { time: false, range: [-0.6, bars.length - 0.4] },
    y: { range: (_, __, max) => [0, max * 1.1] },
  },
  axes: [
    {
      stroke: colors.text,
      grid: { show: false },
      size: 32,
      splits: () => bars.map((_, index) => index),
      values: (_, splits) => {
        const step = Math.max(1, Math.ceil(splits.length / 5));
        return splits.map((index) => (index % step === 0 ? boundText(bars[index] ?? 0) : ''));
      },
    },
    {
      stroke: colors.text,
      grid: { stroke: colors.grid, width: 1 },
      size: 56,
      values: (_, splits) => splits.map((count) => (Number.isInteger(count) ? shownShort(count) : '')),
    },
  ],
  series: [
    {},
    {
      stroke: colors.line,
      fill: colors.fill,
      width: 1,
      points: { show: false },
      ...(plot.paths.bars === undefined ? {} : { paths: plot.paths.bars({ size: [0.9, 60] }) }),
    },
  ],
});

/** How many events took how long; each bar is twice as long as the one before. */
const Histogram = ({ bars, label }: { readonly bars: readonly HistogramBar[]; readonly label: string }) => {
  const bounds = bars.map(({ below_us }) => below_us).join();
  const options = useCallback(
    (colors: ChartColors, plot: typeof uPlot) => optionsOf(bounds.split(',').map(Number), colors, plot),
    [bounds],
  );
  const data = useMemo(
    (): uPlot.AlignedData => [bars.map((_, index) => index), bars.map(({ count }) => count)],
    [bars],
  );
  if (bars.length === 0) return <Text size="sm">No events in this time.</Text>;
  return <Chart label={label} height={HEIGHT} data={data} options={options} />;
};
