import './cluster.css';
import { Alert, Anchor, Code, Group, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Search, Unplug } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import type { ClusterTask } from '../../../messages/cluster.js';
import { useAddress } from '../../parts/address.js';
import { Figure } from '../../parts/Figure.js';
import { ErrorNote } from '../../parts/notes.js';
import { counted, shownCount, shownMs, shownSeconds, shownShort } from '../../parts/numbers.js';
import { Scroller } from '../../parts/Section.js';
import { browserZone, shownTime } from '../../parts/times.js';
import { type ClusterState as Shown, useCluster } from '../../parts/useCluster.js';
import { NodeCard } from './NodeCard.js';
import { lostCluster, nodesOf } from './nodes.js';
import { shownTasks, taskCountsOf, taskMembersOf, troubleOf } from './tasks.js';

const EVERY_MS = 2_000;

/** Nodes and tasks of the cluster, as this node sees them. */
const Cluster = () => {
  const { data, error } = useCluster(EVERY_MS);
  if (data === undefined)
    return error === null ? null : <ErrorNote title="The cluster cannot be read" error={error} />;
  if (!data.enabled) return <Alone />;
  return (
    <Stack gap="lg">
      <Group gap="xs" align="baseline">
        <Title order={1} size="h2">
          Cluster
        </Title>
        <Text>
          {data.name}, as node {data.node} sees it
        </Text>
      </Group>
      {error !== null && <ErrorNote title="The cluster cannot be read" error={error} />}
      <Lost cluster={data} />
      <Figures cluster={data} />
      <Nodes cluster={data} />
      <Tasks tasks={data.tasks} />
    </Stack>
  );
};

const Alone = () => (
  <Stack gap="xs">
    <Title order={1} size="h2">
      Cluster
    </Title>
    <Text>
      This service runs alone. Start it with <Code>spate run --cluster FILE</Code> to make it a node of a
      cluster.
    </Text>
  </Stack>
);

const Lost = ({ cluster }: { readonly cluster: Shown }) => {
  const lost = lostCluster(cluster);
  if (lost === null) return null;
  return (
    <Alert color="red" icon={<Unplug size={18} />} title={lost.title} role="alert">
      {lost.words}
    </Alert>
  );
};

const Figures = ({ cluster: { tasks, counters, lease_seconds } }: { readonly cluster: Shown }) => {
  const { held, troubled } = taskCountsOf(tasks);
  return (
    <div className="figures">
      <Figure label="Tasks held" value={`${shownCount(held)} of ${shownCount(tasks.length)}`} />
      {troubled > 0 && <Figure label="Problems" value={shownCount(troubled)} color="red" />}
      <Figure
        label="Lease"
        value={shownSeconds(lease_seconds)}
        title="A node that is not heard of for this long has lost its generators"
      />
      <Figure
        label="Takeovers"
        value={shownCount(counters.takeovers)}
        title="Leases that this node took from lost nodes"
      />
      {counters.takeovers > 0 && <Figure label="Last takeover" value={shownMs(counters.last_takeover_ms)} />}
      <Figure
        label="Moves"
        value={shownCount(counters.moves)}
        title="Tasks that this node gave to other nodes"
      />
      <Figure
        label="Isolations"
        value={shownCount(counters.isolations)}
        title="Times that this node lost the cluster"
        {...(counters.isolations > 0 ? { color: 'orange' } : {})}
      />
      <Figure label="Bucket reads" value={shownShort(counters.bucket_reads)} />
      <Figure label="Bucket writes" value={shownShort(counters.bucket_writes)} />
    </div>
  );
};

const Nodes = ({ cluster }: { readonly cluster: Shown }) => {
  const nodes = nodesOf(cluster);
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h3">
        {counted(nodes.length, 'node')}
      </Title>
      <ul className="nodes">
        {nodes.map((one) => (
          <NodeCard key={one.name} node={one} nodes={nodes} isHere={one.name === cluster.node} />
        ))}
      </ul>
    </Stack>
  );
};

