import { Button, Group, Stack, Text } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import type { GeneratorPhase } from '../../../domain/generator.js';
import { useLive } from '../../api/live.js';
import type { AnswerOf } from '../../api/routes.js';
import { ErrorText, Note } from '../../parts/ErrorNote.js';
import { invalidTitle } from '../../parts/InvalidEntries.js';

type InvalidEntry = AnswerOf<'listInvalidStartupEntries'>[number];

const UP: ReadonlySet<GeneratorPhase> = new Set(['loading', 'running', 'backing_off']);

/** What the mistake means for the generator of the entry now. */
export const effectOfMistake = (
  id: string,
  phase: GeneratorPhase | undefined,
  autostart: boolean,
): string => {
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
export const Invalid = ({ invalid, validIds, onDelete }: InvalidProps) => {
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
