import './cluster.css';
import { Alert, Anchor, Code, Group, ScrollArea, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Search, Unplug } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import type { ClusterUnit } from '../../../messages/cluster.js';
import { useAddress } from '../../parts/address.js';
import { Figure } from '../../parts/Figure.js';
import { ErrorNote } from '../../parts/notes.js';
import { counted, shownCount, shownMs, shownSeconds, shownShort } from '../../parts/numbers.js';
import { browserZone, shownTime } from '../../parts/times.js';
import { type Cluster as Shown, useCluster } from '../../parts/useCluster.js';
import { NodeCard } from './NodeCard.js';
import { lostCluster, nodesOf } from './nodes.js';
import { countsOf, membersOf, shownUnits, troubleOf } from './units.js';

const EVERY_MS = 2_000;

/** Nodes and units of the cluster, as this node sees them. */
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
      <Units units={data.units} />
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

const Figures = ({ cluster: { units, counters, lease_seconds } }: { readonly cluster: Shown }) => {
  const { held, troubled } = countsOf(units);
  return (
    <div className="figures">
      <Figure label="Units held" value={`${shownCount(held)} of ${shownCount(units.length)}`} />
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
        title="Units that this node gave to other nodes"
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

const Units = ({ units }: Pick<Shown, 'units'>) => {
  const [filter, setFilter] = useAddress<string>('find', '');
  const [only, setOnly] = useAddress<string>('show', '');
  const isTroubled = only === TROUBLED;
  const shown = useMemo(() => shownUnits(units, { filter, isTroubled }), [units, filter, isTroubled]);
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h3">
        {counted(units.length, 'unit')}
      </Title>
      <Text size="sm">
        A unit moves as a whole: scenarios with their generators, one generator, or one partition.
      </Text>
      {units.length > 0 && (
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
          {shown.length < units.length && <Text size="sm">{shownCount(shown.length)} shown</Text>}
        </Group>
      )}
      {units.length === 0 && <Text size="sm">The startup list of the cluster is empty.</Text>}
      {units.length > 0 && shown.length === 0 && (
        <Text size="sm">{isTroubled && filter === '' ? 'No unit has a problem.' : 'No unit matches.'}</Text>
      )}
      {shown.length > 0 && <UnitTable units={shown} />}
    </Stack>
  );
};

/** Draws the visible rows only, so that thousands stay smooth. */
const UnitTable = ({ units }: { readonly units: readonly ClusterUnit[] }) => {
  const viewport = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: units.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => units[index]?.name ?? index,
  });
  return (
    <ScrollArea.Autosize
      mah="calc(100vh - 12rem)"
      viewportRef={viewport}
      viewportProps={{ tabIndex: 0, 'aria-label': 'List of units', role: 'region' }}
      className="units"
    >
      <table aria-label="Units" aria-rowcount={units.length + 1}>
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
            const unit = units[index];
            return unit === undefined ? null : (
              <tr
                key={key}
                ref={list.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className="grid row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Cells unit={unit} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollArea.Autosize>
  );
};

/** Pixels of a row before it is measured. */
const ROW_HEIGHT = 44;

const OVERSCAN = 10;

const ZONE = browserZone();

const Cells = memo(({ unit }: { readonly unit: ClusterUnit }) => {
  const trouble = troubleOf(unit);
  return (
    <>
      <th scope="row">
        <Generators unit={unit} />
      </th>
      <td data-label="Scenario" className={unit.scenarios.length === 0 ? 'empty' : ''}>
        <Scenarios unit={unit} />
      </td>
      <td data-label="Node">{unit.node ?? 'none'}</td>
      <td data-label="Since" className={unit.since === null ? 'empty' : 'figure'}>
        {unit.since !== null && shownTime(unit.since, ZONE)}
      </td>
      <td className={trouble === null ? 'empty' : unit.problem === null ? 'moving' : 'bad'}>{trouble}</td>
    </>
  );
});

const Generators = ({ unit }: { readonly unit: ClusterUnit }) => {
  const { ids, more } = membersOf(unit);
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

const Scenarios = ({ unit: { scenarios } }: { readonly unit: ClusterUnit }) =>
  scenarios.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <Anchor component={Link} href={`/s/${encodeURIComponent(name)}`} size="sm">
        {name}
      </Anchor>
    </span>
  ));

export default Cluster;