const TROUBLED = 'problems';

const Tasks = ({ tasks }: Pick<Shown, 'tasks'>) => {
  const [filter, setFilter] = useAddress<string>('find', '');
  const [only, setOnly] = useAddress<string>('show', '');
  const isTroubled = only === TROUBLED;
  const shown = useMemo(() => shownTasks(tasks, { filter, isTroubled }), [tasks, filter, isTroubled]);
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h3">
        {counted(tasks.length, 'task')}
      </Title>
      <Text size="sm">
        A task moves as a whole: scenarios with their generators, one generator, or one partition.
      </Text>
      {tasks.length > 0 && (
        <Group>
          <TextInput
            aria-label="Filter by generator, scenario, node or problem"
            placeholder="Filter"
            leftSection={<Search size={16} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
            w={260}
          />
          <Switch
            label="Problems only"
            checked={isTroubled}
            onChange={(event) => setOnly(event.currentTarget.checked ? TROUBLED : '')}
          />
          {shown.length < tasks.length && <Text size="sm">{shownCount(shown.length)} shown</Text>}
        </Group>
      )}
      {tasks.length === 0 && <Text size="sm">The startup list of the cluster is empty.</Text>}
      {tasks.length > 0 && shown.length === 0 && (
        <Text size="sm">{isTroubled && filter === '' ? 'No task has a problem.' : 'No task matches.'}</Text>
      )}
      {shown.length > 0 && <TaskList tasks={shown} />}
    </Stack>
  );
};

/** Draws the visible rows only, so that thousands stay smooth. */
const TaskList = ({ tasks }: { readonly tasks: readonly ClusterTask[] }) => {
  const viewport = useRef<HTMLElement>(null);
  const list = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => tasks[index]?.name ?? index,
  });
  return (
    <Scroller ref={viewport} className="tasks" label="List of tasks">
      <table aria-label="Tasks" aria-rowcount={tasks.length + 1}>
        <thead>
          <tr className="grid head">
            <th scope="col">Generators</th>
            <th scope="col">Scenario</th>
            <th scope="col">Node</th>
            <th scope="col">Since</th>
            <th scope="col">Problem</th>
          </tr>
        </thead>
        <tbody style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, key, start }) => {
            const task = tasks[index];
            return task === undefined ? null : (
              <tr
                key={key}
                ref={list.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className="grid row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Cells task={task} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroller>
  );
};

/** Pixels of a row before it is measured. */
const ROW_HEIGHT = 44;

const OVERSCAN = 10;

const ZONE = browserZone();

const Cells = memo(({ task }: { readonly task: ClusterTask }) => {
  const trouble = troubleOf(task);
  return (
    <>
      <th scope="row">
        <Generators task={task} />
      </th>
      <td data-label="Scenario" className={task.scenarios.length === 0 ? 'empty' : ''}>
        <Scenarios task={task} />
      </td>
      <td data-label="Node">{task.node ?? 'none'}</td>
      <td data-label="Since" className={task.since === null ? 'empty' : 'figure'}>
        {task.since !== null && shownTime(task.since, ZONE)}
      </td>
      <td className={trouble === null ? 'empty' : task.problem === null ? 'moving' : 'bad'}>{trouble}</td>
    </>
  );
});

const Generators = ({ task }: { readonly task: ClusterTask }) => {
  const { ids, more } = taskMembersOf(task);
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Anchor component={Link} href={`/r/${encodeURIComponent(id)}`} size="sm">
            {id}
          </Anchor>
        </span>
      ))}
      {more > 0 && <Text size="sm" component="span">{` and ${shownCount(more)} more`}</Text>}
    </>
  );
};

const Scenarios = ({ task: { scenarios } }: { readonly task: ClusterTask }) =>
  scenarios.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <Anchor component={Link} href={`/s/${encodeURIComponent(name)}`} size="sm">
        {name}
      </Anchor>
    </span>
  ));

export default Cluster;
