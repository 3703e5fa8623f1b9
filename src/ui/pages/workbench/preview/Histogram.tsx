import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { shownShort } from '../../../parts/numbers.js';
import { inputColor, stacked, type Timeline } from './timeline.js';

interface HistogramProps {
  readonly timeline: Timeline;
  readonly fromMs: number;
  readonly toMs: number;
  readonly zone: string;
  readonly label: string;
}

const HEIGHT = 180;

const BARS = uPlot.paths.bars?.({ size: [0.9, 60], align: 1 });

const DAY_SECONDS = 86_400;

/** The label of a tick: a time, or a day where ticks are days apart. */
const shownTime = (at: number, splits: readonly number[], timeZone: string): string => {
  const areDays = (splits[1] ?? at) - (splits[0] ?? at) >= DAY_SECONDS;
  return new Intl.DateTimeFormat(
    'en-GB',
    areDays
      ? { timeZone, weekday: 'short', day: 'numeric' }
      : { timeZone, hour: '2-digit', minute: '2-digit' },
  ).format(at * 1_000);
};

/** Timestamps per span, one color per input, stacked. */
const Histogram = ({ timeline, fromMs, toMs, zone, label }: HistogramProps) => {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const ink = isDark ? '#c9c9c9' : '#495057';
    const grid = { stroke: isDark ? '#ffffff1a' : '#0000001a', width: 1 };
    // The highest first: lower ones are drawn over it.
    const { edges, counts } = timeline;
    const rows = stacked(counts)
      .map((values, index) => ({ values, index }))
      .reverse();
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
        scales: {
          x: { range: [Math.min(edges[0] ?? fromMs, fromMs / 1_000), toMs / 1_000] },
          y: { range: (_, __, max) => [0, Math.max(1, max)] },
        },
        axes: [
          { stroke: ink, grid, values: (_, splits) => splits.map((at) => shownTime(at, splits, zone)) },
          { stroke: ink, grid, size: 48, values: (_, splits) => splits.map(shownShort) },
        ],
        series: [
          {},
          ...rows.map(({ index }) => ({
            fill: inputColor(index, isDark),
            stroke: inputColor(index, isDark),
            width: 0,
            points: { show: false },
            ...(BARS === undefined ? {} : { paths: BARS }),
          })),
        ],
      },
      [[...edges], ...rows.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [timeline, fromMs, toMs, zone, isDark]);
  return <div ref={place} role="img" aria-label={label} className="histogram" />;
};

export default Histogram;
