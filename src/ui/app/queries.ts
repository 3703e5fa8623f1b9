import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from '../api/errors.js';
import { USER_KEY } from './Session.js';

/** A refusal stays one. Other failures may be over in a moment; after that, their notes have a button to try again. */
const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

const RETRY_MS = 500;

/** Asks who is signed in once a request says that the session has ended. */
const askUser = (error: unknown): void => {
  const wasSignedIn = queries.getQueryData(USER_KEY) !== undefined;
  if (wasSignedIn && isSignedOut(error)) void queries.invalidateQueries({ queryKey: USER_KEY });
};

export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: mayRetry, retryDelay: RETRY_MS, staleTime: 2_000, refetchOnWindowFocus: true },
  },
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== USER_KEY[0]) askUser(error);
    },
  }),
  mutationCache: new MutationCache({ onError: askUser }),
});
