import { Center, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { readUser } from '../api/client.js';
import { isSignedOut } from '../api/errors.js';
import { ErrorNote } from '../parts/notes.js';

export const USER_KEY = ['user'];

const SignIn = lazy(() => import('../pages/SignIn.js'));

/**
 * Shows the app to whoever is signed in, or to everyone if the service asks for no credentials. A session that ends
 * leaves the app open below the sign-in.
 */
export const SessionGate = ({ children }: { readonly children: ReactNode }) => {
  const client = useQueryClient();
  const user = useQuery({ queryKey: USER_KEY, queryFn: readUser });
  const isOpen = user.data !== undefined;
  if (user.isPending)
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  if (!isOpen && !isSignedOut(user.error))
    return (
      <Center h="100vh" p="md">
        <ErrorNote title="Spate cannot be reached" error={user.error} />
      </Center>
    );
  return (
    <>
      {isOpen && children}
      {isSignedOut(user.error) && (
        <Suspense>
          <SignIn isAgain={isOpen} onDone={() => void client.invalidateQueries()} />
        </Suspense>
      )}
    </>
  );
};
