import { Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAddress } from '../../../parts/address.js';
import { shownMs, shownRate } from '../../../parts/numbers.js';
import { RateChart } from '../../../parts/RateChart.js';
import type { History } from '../recent.js';
import { type Buckets, barsOf, type DurationKey, quantileOf, recentBuckets, totalOf } from './buckets.js';
import { Histogram } from './Histogram.js';

type Span = 'minute' | 'start';

const SPANS: readonly { readonly value: Span; readonly label: string }[] = [
  { value: 'minute', label: 'Last minute' },
  { value: 'start', label: 'Since the start' },
];

const CHART_HEIGHT = 150;

const Card = ({
  title,
  figures,
  children,
}: {
  readonly title: string;
  readonly figures: string;
  readonly children: ReactNode;
}) => (
  <Paper withBorder p="sm" component="section" aria-label={title}>
    <Title order={2} size="h6">
      {title}
    </Title>
    <Text size="xs" mb="xs" className="figure">
      {figures}
    </Text>
    {children}
  </Paper>
);

const bucketsOf = (history: History, key: DurationKey, span: Span): Buckets =>
  span === 'minute' ? recentBuckets(history, key) : (history.at(-1)?.stats[key].buckets ?? []);

/** Durations are whole microseconds: zero is less than one. */
const withinText = (ms: number): string => shownMs(Math.max(ms, 0.001));

const figuresOf = (buckets: Buckets): string =>
  totalOf(buckets) === 0
    ? '–'
    : `half within ${withinText(quantileOf(buckets, 0.5))}, 99 % within ${withinText(quantileOf(buckets, 0.99))}`;

interface TimingProps {
  readonly id: string;
  readonly history: History;
  readonly rates: readonly number[];
  readonly isLive: boolean;
}

/** Throughput and the two delays of an event: until it is made, and until it is written. */
export const Timing = ({ id, history, rates, isLive }: TimingProps) => {
  const [span, setSpan] = useAddress<Span>('span', 'minute');
  const lateness = bucketsOf(history, 'lateness_ms', span);
  const lag = bucketsOf(history, 'delivery_lag_ms', span);
  return (
    <Stack gap="xs">
      <Group justify="flex-end">
        <SegmentedControl
          size="xs"
          aria-label="Time that lateness and delivery lag cover"
          data={[...SPANS]}
          value={span}
          onChange={(value) => setSpan(value)}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Card title="Events per second" figures={`${shownRate(rates.at(-1) ?? 0)} in the last second`}>
          <RateChart id={id} height={CHART_HEIGHT} />
        </Card>
        <Card title="Lateness" figures={isLive ? figuresOf(lateness) : 'only in live mode'}>
          {isLive && (
            <Histogram bars={barsOf(lateness)} label={`Lateness of events: ${figuresOf(lateness)}`} />
          )}
        </Card>
        <Card title="Delivery lag" figures={figuresOf(lag)}>
          <Histogram bars={barsOf(lag)} label={`Delivery lag of events: ${figuresOf(lag)}`} />
        </Card>
      </SimpleGrid>
    </Stack>
  );
};
