import { Anchor, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import type { GeneratorPhase } from '../../../domain/generator.js';
import type { JsonObject } from '../../../domain/json.js';
import type { GeneratorListItem } from '../../../messages/generators.js';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { useAddress } from '../../parts/address.js';
import { Loading } from '../../parts/Loading.js';
import { useLetterList } from '../../parts/letterList.js';
import { ErrorNote } from '../../parts/notes.js';
import { placeOf } from '../../parts/placedText.js';
import { DeadLetters } from './DeadLetters.js';
import { useConfig, useHistory, useListed, usePatched } from './data.js';
import { Events } from './events/Events.js';
import { FailureNote, HealthNote } from './FailureNote.js';
import { Header } from './Header.js';
import { History } from './History.js';
import { Log } from './log/Log.js';
import { Pipeline } from './pipeline/Pipeline.js';
import { failedPart, partsOf } from './pipeline/parts.js';
import { pictureOf, pressureOf } from './pipeline/picture.js';
import { Timing } from './timing/Timing.js';

const Change = lazy(() => import('./change/Change.js'));

interface Section {
  readonly key: string;
  readonly label: string;
  readonly part: (item: GeneratorListItem) => ReactNode;
}

/** What is below the pipeline, one at a time; the address says which. */
const SECTIONS: readonly Section[] = [
  { key: 'events', label: 'Live events', part: ({ id }) => <Events id={id} /> },
  { key: 'letters', label: 'Dead letters', part: ({ id }) => <DeadLetters id={id} /> },
  { key: 'history', label: 'History', part: ({ id, path }) => <History id={id} config={path} /> },
  { key: 'log', label: 'Log', part: ({ id }) => <Log id={id} /> },
  { key: 'change', label: 'Change', part: ({ id, path }) => <Change id={id} path={path} /> },
];

const FAILING: ReadonlySet<GeneratorPhase> = new Set(['failed', 'backing_off', 'loading']);

const Sections = ({ item }: { readonly item: GeneratorListItem }) => {
  const [shown, show] = useAddress<string>('show', 'events', true);
  return (
    <Tabs value={shown} onChange={(key) => show(key ?? 'events')} keepMounted={false}>
      <Tabs.List>
        {SECTIONS.map(({ key, label }) => (
          <Tabs.Tab key={key} value={key}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SECTIONS.map(({ key, part }) => (
        <Tabs.Panel key={key} value={key} pt="md">
          <Suspense>{part(item)}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};

const Body = ({ item }: { readonly item: GeneratorListItem }) => {
  const { id, path, scenarios, partitions = [], status, start_time } = item;
  const live = useLive().generators.get(id);
  const { phase, reason, error_code } = live ?? status;
  const history = useHistory(id, live, start_time !== null);
  const boxes = useLetterList(id).data;
  const health = live?.health ?? status;
  const config = useConfig(placeOf(path));
  const params = useQuery({
    queryKey: ['params', id],
    queryFn: () => call('readGenerator', { path: { id } }),
  });
  const start = history.at(-1)?.stats.start_time ?? null;
  const patched = usePatched(id, start);
  const parts = partsOf(
    config.data === undefined ? undefined : { ...(config.data as JsonObject), ...patched },
    params.data?.params,
  );
  const picture = pictureOf(history, parts, boxes);
  const isRunning = phase === 'running' || phase === 'draining';
  const pressure =
    params.data === undefined || !isRunning
      ? null
      : pressureOf(history, params.data, live?.counters['queue_batches'] ?? 0);
  return (
    <Stack gap="lg">
      <Header
        id={id}
        path={path}
        phase={phase}
        health={health.health}
        restarts={status.restarts}
        scenarios={scenarios}
        partitions={partitions}
        uptime={history.at(-1)?.stats.uptime ?? null}
      />
      {reason !== null && FAILING.has(phase) ? (
        <FailureNote phase={phase} reason={reason} code={error_code} config={path} />
      ) : (
        <HealthNote health={health} config={path} />
      )}
      {picture !== null && (
        <Pipeline
          picture={picture}
          pressure={pressure}
          failed={reason === null ? null : failedPart(reason, error_code, parts)}
        />
      )}
      {start === null ? (
        <Text size="sm">The generator has not run yet.</Text>
      ) : (
        <Timing id={id} history={history} rates={live?.rates ?? []} isLive={params.data?.live_mode ?? true} />
      )}
      <Sections item={item} />
    </Stack>
  );
};

/** One generator: its pipeline, its delays, its events and its log. */
export default function Generator({ id }: { readonly id: string }) {
  const { list, item } = useListed(id);
  if (item !== undefined) return <Body item={item} />;
  if (list.isError) return <ErrorNote title="The generator cannot be shown" error={list.error} />;
  if (list.isPending || list.isPlaceholderData) return <Loading />;
  return (
    <Stack>
      <Title order={1} size="h2">
        There is no generator {id}
      </Title>
      <Text>
        It may have been deleted. Go to the{' '}
        <Anchor component={Link} href="/" underline="always">
          overview
        </Anchor>
        .
      </Text>
    </Stack>
  );
}
