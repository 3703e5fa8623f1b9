import { Button, Center, Modal, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { signIn } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { ErrorNote } from '../parts/notes.js';

const WRONG = new ApiError(401, 'unauthorized', 'User or password is wrong.');

/** A wrong password is said as such; other errors as they are. */
const shownError = (error: unknown): unknown =>
  error instanceof ApiError && error.status === 401 ? WRONG : error;

interface SignInProps {
  readonly onDone: () => void;
}

const Form = ({ onDone }: SignInProps) => {
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const signing = useMutation({ mutationFn: () => signIn(user, password), onSuccess: onDone });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signing.mutate();
  };
  return (
    <form onSubmit={submit} aria-label="Sign in">
      <Stack>
        <TextInput
          label="User"
          autoComplete="username"
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          required
          data-autofocus
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          required
        />
        {signing.isError && <ErrorNote title="Not signed in" error={shownError(signing.error)} />}
        <Button type="submit" loading={signing.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
};

const Again = ({ onDone }: SignInProps) => (
  <Modal
    opened
    onClose={() => undefined}
    withCloseButton={false}
    closeOnEscape={false}
    closeOnClickOutside={false}
    title="Sign in again"
    centered
  >
    <Text size="sm" mb="md">
      Your session has ended. Nothing on the page is lost.
    </Text>
    <Form onDone={onDone} />
  </Modal>
);

/** `isAgain`: asks above the page whose session has ended, so that what is typed there stays. */
export default function SignIn({ onDone, isAgain }: SignInProps & { readonly isAgain: boolean }) {
  if (isAgain) return <Again onDone={onDone} />;
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={380}>
        <Title order={1} size="h3" mb="md">
          Sign in to Spate
        </Title>
        <Form onDone={onDone} />
      </Paper>
    </Center>
  );
}
