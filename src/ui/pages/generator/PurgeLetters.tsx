import { Button, Group, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/ErrorNote.js';
import { countedLetters } from './letters.js';

/** What is to be removed. */
export interface Purge {
  /** Output of the letters. Null for all outputs. */
  readonly output: string | null;
  readonly letters: number;
  /** Newest letter that was shown. */
  readonly until: string | null;
}

interface PurgeProps {
  readonly id: string;
  /** What is asked about. Null when nothing is. */
  readonly purge: Purge | null;
  readonly onClose: () => void;
}

/** Asks before dead letters are removed. */
export const PurgeLetters = ({ id, purge, onClose }: PurgeProps) => {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: ({ output, until }: Purge) =>
      call('purgeDeadLetters', {
        path: { id },
        query: { ...(output === null ? {} : { output }), ...(until === null ? {} : { until }) },
      }),
    onSuccess: (rows) => {
      const removed = rows.reduce((sum, row) => sum + row.removed, 0);
      notifications.show({ message: `${countedLetters(removed)} removed.`, color: 'teal' });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['letters', id] }),
  });
  const close = (): void => {
    removing.reset();
    onClose();
  };
  const of = purge?.output ?? 'all outputs';
  return (
    <Modal
      opened={purge !== null}
      onClose={close}
      title={`Remove ${countedLetters(purge?.letters ?? 0)} of ${of}?`}
      centered
    >
      <Text size="sm">
        The events are gone for good: nothing delivers them later. Letters that arrive from now on stay.
      </Text>
      {removing.isError && <ErrorNote title="The letters were not removed" error={removing.error} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red"
          loading={removing.isPending}
          onClick={() => {
            if (purge !== null) removing.mutate(purge);
          }}
        >
          Remove
        </Button>
      </Group>
    </Modal>
  );
};
