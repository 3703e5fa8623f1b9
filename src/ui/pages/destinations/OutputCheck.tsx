import { Alert, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';
import { ErrorNote } from '../../parts/notes.js';

/** Opens an output. Masks stand for the secrets of a stored destination; its name is null for a new one. */
export const useOutputCheck = (destination: string | null) =>
  useMutation({
    mutationFn: (output: JsonObject) =>
      call('checkOutput', { body: output, query: destination === null ? {} : { destination } }),
  });

interface CheckAnswerProps {
  readonly check: { readonly error: Error | null; readonly data: AnswerOf<'checkOutput'> | undefined };
}

/** What became of a check. */
export const CheckAnswer = ({ check: { error, data } }: CheckAnswerProps) => {
  if (error !== null) return <ErrorNote title="The output was not checked" error={error} />;
  if (data === undefined) return null;
  return (
    <Alert color={data.error === null ? 'teal' : 'red'} role="status">
      <Text size="sm" className="wrapped">
        <b>{data.plugin}</b>: {data.error ?? 'can be opened. No event was sent.'}
      </Text>
    </Alert>
  );
};
