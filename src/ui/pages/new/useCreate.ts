import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { addressOf, type Goal, type Launched } from './launch.js';

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
      go(addressOf(asked.name, asked.goal));
    },
    onSettled: () => void client.invalidateQueries(),
  });
};
