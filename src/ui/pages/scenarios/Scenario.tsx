import {
  Alert,
  Button,
  Group,
  Paper,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Search, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { checkScenarioName } from '../../../domain/identifiers.js';
import type { JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { Needs } from '../../app/role.js';
import { ErrorNote, tellDone, tellError } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import { Question, RenameDialog } from '../../parts/Questions.js';
import { Section } from '../../parts/Section.js';
import { Sparkline } from '../../parts/Sparkline.js';
import type { GlobalEdit } from './edits.js';
import { GlobalsTree } from './GlobalsTree.js';
import { AnomalyKnob, Knobs } from './Knobs.js';
import { ScenarioMembers } from './Members.js';
import { ANOMALY, unsetKeys, usageOf } from './membership.js';
import { chartOf, looked, meanRate, movingKeys, TRACK_LENGTH, type Tracks } from './moving.js';
import { Patches } from './Patches.js';
import { useEdit, useGlobals, useKnobKeys } from './useGlobals.js';
import { AddKey } from './ValueEditors.js';

const USAGE_STALE_MS = 30_000;

/** The use of globals by the templates of all members that have a directory. */
const useUsage = (name: string, ids: readonly string[]) => {
  const reports = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['globals-usage', name, id],
      queryFn: async () => ({
        member: id,
        report: await call('readGlobalsUsage', { path: { name, generator_name: id } }),
      }),
      staleTime: USAGE_STALE_MS,
    })),
    combine: (results) => ({
      known: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
      failed: results.find(({ isError }) => isError)?.error ?? null,
    }),
  });
  const { known, failed } = reports;
  return { usage: useMemo(() => usageOf(known), [known]), failed };
};

const Globals = ({ name, ids }: { readonly name: string; readonly ids: readonly string[] }) => {
  const globals = useGlobals(name);
  const { tracks, keys, onEdit } = useMoving(
    name,
    globals.data?.value,
    globals.data?.at_ms ?? 0,
    useEdit(name),
  );
  const { usage, failed } = useUsage(name, ids);
  const knobs = useKnobKeys(name, globals.data?.value);
  const [filter, setFilter] = useState('');
  const [wanted] = useDebouncedValue(filter, 150);
  const values = globals.data?.value;
  if (values === undefined) {
    return globals.isError ? <ErrorNote title="The globals cannot be read" error={globals.error} /> : null;
  }
  const isWritten = (key: string): boolean => keys.has(key) || (usage.keys.get(key)?.writes.length ?? 0) > 0;
  const isKnob = (key: string): boolean => knobs.isAdded(key) || (knobs.isKnob(key) && !isWritten(key));
  // Every other number is shown from the start, so that nothing moves once it changes.
  const counters = new Set(
    Object.keys(values).filter((key) => typeof values[key] === 'number' && knobs.isKnown && !isKnob(key)),
  );
  const isSet = (key: string): boolean => Object.hasOwn(values, key);
  const count = Object.keys(values).length;
  return (
    <>
      {globals.isError && <ErrorNote title="The values are from before" error={globals.error} />}
      <Section title="Knobs">
        <Needs to="patchGlobals">
          <AnomalyKnob ids={ids} value={values[ANOMALY]} onEdit={onEdit} />
        </Needs>
        {knobs.isKnown ? (
          <Needs to="patchGlobals">
            <Knobs globals={values} isKnob={isKnob} onAdd={knobs.add} onEdit={onEdit} />
          </Needs>
        ) : (
          <Skeleton height={96} role="status" aria-label="Loading" />
        )}
      </Section>
      {counters.size > 0 && (
        <Section title="Live numbers">
          <LiveNumbers globals={values} keys={counters} tracks={tracks} />
        </Section>
      )}
      <Section title={`Globals (${shownCount(count)})`}>
        {failed !== null && <ErrorNote title="Some templates cannot be searched for keys" error={failed} />}
        {usage.unclear.length > 0 && (
          <Alert color="gray" variant="light">
            <Text size="sm">
              {shownCount(usage.unclear.length)} places in templates use keys that are only known at run time.
            </Text>
          </Alert>
        )}
        {count > 8 && (
          <TextInput
            aria-label="Filter keys"
            placeholder="Filter keys"
            leftSection={<Search size={16} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
            maw={320}
          />
        )}
        <Needs to="patchGlobals">
          <GlobalsTree globals={values} filter={wanted} usage={usage} onEdit={onEdit} />
        </Needs>
        <Needs to="patchGlobals">
          <AddKey suggestions={unsetKeys(usage, isSet)} isSet={isSet} onEdit={onEdit} />
        </Needs>
      </Section>
    </>
  );
};

const DeleteButton = ({ name }: { readonly name: string }) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const [isAsking, asking] = useDisclosure(false);
  const deleting = useMutation({
    mutationFn: () => call('deleteScenario', { path: { name } }),
    onSuccess: () => {
      tellDone(`${name} has no members in the startup list.`);
      // Members that run keep the scenario: then the list has it again after the next look.
      client.setQueryData<readonly string[]>(['scenarios'], (names) => names?.filter((one) => one !== name));
      go('/s');
      void client.invalidateQueries({ queryKey: ['scenarios'] });
      void client.invalidateQueries({ queryKey: ['startup'] });
    },
    onError: (error) => tellError(`${name} was not deleted`, error),
  });
  return (
    <>
      <Needs to="deleteScenario">
        <Button variant="default" leftSection={<Trash2 size={16} />} onClick={asking.open}>
          Delete
        </Button>
      </Needs>
      <Question
        isOpen={isAsking}
        title={`Delete ${name}?`}
        verb="Delete"
        onYes={() => deleting.mutate()}
        onClose={asking.close}
      >
        This removes all members from the startup list. Running members stay until their next start.
      </Question>
    </>
  );
};

