import { Anchor, Group, Text, useMantineTheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client.js';
import { alignedRates, lastOf, placed, remainder, type Steps } from '../../parts/charts/steps.js';
import { TimeChart, type TimeLine, useLineColors } from '../../parts/charts/TimeChart.js';
import { TimeChoice, useTimeWindow } from '../../parts/charts/TimeWindow.js';
import { perSecond, shownRate } from '../../parts/numbers.js';

const HEIGHT = 150;
/** Generators with an area of their own; the color after them is that of all others. */
const MOST = 7;

/** Events per second of the generators that made most, one on top of the other, and of all others. */
export const Throughput = () => {
  const window = useTimeWindow();
  const { zoom, range, query, every_ms, words } = window;
  const series = useQuery({
    queryKey: ['throughput', zoom ?? range],
    queryFn: () =>
      Promise.all([
        call('readSeries', { query }),
        call('readBusiestSeries', { query: { ...query, most: MOST } }),
      ]),
    refetchInterval: every_ms,
    structuralSharing: false,
  });
  const { steps, lines } = useAreas(series.data);
  const rates = steps.lists.map((list) => lastOf(list) ?? 0);
  const sums = (steps.lists[0] ?? []).map((_, at) =>
    steps.lists.reduce((sum, list) => sum + (list[at] ?? 0), 0),
  );
  const highest = `at most ${shownRate(Math.max(0, ...sums))}`;
  const now = `${shownRate(rates.reduce((sum, rate) => sum + rate, 0))} now, `;
  return (
    <section aria-label="Events per second of all generators">
      <Group justify="space-between" gap="xs">
        <Text size="xs">Events per second</Text>
        <TimeChoice window={window} />
      </Group>
      <TimeChart
        label={`Events per second of all generators ${words}: ${zoom === null ? now : ''}${highest}`}
        height={HEIGHT}
        window={window}
        steps={steps}
        lines={lines}
        isStacked
        shown={perSecond}
        onAxis={shownRate}
        unknown="nothing ran"
        empty={
          series.isError
            ? `The series cannot be read: ${series.error.message}`
            : series.data === undefined
              ? ''
              : `No events ${words}.`
        }
      />
      <ul className="areas" aria-label="Areas of the chart">
        {lines.map(({ name, color }, index) => (
          <li key={name}>
            <span className="swatch" style={{ background: color }} aria-hidden />
            {name === OTHERS ? (
              name
            ) : (
              <Anchor component={Link} href={`/r/${encodeURIComponent(name)}`} inherit underline="hover">
                {name}
              </Anchor>
            )}
            {zoom === null && <span className="figure">{shownRate(rates[index] ?? 0)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** No id of a generator. */
const OTHERS = 'all others';

type Answers = readonly [Parameters<typeof alignedRates>[0][number], readonly Busy[]];
type Busy = NonNullable<Parameters<typeof alignedRates>[0][number]> & { readonly id: string };

/** Areas in the colors that they had before. */
const useAreas = (
  answers: Answers | undefined,
): { readonly steps: Steps; readonly lines: readonly TimeLine[] } => {
  const colors = useLineColors();
  const { colors: theme } = useMantineTheme();
  const places = useRef<readonly (string | null)[]>([]);
  return useMemo(() => {
    const [sum = null, busiest = []] = answers ?? [];
    const known = new Map(busiest.map((one) => [one.id, one]));
    places.current = placed(places.current, [...known.keys()]).slice(0, MOST);
    const shown = places.current.flatMap((id, place) => {
      const one = id === null ? undefined : known.get(id);
      return one === undefined ? [] : [{ one, color: colors[place] ?? 'currentColor' }];
    });
    const aligned = alignedRates([sum, ...shown.map(({ one }) => one)]);
    const [whole = [], ...parts] = aligned.lists;
    const rest = remainder(whole, parts);
    const hasRest = rest.some((rate) => rate !== null && rate >= LEAST_REST);
    const lines = shown.map(({ one, color }) => ({ name: one.id, color }));
    return {
      steps: { ...aligned, lists: hasRest || parts.length === 0 ? [...parts, rest] : parts },
      lines: hasRest || parts.length === 0 ? [...lines, { name: OTHERS, color: theme.gray[5] }] : lines,
    };
  }, [answers, colors, theme]);
};

/** Looks at two generators in one second differ by less. */
const LEAST_REST = 0.5;
