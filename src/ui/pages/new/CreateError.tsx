import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { ErrorNote } from '../../parts/notes.js';
import { addressOf, HalfDone } from './launch.js';

/** Why a generator was not created or not started, and where to go on. */
export const CreateError = ({ error }: { readonly error: Error | null }) => {
  if (error === null) return null;
  if (!(error instanceof HalfDone)) return <ErrorNote title="The generator was not created" error={error} />;
  return (
    <Stack gap="xs">
      <ErrorNote title="The generator directory was created, but is not complete" error={error.reason} />
      <Text size="sm">
        <Anchor component={Link} href={addressOf(error.directory, 'open')}>
          Open “{error.directory}” in the workbench
        </Anchor>{' '}
        to correct and start it.
      </Text>
    </Stack>
  );
};
