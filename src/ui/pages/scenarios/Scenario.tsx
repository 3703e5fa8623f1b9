import './scenarios.css';
import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Search, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { checkScenarioName } from '../../../domain/identifiers.js';
import type { JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { Needs } from '../../app/role.js';
import { useLineColors } from '../../parts/charts/TimeChart.js';
import { ErrorNote, tellDone, tellError } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import { Question, RenameDialog } from '../../parts/Questions.js';
import { Section } from '../../parts/Section.js';
import { DeclaredKnobs } from './DeclaredKnobs.js';
import { declaredKnobs } from './declared.js';
import { DataFlow } from './flow/DataFlow.js';
import { GlobalsTree } from './GlobalsTree.js';
import { AnomalyKnob, Knobs } from './Knobs.js';
import { LiveNumbers, useMoving } from './LiveNumbers.js';
import { ScenarioMembers } from './Members.js';
import { ANOMALY, unsetKeys, usageOf } from './membership.js';
import { Patches } from './Patches.js';
import { useEdit, useGlobals, useKnobKeys } from './useGlobals.js';
import { AddKey } from './ValueEditors.js';
import { MemberEvents, MemberRates } from './Watch.js';

const USAGE_STALE_MS = 30_000;

/** The use of globals by the files of all members that have a directory, and their knobs. */
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
  return { usage: useMemo(() => usageOf(known), [known]), declared: declaredKnobs(known), failed };
};

/** Members by name, so that each keeps its color. */
const colorsOf =
  (ids: readonly string[], colors: readonly string[]) =>
  (id: string): string | undefined => {
    const index = ids.indexOf(id);
    return index < 0 ? undefined : colors[index];
  };

/** Controls beside what they have an effect on, then the picture of who uses which key. */
const ControlRoom = ({ name, ids }: { readonly name: string; readonly ids: readonly string[] }) => {
  const globals = useGlobals(name);
  const usage = useUsage(name, ids);
  const colorOf = colorsOf(ids, useLineColors());
  const values = globals.data?.value;
  return (
    <>
      {globals.isError && (
        <ErrorNote
          title={values === undefined ? 'The globals cannot be read' : 'The values are from before'}
          error={globals.error}
        />
      )}
      <div className="control-room">
        <div>{values !== undefined && <Controls name={name} ids={ids} values={values} {...usage} />}</div>
        <div>
          <Section title="Members">
            <MemberRates name={name} ids={ids} />
            <ScenarioMembers name={name} ids={ids} colorOf={colorOf} />
          </Section>
          <Section title="Live events">
            <MemberEvents ids={ids} colorOf={colorOf} />
          </Section>
        </div>
      </div>
      {values !== undefined && (
        <Section title="Data flow">
          <DataFlow usage={usage.usage} ids={ids} globals={values} />
        </Section>
      )}
    </>
  );
};

interface ControlsProps extends ReturnType<typeof useUsage> {
  readonly name: string;
  readonly ids: readonly string[];
  readonly values: JsonObject;
}

/** Knobs, numbers that change, and all globals. */
const Controls = ({ name, ids, values, usage, declared, failed }: ControlsProps) => {
  const at_ms = useGlobals(name).data?.at_ms ?? 0;
  const { tracks, keys, onEdit } = useMoving(name, values, at_ms, useEdit(name));
  const knobs = useKnobKeys(name, values);
  const [filter, setFilter] = useState('');
  const [wanted] = useDebouncedValue(filter, 150);
  const shown = declared.filter(({ key }) => key !== ANOMALY);
  const declaredKeys = new Set(shown.map(({ key }) => key));
  const isWritten = (key: string): boolean => keys.has(key) || (usage.keys.get(key)?.writes.length ?? 0) > 0;
  const isKnob = (key: string): boolean =>
    !declaredKeys.has(key) && (knobs.isAdded(key) || (knobs.isKnob(key) && !isWritten(key)));
  // Every other number is shown from the start, so that nothing moves once it changes.
  const counters = new Set(
    Object.keys(values).filter(
      (key) => typeof values[key] === 'number' && knobs.isKnown && !declaredKeys.has(key) && !isKnob(key),
    ),
  );
  const isSet = (key: string): boolean => Object.hasOwn(values, key);
  const count = Object.keys(values).length;
  const guessed = (
    <Knobs globals={values} isKnob={isKnob} declared={declaredKeys} onAdd={knobs.add} onEdit={onEdit} />
  );
  return (
    <>
      <Section title="Knobs">
        <Needs to="patchGlobals">
          <AnomalyKnob ids={ids} value={values[ANOMALY]} onEdit={onEdit} />
        </Needs>
        {shown.length > 0 && (
          <Needs to="patchGlobals">
            <DeclaredKnobs knobs={shown} globals={values} onEdit={onEdit} />
          </Needs>
        )}
        {knobs.isKnown ? (
          <Needs to="patchGlobals">
            {shown.length === 0 ? (
              guessed
            ) : (
              <details className="more-numbers">
                <summary>More numbers</summary>
                <Stack gap="sm">{guessed}</Stack>
              </details>
            )}
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
        {failed !== null && <ErrorNote title="Some members cannot be searched for keys" error={failed} />}
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
          <ControlRoom name={name} ids={ids} />
          <Section title="Changes">
            <Patches name={name} />
          </Section>
        </>
      )}
    </Stack>
  );
};

export default Scenario;
