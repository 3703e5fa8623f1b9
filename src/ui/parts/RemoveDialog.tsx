import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BulkQuestion } from './BulkQuestion.js';
import { showFailure } from './generatorActions.js';
import { type Named, type Removed, remove, restore } from './removal.js';
import { nameOf } from './startedText.js';

interface RemoveDialogProps {
  readonly generators: readonly Named[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

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
      offerUndo(removed, nameOf(generators.map(({ id }) => id)));
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
