import { Anchor, ScrollArea, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef } from 'react';
import { Link } from 'wouter';
import type { ClusterUnit } from '../../../messages/cluster.js';
import { shownCount } from '../../parts/numbers.js';
import { browserZone, shownTime } from '../../parts/times.js';
import { membersOf, troubleOf } from './units.js';

/** Pixels of a row before it is measured. */
const ROW_HEIGHT = 44;
const OVERSCAN = 10;

const ZONE = browserZone();

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

/** Draws the visible rows only, so that thousands stay smooth. */
export const UnitTable = ({ units }: { readonly units: readonly ClusterUnit[] }) => {
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
