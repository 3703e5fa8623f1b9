import { Alert, Code, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { ApiError } from '../api/errors.js';

/** An error in words, with its code. */
export const ErrorNote = ({ error, title }: { readonly error: unknown; readonly title: string }) => {
  const known = error instanceof ApiError ? error : null;
  return (
    <Alert color="red" title={title} icon={<TriangleAlert size={18} />} role="alert">
      <Text size="sm" className="wrapped">
        {known?.message ?? String(error)}
      </Text>
      {known !== null && known.code !== '' && <Code>{known.code}</Code>}
    </Alert>
  );
};
