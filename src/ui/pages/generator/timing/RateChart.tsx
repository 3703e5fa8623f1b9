import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type uPlot from 'uplot';
import { Chart, type ChartColors, type ChartOptions } from '../../../parts/Chart.js';
import { shownRate } from '../../../parts/numbers.js';

const HEIGHT = 150;
/** Seconds that the chart shows at least. */
const MIN_SECONDS = 60;

const agoText = (seconds: number): string => {
  if (seconds === 0) return 'now';
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
};

const options = (colors: ChartColors): ChartOptions => ({
  legend: { show: false },
  cursor: { show: false },
  padding: [10, 12, 0, 0],
  scales: {
    x: { time: false, range: (_, min) => [Math.min(-MIN_SECONDS, min), 0] },
    y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
  },
  axes: [
    {
      stroke: colors.text,
      grid: { show: false },
      size: 32,
      incrs: [15, 30, 60],
      values: (_, splits) => splits.map(agoText),
    },
    {
      stroke: colors.text,
      grid: { stroke: colors.grid, width: 1 },
      size: 56,
      values: (_, splits) => splits.map(shownRate),
    },
  ],
  series: [{}, { stroke: colors.line, fill: colors.fill, width: 1.5, points: { show: false } }],
});

/** Events per second in the last five minutes. */
export const RateChart = ({ rates, id }: { readonly rates: readonly number[]; readonly id: string }) => {
  const data = useMemo((): uPlot.AlignedData => {
    // A line needs two points: the first second is one.
    const shown = rates.length === 1 ? [...rates, ...rates] : rates;
    return [shown.map((_, index) => index - shown.length + 1), [...shown]];
  }, [rates]);
  if (rates.length === 0) return <Text size="sm">No events since this page opened.</Text>;
  const label = `Events per second of ${id}: ${shownRate(rates.at(-1) ?? 0)} now, at most ${shownRate(Math.max(...rates))} in the last five minutes`;
  return <Chart label={label} height={HEIGHT} data={data} options={options} />;
};
