import { notifications } from '@mantine/notifications';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { ErrorText } from './ErrorNote.js';
import { nameOf, startedText } from './startedText.js';

export type Action = 'start' | 'restart' | 'stop';

const STARTS = { start: 'startGenerators', restart: 'restartGenerators' } as const;

const run = async (
  action: Action,
  ids: readonly string[],
): Promise<{ readonly text: string; readonly isFull: boolean }> => {
  if (action === 'stop') {
    await call('stopGenerators', { body: ids });
    return { text: `${nameOf(ids)} stopped.`, isFull: true };
  }
  const result = await call(STARTS[action], { body: ids });
  return {
    text: startedText(action === 'start' ? 'started' : 'restarted', result),
    isFull: result.non_running_generator_ids.length === 0,
  };
};

/** Shows a failed action; the page stays as it is. */
export const showFailure = (title: string) => (error: Error) =>
  notifications.show({ title, message: error.message, color: 'red', className: 'wrapped' });

const refresh = (client: QueryClient) => (): void => void client.invalidateQueries();

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
