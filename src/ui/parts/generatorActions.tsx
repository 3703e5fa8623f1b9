import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { ErrorText } from './notes.js';
import { BulkQuestion } from './Questions.js';
import {
  type Named,
  type Removed,
  remove,
  restore,
  startedNameOf,
  startedText,
} from './severalGenerators.js';

export type Action = 'start' | 'restart' | 'stop';

/** Starts, restarts or stops generators and says what came of it. */
export const useAction = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ action, ids }: { readonly action: Action; readonly ids: readonly string[] }) =>
      run(action, ids),
    onSuccess: ({ text, isFull }) =>
      notifications.show({
        message: <ErrorText text={text} />,
        color: isFull ? 'teal' : 'orange',
        className: 'wrapped',
      }),
    onError: showFailure('The action failed'),
    onSettled: refresh(client),
  });
};

const STARTS = { start: 'startGenerators', restart: 'restartGenerators' } as const;

const run = async (
  action: Action,
  ids: readonly string[],
): Promise<{ readonly text: string; readonly isFull: boolean }> => {
  if (action === 'stop') {
    await call('stopGenerators', { body: ids });
    return { text: `${startedNameOf(ids)} stopped.`, isFull: true };
  }
  const result = await call(STARTS[action], { body: ids });
  return {
    text: startedText(action === 'start' ? 'started' : 'restarted', result),
    isFull: result.non_running_generator_ids.length === 0,
  };
};

const refresh = (client: QueryClient) => (): void => void client.invalidateQueries();

/** Shows a failed action; the page stays as it is. */
const showFailure = (title: string) => (error: Error) =>
  notifications.show({ title, message: error.message, color: 'red', className: 'wrapped' });

interface RemoveDialogProps {
  readonly generators: readonly Named[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Asks, removes generators from the service, and offers to undo it. */
export const RemoveDialog = ({ generators, isOpen, onClose, onRemoved }: RemoveDialogProps) => {
  const client = useQueryClient();
  const undo = useUndo();
  const offerUndo = (removed: readonly Removed[], name: string): void => {
    const note = notifications.show({
      color: 'teal',
      autoClose: UNDO_TIME_MS,
      message: (
        <Group justify="space-between">
          <Text size="sm">{name} deleted.</Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(note);
              undo.mutate(removed);
            }}
          >
            Undo
          </Button>
        </Group>
      ),
    });
  };
  const removing = useMutation({
    mutationFn: () => remove(generators),
    onSuccess: (removed) => {
      offerUndo(removed, startedNameOf(generators.map(({ id }) => id)));
      onClose();
      onRemoved();
    },
    onError: showFailure('The deletion failed'),
    onSettled: () => void client.invalidateQueries({ queryKey: ['generators'] }),
  });
  return (
    <BulkQuestion
      verb="Delete"
      suffix=" from the service"
      ids={generators.map(({ id }) => id)}
      text="Spate delivers events in flight first. Files and startup entries stay, so listed generators return when the service restarts."
      isBusy={removing.isPending}
      isOpen={isOpen}
      onYes={() => removing.mutate()}
      onClose={onClose}
    />
  );
};

/** Milliseconds. */
const UNDO_TIME_MS = 15_000;

const useUndo = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: restore,
    onSuccess: () => notifications.show({ message: 'Deletion undone.', color: 'teal' }),
    onError: showFailure('The deletion could not be undone'),
    onSettled: () => void client.invalidateQueries(),
  });
};
