import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { Needs } from '../../app/role.js';
import { Figure } from '../../parts/Figure.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { counted, shownBytes, shownCount, shownRate, shownShort } from '../../parts/numbers.js';
import { useNodes } from '../../parts/useCluster.js';
import { InvalidEntriesNote } from '../startup/InvalidEntries.js';
import { BulkActions, Filter } from './Controls.js';
import { type ExampleCard, firstExamples, startExample } from './examples.js';
import { GeneratorTable } from './GeneratorTable.js';
import {
  type RowKind,
  rowMaker,
  rowTotalsOf,
  type Totals as Sums,
  shownRows,
  type ViewOfRows,
  viewOf,
  viewParamsOf,
} from './rows.js';
import { NONE, toggled, toggledAll } from './selection.js';
import { Throughput } from './Throughput.js';

/** Milliseconds between looks at what the stream of events does not have: restarts, scenarios. */
const LIST_EVERY_MS = 10_000;

const useRows = () => {
  const live = useLive();
  const nodes = useNodes();
  const list = useQuery({
    queryKey: ['generators', live.generators.size],
    queryFn: () => call('listGenerators'),
    placeholderData: (former) => former,
    refetchInterval: LIST_EVERY_MS,
  });
  const [makeRows] = useState(rowMaker);
  const rows = useMemo(
    () => makeRows(list.data ?? [], live.generators, nodes),
    [list.data, live.generators, nodes, makeRows],
  );
  return { list, rows };
};

/** Every generator on one page: what runs, how fast, how late, and what went wrong. */
export const Overview = () => {
  const { list, rows } = useRows();
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => viewOf(params), [params]);
  const setView = (next: ViewOfRows): void => {
    const ofChart = [...params].filter(([name]) => name === 'range' || name === 'zoom');
    setParams(Object.fromEntries([...viewParamsOf(next), ...ofChart]), { replace: true });
  };
  const [selection, select] = useState(NONE);
  const shown = useMemo(() => shownRows(rows, view), [rows, view]);
  const ids = shown.map(({ id }) => id).join('\n');
  const choose = useCallback(
    (id: string, isRange: boolean) => select((former) => toggled(former, ids.split('\n'), id, isRange)),
    [ids],
  );
  if (list.isError && list.data === undefined)
    return <ErrorNote title="The generators cannot be listed" error={list.error} />;
  if (list.isPending) return <Loading />;
  if (rows.length === 0)
    return (
      <Stack>
        <InvalidEntriesNote />
        <Empty />
      </Stack>
    );
  const chosen = rows.filter(({ id }) => selection.ids.has(id));
  return (
    <Stack>
      <Title order={1} size="h2">
        Generators
      </Title>
      <InvalidEntriesNote />
      <Totals totals={rowTotalsOf(rows)} view={view} onView={setView} />
      <Throughput />
      <Group justify="space-between">
        <Filter rows={rows} view={view} onView={setView} />
        <BulkActions shown={shown} chosen={chosen} onClear={() => select(NONE)} />
      </Group>
      <GeneratorTable
        rows={shown}
        view={view}
        onView={setView}
        chosen={selection.ids}
        onChoose={choose}
        onChooseAll={() =>
          select((former) =>
            toggledAll(
              former,
              shown.map(({ id }) => id),
            ),
          )
        }
      />
    </Stack>
  );
};

const HOST_EVERY_MS = 5_000;

/** Load of the machine that the service runs on. */
const Host = () => {
  const info = useQuery({
    queryKey: ['info'],
    queryFn: () => call('readInstanceInfo'),
    refetchInterval: HOST_EVERY_MS,
  });
  if (info.data === undefined) return null;
  const { cpu_percent, cpu_count, memory_used_bytes, memory_total_bytes, host_name } = info.data;
  const cores = cpu_count === null ? '' : `, ${counted(cpu_count, 'core')}`;
  return (
    <>
      <Figure label={`CPU${cores}`} value={`${Math.round(cpu_percent)} %`} title={`Load of ${host_name}`} />
      <Figure
        label="Memory"
        value={`${Math.round((100 * memory_used_bytes) / memory_total_bytes)} %`}
        title={`${shownBytes(memory_used_bytes)} of ${shownBytes(memory_total_bytes)} in use on ${host_name}`}
      />
    </>
  );
};

