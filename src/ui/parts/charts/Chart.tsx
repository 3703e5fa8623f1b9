import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type uPlot from 'uplot';

export interface ChartColors {
  readonly text: string;
  readonly grid: string;
  readonly line: string;
  readonly fill: string;
}

export type ChartOptions = Omit<uPlot.Options, 'width' | 'height' | 'cursor' | 'hooks'>;

/** Something that happened, as a dashed line at a value of the x axis. */
export interface ChartMark {
  readonly at: number;
  /** That of the text by default. */
  readonly color?: string;
}

/** What a chart tells and does besides its lines. */
interface ChartExtras {
  readonly marks?: readonly ChartMark[] | undefined;
  /** Words for the point under the mouse. */
  readonly readout?: ((index: number) => string) | undefined;
  /** A part of the x axis was drawn over with the mouse. */
  readonly onZoom?: ((from: number, to: number) => void) | undefined;
}

interface ChartProps extends ChartExtras {
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

const drawMarks = (plot: uPlot, marks: readonly ChartMark[], color: string): void => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark.at, 'x', true));
    ctx.strokeStyle = mark.color ?? color;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
};

/** The mouse on one chart of a page tells the same moment on the others; a part drawn over is that of one. */
const ONE_CROSSHAIR: uPlot.Cursor.Sync = {
  key: 'page',
  setSeries: false,
  filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
};

/** Mouse and marks of a chart; `latest` may change while it is shown. */
const extrasOf = (
  latest: { readonly current: ChartExtras },
  color: string,
  onPoint: (index: number | null) => void,
): Pick<uPlot.Options, 'cursor' | 'hooks'> => {
  const { readout, onZoom } = latest.current;
  const hasMouse = readout !== undefined || onZoom !== undefined;
  return {
    cursor: hasMouse
      ? {
          y: false,
          points: { show: false },
          sync: ONE_CROSSHAIR,
          drag: { x: onZoom !== undefined, y: false, setScale: false },
        }
      : { show: false },
    hooks: {
      draw: [(plot) => drawMarks(plot, latest.current.marks ?? [], color)],
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width === 0) return;
          latest.current.onZoom?.(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
};

/** A chart of uPlot, loaded when the first one is shown. */
export const Chart = ({ label, height, data, options, ...extras }: ChartProps) => {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const canvas = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(data);
  const colors = useColors();
  latest.current = data;
  const latestExtras = useRef<ChartExtras>(extras);
  latestExtras.current = extras;
  const [point, setPoint] = useState<number | null>(null);
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
      const mouse = extrasOf(latestExtras, colors.text, setPoint);
      chart.current = new plot({ ...given, ...mouse, axes, width, height }, latest.current, place);
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
    <div ref={ref} role="img" aria-label={label} className="chart" style={{ height }}>
      <div ref={canvas} />
      {point !== null && extras.readout !== undefined && (
        <div className="chart-readout">{extras.readout(point)}</div>
      )}
    </div>
  );
};
