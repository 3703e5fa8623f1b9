import { Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type uPlot from 'uplot';
import { Chart, type ChartColors, type ChartOptions } from '../../../parts/Chart.js';
import { shownMicros, shownShort } from '../../../parts/numbers.js';
import type { Bar } from './buckets.js';

const HEIGHT = 150;

const optionsOf = (bars: readonly number[], colors: ChartColors, plot: typeof uPlot): ChartOptions => ({
  legend: { show: false },
  cursor: { show: false },
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
        return splits.map((index) => (index % step === 0 ? `< ${shownMicros(bars[index] ?? 0)}` : ''));
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
export const Histogram = ({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) => {
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
