import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import { Sparkline } from '../../parts/Sparkline.js';
import type { GlobalEdit } from './edits.js';
import { chartOf, looked, meanRate, movingKeys, TRACK_LENGTH, type Tracks } from './moving.js';

const exact = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 });
const shownRate = (rate: number): string =>
  `${rate > 0 ? '+' : ''}${rate.toLocaleString('en-US', { maximumSignificantDigits: 3 })}/s`;

interface LiveNumbersProps {
  readonly globals: JsonObject;
  readonly keys: ReadonlySet<string>;
  readonly tracks: Tracks;
}

/** Numbers that scripts and templates change: what a knob has an effect on. */
export const LiveNumbers = ({ globals, keys, tracks }: LiveNumbersProps) => {
  const shown = Object.keys(globals).filter((key) => keys.has(key));
  if (shown.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, xl: 3 }}>
      {shown.toSorted().map((key) => {
        const value = globals[key];
        const looks = tracks.get(key)?.looks ?? [];
        return (
          <Paper key={key} withBorder px="md" py="xs">
            <Text size="sm" truncate title={key}>
              {key}
            </Text>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Text fw={600} className="figure" truncate>
                {typeof value === 'number' ? exact(value) : ''}
              </Text>
              <Text size="xs" className="figure">
                {shownRate(meanRate(looks))}
              </Text>
            </Group>
            <Sparkline
              values={chartOf(looks)}
              span={TRACK_LENGTH}
              label={`${key} in the last minute`}
              isWide
            />
          </Paper>
        );
      })}
    </SimpleGrid>
  );
};

/** Known before the first look of a page that is opened again. */
const remembered = new Map<string, Tracks>();

interface Moving {
  readonly tracks: Tracks;
  readonly keys: ReadonlySet<string>;
  /** Passes an edit on, and remembers that this page changes the key. */
  readonly onEdit: (edit: GlobalEdit) => Promise<void>;
}

/** Which numbers scripts and templates change, found by looking. `at`: time of the look, in milliseconds. */
export const useMoving = (
  name: string,
  globals: JsonObject | undefined,
  at: number,
  edit: (edit: GlobalEdit) => Promise<void>,
): Moving => {
  const [tracks, setTracks] = useState<Tracks>(() => remembered.get(name) ?? new Map());
  const [own, setOwn] = useState<ReadonlySet<string>>(() => new Set());
  const now = useRef(globals);
  now.current = globals;
  useEffect(() => {
    const values = now.current;
    if (values !== undefined) setTracks((known) => looked(known, values, at));
  }, [at]);
  useEffect(() => {
    remembered.set(name, tracks);
  }, [name, tracks]);
  const onEdit = useCallback(
    (change: GlobalEdit) => {
      setOwn((known) => new Set([...known, change.path[0]]));
      return edit(change);
    },
    [edit],
  );
  return { tracks, keys: movingKeys(tracks, own), onEdit };
};
