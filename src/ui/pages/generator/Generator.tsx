import './deadLetters.css';
import { Anchor, Button, Code, Group, Loader, Stack, Tabs, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { GeneratorPhase } from '../../../domain/generator.js';
import type { JsonObject } from '../../../domain/json.js';
import type { HealthReport } from '../../../domain/stats/health.js';
import type { GeneratorListItem } from '../../../messages/generators.js';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { useAddress } from '../../parts/address.js';
import { useDeadLetterList } from '../../parts/deadLetterList.js';
import { Loading } from '../../parts/Loading.js';
import { locationOf } from '../../parts/locatedText.js';
import { ErrorCodeLink, ErrorNote, ErrorText, Note } from '../../parts/notes.js';
import { remedyOf } from '../../parts/phases.js';
import { DeadLetterTab } from './DeadLetters.js';
import { useConfig, useGeneratorZone, useHistory, useListed, usePatched, useTurns } from './data.js';
import { meaningOf } from './deadLetterTexts.js';
import { Events } from './events/Events.js';
import { GeneratorHeader } from './Header.js';
import { LogPanel } from './Log.js';
import { PipelinePicture } from './pipeline/Pipeline.js';
import { failedPart, pictureParts } from './pipeline/parts.js';
import { pictureOf, pressureOf } from './pipeline/picture.js';
import { TimingPanel } from './Timing.js';
import { type ShownTurn, shownTurns } from './turns.js';

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

const Body = ({ item }: { readonly item: GeneratorListItem }) => {
  const { id, path, scenarios, partitions = [], status, start_time } = item;
  const live = useLive().generators.get(id);
  const { phase, reason, error_code } = live ?? status;
  const history = useHistory(id, live, start_time !== null);
  const summaries = useDeadLetterList(id).data;
  const health = live?.health ?? status;
  const config = useConfig(locationOf(path));
  const params = useQuery({
    queryKey: ['params', id],
    queryFn: () => call('readGenerator', { path: { id } }),
  });
  const start = history.at(-1)?.stats.start_time ?? null;
  const patched = usePatched(id, start);
  const parts = pictureParts(
    config.data === undefined ? undefined : { ...(config.data as JsonObject), ...patched },
    params.data?.params,
  );
  const picture = pictureOf(history, parts, summaries);
  const isRunning = phase === 'running' || phase === 'draining';
  const pressure =
    params.data === undefined || !isRunning
      ? null
      : pressureOf(history, params.data, live?.counters['queue_batches'] ?? 0);
  return (
    <Stack gap="lg">
      <GeneratorHeader
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
        <PipelinePicture
          picture={picture}
          pressure={pressure}
          failed={reason === null ? null : failedPart(reason, error_code, parts)}
        />
      )}
      {start === null ? (
        <Text size="sm">The generator has not run yet.</Text>
      ) : (
        <TimingPanel
          id={id}
          path={path}
          scenarios={scenarios}
          history={history}
          isLive={params.data?.live_mode ?? true}
        />
      )}
      <Sections item={item} />
    </Stack>
  );
};

const FAILING: ReadonlySet<GeneratorPhase> = new Set(['failed', 'backing_off', 'loading']);

interface FailureNoteProps {
  readonly phase: GeneratorPhase;
  readonly reason: string;
  readonly code: string | null;
  readonly config: string;
}

/** Why a generator does not run, and what to do. */
const FailureNote = ({ phase, reason, code, config }: FailureNoteProps) => (
  <Note
    color={phase === 'failed' ? 'red' : 'orange'}
    title={phase === 'failed' ? 'The generator failed' : 'The generator is restarting'}
  >
    <ErrorText text={reason} config={config} />
    <Group gap="xs" mt={4}>
      <Text size="sm">{remedyOf(phase, code)}</Text>
      {code !== null && <ErrorCodeLink code={code} />}
    </Group>
  </Note>
);

/** What is wrong with a generator that runs, and what to do. */
const HealthNote = ({
  health: { health, health_reason, remedy },
  config,
}: {
  readonly health: HealthReport;
  readonly config: string;
}) =>
  health === 'failing' || health === 'degraded' ? (
    <Note
      color={health === 'failing' ? 'red' : 'orange'}
      title={health === 'failing' ? 'The generator is failing' : 'The generator is degraded'}
    >
      <ErrorText text={health_reason ?? ''} config={config} />
      <Text size="sm" mt={4}>
        {remedy}
      </Text>
    </Note>
  ) : null;

interface Section {
  readonly key: string;
  readonly label: string;
  readonly part: (item: GeneratorListItem) => ReactNode;
}

/** What is below the pipeline, one at a time; the address says which. */
const SECTIONS: readonly Section[] = [
  { key: 'events', label: 'Live events', part: ({ id }) => <Events id={id} /> },
  { key: 'letters', label: 'Dead letters', part: ({ id }) => <DeadLetterTab id={id} /> },
  { key: 'history', label: 'History', part: ({ id, path }) => <History id={id} config={path} /> },
  { key: 'log', label: 'Log', part: ({ id }) => <LogPanel id={id} /> },
  { key: 'change', label: 'Change', part: ({ id, path }) => <Change id={id} path={path} /> },
];

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

const Change = lazy(() => import('./Change.js'));

const FIRST_SHOWN = 8;

/** The last starts, ends and failures of a generator, newest first. */
const History = ({ id, config }: { readonly id: string; readonly config: string }) => {
  const zone = useGeneratorZone(id);
  const [isWhole, setWhole] = useState(false);
  const history = useTurns(id);
  if (history.isError) return <ErrorNote title="The history cannot be read" error={history.error} />;
  if (history.data === undefined)
    return <Loader size="sm" className="late" aria-label="Reading the history" />;
  const turns = shownTurns(history.data, zone);
  const shown = isWhole ? turns : turns.slice(0, FIRST_SHOWN);
  const rest = turns.length - shown.length;
  return (
    <Stack gap="md">
      {turns.length === 0 ? (
        <Text>The generator has not started yet.</Text>
      ) : (
        <Timeline bulletSize={16} lineWidth={2} active={shown.length}>
          {shown.map((turn) => (
            <Timeline.Item key={turn.key} title={turn.title} color={turn.color}>
              <Turn turn={turn} config={config} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
      {rest > 0 && (
        <Button variant="default" onClick={() => setWhole(true)}>
          Show {rest} more
        </Button>
      )}
      <Text size="sm">
        The last 50, since the service started; times in {zone}. The log of the generator has all of them.
      </Text>
    </Stack>
  );
};

const Turn = ({ turn, config }: { readonly turn: ShownTurn; readonly config: string }) => (
  <Stack gap={4}>
    <Text size="sm" className="figure">
      {[turn.when, turn.ran].filter((text) => text !== '').join(', ')}
    </Text>
    {turn.reason !== null && <ErrorText text={turn.reason} config={config} />}
    {turn.code !== null && (
      <Text size="sm">
        <Code>{turn.code}</Code> {meaningOf(turn.code)}
      </Text>
    )}
  </Stack>
);
