import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Play, SquarePen } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { LearnedLog } from '../../../analysis/learn/report.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { call, callTagged } from '../../api/client.js';
import { Needs } from '../../app/role.js';
import { ErrorNote } from '../../parts/notes.js';
import { storeDestination } from '../destinations/output.js';
import type { NewDraft } from './drafts.js';
import type { NewDestination } from './outputs.js';

export type Goal = 'start' | 'open';

interface CreateButtonsProps {
  readonly onCreate: (goal: Goal) => void;
  /** What is being done. */
  readonly pending: Goal | null;
  /** What the workbench is better for. */
  readonly isOpenFirst?: boolean;
  /** What must be corrected first. Null when nothing must. */
  readonly obstacle: string | null;
  /** After a part is created, the workbench goes on. */
  readonly error: Error | null;
}

const GOALS = [
  { goal: 'start', label: 'Create and start', icon: Play },
  { goal: 'open', label: 'Open in the workbench', icon: SquarePen },
] as const;

export const CreateButtons = ({
  onCreate,
  pending,
  isOpenFirst = false,
  obstacle,
  error,
}: CreateButtonsProps) =>
  error instanceof HalfDone ? null : (
    <Stack gap="xs">
      {obstacle !== null && (
        <Text size="sm" className="warned" role="alert">
          {obstacle}
        </Text>
      )}
      <Group gap="sm">
        <Needs to="createGeneratorConfig">
          {' '}
          {(isOpenFirst ? GOALS.toReversed() : GOALS).map(({ goal, label, icon: Icon }, index) => (
            <Button
              key={goal}
              variant={index === 0 ? 'filled' : 'default'}
              leftSection={<Icon size={16} />}
              loading={pending === goal}
              disabled={pending !== null && pending !== goal}
              onClick={() => onCreate(goal)}
            >
              {label}
            </Button>
          ))}
        </Needs>
      </Group>
    </Stack>
  );

/** Why a generator was not created or not started, and where to go on. */
export const CreateError = ({ error }: { readonly error: Error | null }) => {
  if (error === null) return null;
  if (!(error instanceof HalfDone)) return <ErrorNote title="The generator was not created" error={error} />;
  return (
    <Stack gap="xs">
      <ErrorNote title="The generator directory was created, but is not complete" error={error.reason} />
      <Text size="sm">
        <Anchor component={Link} href={launchAddressOf(error.directory, 'open')}>
          Open “{error.directory}” in the workbench
        </Anchor>{' '}
        to correct and start it.
      </Text>
    </Stack>
  );
};

export interface Creation {
  readonly name: string;
  readonly goal: Goal;
}

/** Creates a generator, calls `onCreated`, and goes where it is shown. */
export const useCreate = <A extends Creation>(
  create: (asked: A) => Promise<Launched>,
  onCreated?: (asked: A) => void,
) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: create,
    onSuccess: (failure, asked) => {
      onCreated?.(asked);
      if (failure !== null)
        notifications.show({
          title: `"${asked.name}" was created, but does not run`,
          message: failure.message,
          color: 'red',
          autoClose: false,
        });
      go(launchAddressOf(asked.name, asked.goal));
    },
    onSettled: () => void client.invalidateQueries(),
  });
};

/** Where a new generator is shown. */
const launchAddressOf = (name: string, goal: Goal): string =>
  `${goal === 'start' ? '/r/' : '/g/'}${encodeURIComponent(name)}`;

/** `null`, or why the generator was created but does not run. */
type Launched = Error | null;

/** A failure after the directory was created; what is there stays. */
export class HalfDone extends Error {
  constructor(
    readonly directory: string,
    readonly reason: unknown,
  ) {
    super(`the generator directory "${directory}" was created`);
  }
}

/** Stores a draft and starts it if wanted. Rejects with `ApiError`, or with `HalfDone`. */
export const createDraft = async (
  { name, config, files, secrets, destination, timezone }: NewDraft,
  goal: Goal,
): Promise<Launched> => {
  if (destination !== null) await storeDestination(destination.name, destination.output, null);
  for (const secret of secrets) await call('setSecret', { path: { name: secret.name }, body: secret.value });
  await call('createGeneratorConfig', { path: { name }, body: config });
  return afterwards(name, async () => {
    for (const { path, content } of files)
      await call('createGeneratorFile', { path: { name, filepath: path }, content });
    return goal === 'start' ? run(name, timezone === null ? {} : { timezone }) : null;
  });
};

/** Creates a learned generator with all its files, or nothing. Rejects with `ApiError`. */
export const importLearned = async (
  name: string,
  { config, files }: Pick<LearnedLog, 'config' | 'files'>,
  goal: Goal,
): Promise<Launched> => {
  await call('importGenerator', { path: { name }, content: JSON.stringify({ config, files }) });
  return goal === 'start' ? afterwards(name, () => run(name, {})) : null;
};

/**
 * Copies a library generator, changes its config and starts it if wanted. Rejects with `ApiError`, or with `HalfDone`.
 */
export const copyFromLibrary = async (
  library: string,
  name: string,
  goal: Goal,
  { params, destination, change }: CopyChoice,
): Promise<Launched> => {
  if (destination !== null) await storeDestination(destination.name, destination.output, null);
  await call('copyLibraryGenerator', { path: { name: library }, body: { name } });
  return afterwards(name, async () => {
    if (change !== null) {
      const { value, etag } = await callTagged('readGeneratorConfig', { path: { name } });
      await call('updateGeneratorConfig', { path: { name }, body: await change(value as JsonObject), etag });
    }
    return goal === 'start' ? run(name, { params }) : null;
  });
};

/** What a copy of a library generator has of its own. */
interface CopyChoice {
  readonly params: Readonly<Record<string, Json>>;
  /** Stored before. Null for none. */
  readonly destination: NewDestination | null;
  /** Its config from that of the example. Null when it stays. */
  readonly change: ((config: JsonObject) => JsonObject | Promise<JsonObject>) | null;
}

const afterwards = async (name: string, steps: () => Promise<Launched>): Promise<Launched> => {
  try {
    return await steps();
  } catch (reason) {
    throw new HalfDone(name, reason);
  }
};

interface GivenParams {
  readonly timezone?: string;
  readonly params?: Readonly<Record<string, Json>>;
}

const run = async (name: string, given: GivenParams): Promise<Launched> => {
  const path = await call('readGeneratorPath', { path: { name } });
  await call('createGenerator', { path: { id: name }, body: { path, ...given } });
  return call('startGenerator', { path: { id: name } }).then(
    () => null,
    (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
  );
};
