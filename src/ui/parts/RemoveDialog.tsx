import { Button, Group, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showFailure } from './generatorActions.js';
import { counted } from './numbers.js';
import { type Named, type Removed, remove, restore } from './removal.js';

interface RemoveDialogProps {
  readonly generators: readonly Named[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Milliseconds. */
const UNDO_TIME_MS = 15_000;

const nameOf = (generators: readonly Named[]): string =>
  generators.length === 1 ? String(generators[0]?.id) : counted(generators.length, 'generator');

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
      offerUndo(removed, nameOf(generators));
      onClose();
      onRemoved();
    },
    onError: showFailure('The deletion failed'),
    onSettled: () => void client.invalidateQueries({ queryKey: ['generators'] }),
  });
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={`Delete ${nameOf(generators)} from the service?`}
      centered
    >
      <Text size="sm">
        Spate delivers events in flight first. Files and startup entries stay, so listed generators return
        when the service restarts.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={removing.isPending} onClick={() => removing.mutate()}>
          Delete
        </Button>
      </Group>
    </Modal>
  );
};
