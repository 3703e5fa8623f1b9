import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';

export interface ChartColors {
  readonly text: string;
  readonly grid: string;
  readonly line: string;
  readonly fill: string;
}

export type ChartOptions = Omit<uPlot.Options, 'width' | 'height'>;

interface ChartProps {
  /** What the chart shows, with its main numbers. */
  readonly label: string;
  readonly height: number;
  readonly data: uPlot.AlignedData;
  /** Must be stable: other options make a new chart. */
  readonly options: (colors: ChartColors, plot: typeof uPlot) => ChartOptions;
}

const useColors = (): ChartColors => {
  const { colors } = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return {
    text: isDark ? colors.dark[0] : colors.gray[8],
    grid: isDark ? colors.dark[4] : colors.gray[3],
    line: colors.cyan[isDark ? 5 : 8],
    fill: `${colors.cyan[isDark ? 5 : 8]}55`,
  };
};

const RETRY_MS = 3_000;

let loaded: typeof uPlot | null = null;

const load = async (): Promise<typeof uPlot> => {
  const [{ default: plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  loaded = plot;
  return plot;
};

/** A chart of uPlot, loaded when the first one is shown. */
export const Chart = ({ label, height, data, options }: ChartProps) => {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const canvas = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(data);
  const colors = useColors();
  latest.current = data;
  const scheme = colors.text;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme stands for its colors; data is set below
  useEffect(() => {
    const place = canvas.current;
    if (width === 0 || place === null) return;
    let isOver = false;
    const draw = (plot: typeof uPlot): void => {
      if (isOver) return;
      const given = options(colors, plot);
      const font = `12px ${getComputedStyle(place).fontFamily}`;
      const axes = (given.axes ?? []).map((axis) => ({ font, ...axis }));
      chart.current = new plot({ ...given, axes, width, height }, latest.current, place);
    };
    let retry = 0;
    const drawSoon = (): void =>
      void load().then(draw, () => {
        // The service is away, and a page that is open stays.
        if (!isOver) retry = window.setTimeout(drawSoon, RETRY_MS);
      });
    // A chart that takes the place of another is there at once.
    if (loaded === null) drawSoon();
    else draw(loaded);
    return () => {
      isOver = true;
      window.clearTimeout(retry);
      chart.current?.destroy();
      chart.current = null;
    };
  }, [width, height, scheme, options]);
  useEffect(() => chart.current?.setData(data), [data]);
  return (
    <div ref={ref} role="img" aria-label={label} style={{ height, overflow: 'hidden' }}>
      <div ref={canvas} />
    </div>
  );
};
