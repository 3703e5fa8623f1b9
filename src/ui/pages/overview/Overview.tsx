import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { ErrorNote } from '../../parts/ErrorNote.js';
import { InvalidEntriesNote } from '../../parts/InvalidEntries.js';
import { Loading } from '../../parts/Loading.js';
import { RateChart } from '../../parts/RateChart.js';
import { useNodes } from '../../parts/useCluster.js';
import { Actions, Filter } from './Controls.js';
import { Empty } from './Empty.js';
import { GeneratorTable } from './GeneratorTable.js';
import { rowMaker, shownRows, totalsOf, type ViewOfRows } from './rows.js';
import { NONE, toggled, toggledAll } from './selection.js';
import { Totals } from './Totals.js';
import { paramsOf, viewOf } from './view.js';

/** Milliseconds between looks at what the stream of events does not have: restarts, scenarios. */
const LIST_EVERY_MS = 10_000;
const CHART_HEIGHT = 110;

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
    const range = params.get('range');
    setParams(
      { ...Object.fromEntries(paramsOf(next)), ...(range === null ? {} : { range }) },
      { replace: true },
    );
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
      <Totals totals={totalsOf(rows)} view={view} onView={setView} />
      <section aria-label="Events per second of all generators">
        <RateChart id={null} height={CHART_HEIGHT} />
      </section>
      <Group justify="space-between">
        <Filter rows={rows} view={view} onView={setView} />
        <Actions shown={shown} chosen={chosen} onClear={() => select(NONE)} />
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
