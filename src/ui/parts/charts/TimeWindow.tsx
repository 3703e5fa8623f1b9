import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useAddress } from '../address.js';
import { clockTime } from '../times.js';

/** What charts can show: seconds, of a step, and how often the browser asks again. */
const RANGES = {
  '5m': { label: '5 min', words: 'five minutes', seconds: 300, step: 1, every_ms: 1_000 },
  '15m': { label: '15 min', words: '15 minutes', seconds: 900, step: 5, every_ms: 5_000 },
  '1h': { label: '1 h', words: 'hour', seconds: 3_600, step: 10, every_ms: 10_000 },
  '6h': { label: '6 h', words: 'six hours', seconds: 21_600, step: 60, every_ms: 30_000 },
  '3d': { label: '3 d', words: 'three days', seconds: 259_200, step: 600, every_ms: 60_000 },
} as const;
type RangeKey = keyof typeof RANGES;

const isRange = (key: string): key is RangeKey => Object.hasOwn(RANGES, key);

/** A shorter part would show less than two steps. */
const LEAST_ZOOM_SECONDS = 4;

/** A part of the past: seconds since 1970. */
export interface Zoom {
  readonly from: number;
  readonly to: number;
}

const zoomOf = (text: string): Zoom | null => {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return from > 0 && to >= from + LEAST_ZOOM_SECONDS ? { from, to } : null;
};

/** The time that all charts of a page show: a range that ends now, or a part of the past. */
export interface TimeWindow {
  readonly range: RangeKey;
  readonly setRange: (range: RangeKey) => void;
  readonly zoom: Zoom | null;
  /** Shows a part of the past, unless it is too short; null shows the range again. */
  readonly zoomTo: (zoom: Zoom | null) => void;
  readonly seconds: number;
  /** `in the last five minutes`. */
  readonly words: string;
  /** How to ask the service for it. */
  readonly query:
    | { readonly last: number; readonly step: number }
    | { readonly from: string; readonly to: string };
  readonly every_ms: number | false;
}

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** The address names the time, and Back returns to the one before. */
export const useTimeWindow = (): TimeWindow => {
  const [given, setRange] = useAddress<string>('range', '5m');
  const [text, setText] = useAddress<string>('zoom', '', true);
  const zoom = useMemo(() => zoomOf(text), [text]);
  const range = isRange(given) ? given : '5m';
  const { seconds, step, words, every_ms } = RANGES[range];
  const of = {
    range,
    setRange,
    zoom,
    zoomTo: (next: Zoom | null): void => {
      if (next === null) setText('');
      else if (next.to - next.from >= LEAST_ZOOM_SECONDS) setText(`${next.from}-${next.to}`);
    },
  };
  return zoom === null
    ? { ...of, seconds, words: `in the last ${words}`, query: { last: seconds, step }, every_ms }
    : {
        ...of,
        seconds: zoom.to - zoom.from,
        words: `from ${clockTime(zoom.from * 1_000)} to ${clockTime(zoom.to * 1_000)}`,
        query: { from: isoOf(zoom.from), to: isoOf(zoom.to) },
        every_ms: false,
      };
};

/** Chooses the time, and says which part of the past is shown. */
export const TimeChoice = ({
  window: { range, setRange, zoom, zoomTo, words },
}: {
  readonly window: TimeWindow;
}) => (
  <Group gap="xs">
    {zoom !== null && <Text size="xs">{words}</Text>}
    {zoom !== null && (
      <Button size="compact-xs" variant="default" onClick={() => zoomTo(null)}>
        Back to now
      </Button>
    )}
    <SegmentedControl
      size="xs"
      aria-label="Time that the charts show"
      data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
      value={range}
      disabled={zoom !== null}
      onChange={(key) => isRange(key) && setRange(key)}
    />
  </Group>
);