const RenameButton = ({ name }: { readonly name: string }) => {
  const [, go] = useLocation();
  const [isAsking, asking] = useDisclosure(false);
  return (
    <>
      <Needs to="renameScenario">
        <Button variant="default" leftSection={<Pencil size={16} />} onClick={asking.open}>
          Rename
        </Button>
      </Needs>
      <RenameDialog
        name={name}
        isOpen={isAsking}
        check={checkScenarioName}
        rename={(to) => call('renameScenario', { path: { name }, query: { to } })}
        onRenamed={(to) => go(`/s/${encodeURIComponent(to)}`)}
        onClose={asking.close}
      >
        <Text size="sm">
          Its members in the startup list get the new name, and the globals stay. Stop all members first.
        </Text>
      </RenameDialog>
    </>
  );
};

/** Members and globals of a scenario, to drive a test by hand. */
const Scenario = ({ name }: { readonly name: string }) => {
  const scenario = useQuery({
    queryKey: ['scenario', name],
    queryFn: () => call('readScenario', { path: { name } }),
  });
  const ids = scenario.data?.generator_ids ?? [];
  return (
    <Stack gap="xl">
      <Group justify="space-between">
        <Title order={1} size="h2" className="wrapped">
          {name}
        </Title>
        {scenario.isSuccess && (
          <Group gap="xs">
            <RenameButton name={name} />
            <DeleteButton name={name} />
          </Group>
        )}
      </Group>
      {scenario.isError && <ErrorNote title="The scenario cannot be read" error={scenario.error} />}
      {scenario.isSuccess && (
        <>
          <Globals name={name} ids={ids} />
          <Section title="Changes">
            <Patches name={name} />
          </Section>
          <Section title="Members">
            <ScenarioMembers name={name} ids={ids} />
          </Section>
        </>
      )}
    </Stack>
  );
};

const exact = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 });
const shownRate = (rate: number): string =>
  `${rate > 0 ? '+' : ''}${rate.toLocaleString('en-US', { maximumSignificantDigits: 3 })}/s`;

interface LiveNumbersProps {
  readonly globals: JsonObject;
  readonly keys: ReadonlySet<string>;
  readonly tracks: Tracks;
}

/** Numbers that scripts and templates change: what a knob has an effect on. */
const LiveNumbers = ({ globals, keys, tracks }: LiveNumbersProps) => {
  const shown = Object.keys(globals).filter((key) => keys.has(key));
  if (shown.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
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
            <Sparkline values={chartOf(looks)} span={TRACK_LENGTH} label={`${key} in the last minute`} />
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
const useMoving = (
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

export default Scenario;