interface TotalsProps {
  readonly totals: Sums;
  readonly view: ViewOfRows;
  readonly onView: (view: ViewOfRows) => void;
}

/** The sums over all generators; those of some generators show these alone. */
const Totals = ({ totals, view, onView }: TotalsProps) => {
  const kind = (only: RowKind) => ({
    isOn: view.only === only,
    onToggle: () => onView({ ...view, only: view.only === only ? null : only }),
  });
  const running = {
    isOn: view.phase === 'running',
    onToggle: () => onView({ ...view, phase: view.phase === 'running' ? null : 'running' }),
  };
  const isUnwellShown = (health: 'failing' | 'degraded'): boolean =>
    totals[health] > 0 || view.only === health;
  return (
    <div className="figures">
      <Figure
        label="Running"
        value={shownCount(totals.running)}
        note={`of ${shownCount(totals.count)}`}
        {...running}
      />
      {isUnwellShown('failing') && (
        <Figure label="Failing" value={shownCount(totals.failing)} color="red" {...kind('failing')} />
      )}
      {isUnwellShown('degraded') && (
        <Figure label="Degraded" value={shownCount(totals.degraded)} color="orange" {...kind('degraded')} />
      )}
      <Figure label="Events/s" value={shownRate(totals.rate)} />
      <Figure label="Written" value={shownShort(totals.written)} />
      <Figure
        label="Dead letters"
        value={shownShort(totals.deadLettered)}
        title="Since the start of each generator"
        {...kind('dead')}
      />
      <Figure
        label="Lost"
        value={shownShort(totals.lost)}
        {...(totals.lost > 0 ? { color: 'red' } : {})}
        {...kind('lost')}
      />
      <Host />
    </div>
  );
};

/** The first look of a new user: three examples to start. */
const Empty = () => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const library = useQuery({ queryKey: ['library'], queryFn: () => call('listLibrary') });
  const starting = useMutation({
    mutationFn: (item: ExampleCard) => startExample(item.name),
    onSuccess: (id) => {
      void client.invalidateQueries();
      go(`/r/${encodeURIComponent(id)}`);
    },
    onError: () => void client.invalidateQueries(),
  });
  return (
    <Stack align="flex-start">
      <Title order={1} size="h2">
        No generators yet
      </Title>
      <Text maw={640}>
        A generator makes events and delivers them to files, brokers, databases or SIEMs. Start one of these
        examples and watch its events, or say in three choices what goes where, and how much of it.
      </Text>
      {starting.isError && <ErrorNote title="The example did not start" error={starting.error} />}
      {library.isError && <ErrorNote title="The examples cannot be listed" error={library.error} />}
      <SimpleGrid cols={{ base: 1, sm: 3 }} w="100%">
        {firstExamples(library.data ?? []).map((item) => (
          <Card withBorder component="article" key={item.name} aria-label={item.name}>
            <Stack gap="xs" h="100%" justify="space-between">
              <div>
                <Text fw={600}>{item.name}</Text>
                <Text size="sm">{item.summary}</Text>
              </div>
              <Group>
                <Needs to="copyLibraryGenerator">
                  <Button
                    leftSection={<Play size={16} />}
                    onClick={() => starting.mutate(item)}
                    loading={starting.isPending && starting.variables.name === item.name}
                    disabled={starting.isPending}
                    aria-label={`Start ${item.name}`}
                  >
                    Start
                  </Button>
                </Needs>
              </Group>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
      <Button component={Link} href="/new" variant="default" leftSection={<Plus size={16} />}>
        New generator
      </Button>
    </Stack>
  );
};
