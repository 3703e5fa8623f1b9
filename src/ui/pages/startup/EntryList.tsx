import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Group,
  Paper,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { GeneratorPhase } from '../../../domain/generator.js';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import type { AnswerOf } from '../../api/routes.js';
import { Needs } from '../../app/role.js';
import { ErrorNote, ErrorText, Note, tellDone } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import { PhaseBadge } from '../../parts/Phase.js';
import { Question } from '../../parts/Questions.js';
import { InstanceActions } from '../settings/InstanceActions.js';
import { invalidTitle, useInvalidEntries } from './InvalidEntries.js';

type StartupEntry = AnswerOf<'listStartupEntries'>[number];

/** Rows that show at first. */
const FIRST_ROWS = 100;

interface RowProps {
  readonly entry: StartupEntry;
  readonly onDelete: () => void;
}

const EntryRow = ({ entry: { id, path, autostart, scenarios }, onDelete }: RowProps) => {
  const phase = useLive().generators.get(id)?.phase;
  return (
    <Paper withBorder px="md" py="xs" component="li">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Stack gap={2} miw={0}>
          <Group gap="sm">
            <Anchor component={Link} href={`/r/${encodeURIComponent(id)}`} fw={600} className="wrapped">
              {id}
            </Anchor>
            {phase === undefined ? <Text size="sm">not registered</Text> : <PhaseBadge phase={phase} />}
            {!autostart && (
              <Badge variant="outline" color="gray">
                no autostart
              </Badge>
            )}
          </Group>
          <Text size="sm" className="wrapped">
            {path}
          </Text>
          {scenarios.length > 0 && (
            <Group gap="xs">
              <Text size="sm">Scenarios:</Text>
              {scenarios.map((name) => (
                <Anchor key={name} component={Link} href={`/s/${encodeURIComponent(name)}`} size="sm">
                  {name}
                </Anchor>
              ))}
            </Group>
          )}
        </Stack>
        <Group gap="xs" wrap="nowrap">
          <ActionIcon
            component={Link}
            href={`/startup?edit=${encodeURIComponent(id)}`}
            variant="subtle"
            color="gray"
            aria-label={`Edit ${id}`}
          >
            <Pencil size={18} />
          </ActionIcon>
          <Needs to="deleteStartupEntry">
            <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${id}`} onClick={onDelete}>
              <Trash2 size={18} />
            </ActionIcon>
          </Needs>
        </Group>
      </Group>
    </Paper>
  );
};

const useDelete = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('deleteStartupEntry', { path: { id } }),
    onSuccess: (_, id) => tellDone(`${id} is out of the startup list. It runs until you stop it.`),
    onSettled: () => client.invalidateQueries(),
  });
};

/** The entries in the order of the file. */
export const EntryList = () => {
  const list = useQuery({ queryKey: ['startup'], queryFn: () => call('listStartupEntries') });
  const deleting = useDelete();
  const [doomed, setDoomed] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState(FIRST_ROWS);
  const entries = list.data ?? [];
  const invalid = useInvalidEntries().data ?? [];
  const wanted = filter.trim().toLowerCase();
  const matching = entries.filter(({ id, path, scenarios }) =>
    [id, path, ...scenarios].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Stack gap={4}>
          <Title order={1} size="h2">
            Startup
          </Title>
          <Text>
            Generators that the service registers and starts. A change takes effect at the next restart of the
            service.
          </Text>
        </Stack>
        <Group gap="xs">
          <Button component={Link} href="/startup?new" variant="default" leftSection={<Plus size={16} />}>
            New entry
          </Button>
          <InstanceActions canStop={false} />
        </Group>
      </Group>
      {list.isError && <ErrorNote title="The startup list cannot be read" error={list.error} />}
      {deleting.isError && <ErrorNote title="The entry was not deleted" error={deleting.error} />}
      <Invalid invalid={invalid} validIds={entries.map(({ id }) => id)} onDelete={setDoomed} />
      {list.isSuccess && entries.length + invalid.length === 0 && <Text>The startup list is empty.</Text>}
      {entries.length > 8 && (
        <TextInput
          aria-label="Filter by id, path or scenario"
          placeholder="Filter"
          leftSection={<Search size={16} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          maw={320}
        />
      )}
      {entries.length > 0 && matching.length === 0 && <Text size="sm">No entry matches the filter.</Text>}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {matching.slice(0, limit).map((entry) => (
          <EntryRow key={entry.id} entry={entry} onDelete={() => setDoomed(entry.id)} />
        ))}
      </Stack>
      {matching.length > limit && (
        <Button variant="default" onClick={() => setLimit(limit + 5 * FIRST_ROWS)}>
          Show {shownCount(Math.min(matching.length - limit, 5 * FIRST_ROWS))} more
        </Button>
      )}
      <Question
        isOpen={doomed !== null}
        title={`Delete ${doomed ?? ''}?`}
        verb="Delete"
        onYes={() => doomed !== null && deleting.mutate(doomed)}
        onClose={() => setDoomed(null)}
      >
        The entry and its comment go from the startup file. The generator itself and its files stay.
      </Question>
    </Stack>
  );
};

type InvalidEntry = AnswerOf<'listInvalidStartupEntries'>[number];

const UP: ReadonlySet<GeneratorPhase> = new Set(['loading', 'running', 'backing_off']);

/** What the mistake means for the generator of the entry now. */
const effectOfMistake = (id: string, phase: GeneratorPhase | undefined, autostart: boolean): string => {
  if (phase === undefined) return autostart ? `${id} is not up.` : `${id} is not registered.`;
  return UP.has(phase)
    ? `${id} keeps running with its former entry.`
    : `${id} keeps its former entry and does not run.`;
};

interface ItemProps {
  readonly entry: InvalidEntry;
  /** Whether the API can find the entry by its id. */
  readonly isAddressable: boolean;
  readonly onDelete: (id: string) => void;
}

const Item = ({ entry: { id, position, autostart, reason }, isAddressable, onDelete }: ItemProps) => {
  const phase = useLive().generators.get(id ?? '')?.phase;
  const name = id ?? `Entry ${position}`;
  return (
    <Stack component="li" gap={4} align="flex-start" aria-label={name}>
      <Text size="sm" fw={600} className="wrapped">
        {name}
      </Text>
      <ErrorText text={reason} />
      {id !== null && isAddressable ? (
        <>
          <Text size="sm">{effectOfMistake(id, phase, autostart)}</Text>
          <Group gap="xs">
            <Button
              component={Link}
              href={`/startup?edit=${encodeURIComponent(id)}`}
              variant="default"
              size="compact-sm"
              leftSection={<Pencil size={14} />}
              aria-label={`Repair ${id}`}
            >
              Repair
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Trash2 size={14} />}
              onClick={() => onDelete(id)}
              aria-label={`Delete ${id}`}
            >
              Delete
            </Button>
          </Group>
        </>
      ) : (
        <Text size="sm">It has no id of its own. Edit it in the file: it is entry {position}.</Text>
      )}
    </Stack>
  );
};

interface InvalidProps {
  readonly invalid: readonly InvalidEntry[];
  /** Ids of valid entries. */
  readonly validIds: readonly string[];
  readonly onDelete: (id: string) => void;
}

/** The entries that the service cannot use: what is wrong, what that means, and ways to repair them. */
const Invalid = ({ invalid, validIds, onDelete }: InvalidProps) => {
  if (invalid.length === 0) return null;
  const ids = [...validIds, ...invalid.map(({ id }) => id)];
  return (
    <Note title={invalidTitle(invalid.length)}>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {invalid.map((entry) => (
          <Item
            key={entry.position}
            entry={entry}
            isAddressable={entry.id !== null && ids.filter((id) => id === entry.id).length === 1}
            onDelete={onDelete}
          />
        ))}
      </Stack>
    </Note>
  );
};
