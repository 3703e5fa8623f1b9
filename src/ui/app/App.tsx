import { Anchor, MantineProvider, Stack, Text, Title } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link, Route, Switch } from 'wouter';
import { isSignedOut, mayRetry } from '../api/errors.js';
import { Overview } from '../pages/overview/Overview.js';
import { Loading } from '../parts/Loading.js';
import { NONCE } from './nonce.js';
import { SessionGate, USER_KEY } from './Session.js';
import { Shell } from './Shell.js';
import { readableColors, theme } from './theme.js';

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={readableColors}
    defaultColorScheme="auto"
    getStyleNonce={() => NONCE}
  >
    <Notifications position="bottom-right" />
    <QueryClientProvider client={queries}>
      <SessionGate>
        <Pages />
      </SessionGate>
    </QueryClientProvider>
  </MantineProvider>
);

const RETRY_MS = 500;

/** Asks who is signed in once a request says that the session has ended. */
const askUser = (error: unknown): void => {
  const wasSignedIn = queries.getQueryData(USER_KEY) !== undefined;
  if (wasSignedIn && isSignedOut(error)) void queries.invalidateQueries({ queryKey: USER_KEY });
};

const queries: QueryClient = new QueryClient({
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

const New = lazy(() => import('../pages/new/New.js'));
const Workbench = lazy(() => import('../pages/workbench/Workbench.js'));
const Generator = lazy(() => import('../pages/generator/Generator.js'));
const Scenarios = lazy(() => import('../pages/scenarios/Scenarios.js'));
const Scenario = lazy(() => import('../pages/scenarios/Scenario.js'));
const Incidents = lazy(() => import('../pages/incidents/Incidents.js'));
const Incident = lazy(() => import('../pages/incidents/Incident.js'));
const Destinations = lazy(() => import('../pages/destinations/Destinations.js'));
const Destination = lazy(() => import('../pages/destinations/Destination.js'));
const Worlds = lazy(() => import('../pages/worlds/Worlds.js'));
const World = lazy(() => import('../pages/worlds/World.js'));
const Startup = lazy(() => import('../pages/startup/Startup.js'));
const Cluster = lazy(() => import('../pages/cluster/Cluster.js'));
const Secrets = lazy(() => import('../pages/Secrets.js'));
const Settings = lazy(() => import('../pages/settings/Settings.js'));
const Audit = lazy(() => import('../pages/audit/Audit.js'));
const Users = lazy(() => import('../pages/users/Users.js'));
const Help = lazy(() => import('../pages/help/Help.js'));

/** The pages by address. Pages other than the first load when they are opened. */
const Pages = () => (
  <Shell>
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/">
          <Overview />
        </Route>
        <Route path="/new">
          <New />
        </Route>
        <Route path="/g/:name">
          {({ name }) => <Workbench key={name} name={decodeURIComponent(name)} />}
        </Route>
        <Route path="/r/:id">{({ id }) => <Generator key={id} id={decodeURIComponent(id)} />}</Route>
        <Route path="/s">
          <Scenarios />
        </Route>
        <Route path="/s/:name">{({ name }) => <Scenario key={name} name={decodeURIComponent(name)} />}</Route>
        <Route path="/destinations">
          <Destinations />
        </Route>
        <Route path="/destinations/:name">
          {({ name }) => <Destination key={name} name={decodeURIComponent(name)} />}
        </Route>
        <Route path="/worlds">
          <Worlds />
        </Route>
        <Route path="/worlds/:name">
          {({ name }) => <World key={name} name={decodeURIComponent(name)} />}
        </Route>
        <Route path="/incidents">
          <Incidents />
        </Route>
        <Route path="/incidents/:name">
          {({ name }) => <Incident key={name} name={decodeURIComponent(name)} />}
        </Route>
        <Route path="/startup">
          <Startup />
        </Route>
        <Route path="/cluster">
          <Cluster />
        </Route>
        <Route path="/secrets">
          <Secrets />
        </Route>
        <Route path="/settings">
          <Settings />
        </Route>
        <Route path="/users">
          <Users />
        </Route>
        <Route path="/audit">
          <Audit />
        </Route>
        <Route path="/help/*?">{(params) => <Help page={params['*'] ?? ''} />}</Route>
        <Route>
          <Nothing />
        </Route>
      </Switch>
    </Suspense>
  </Shell>
);

const Nothing = () => (
  <Stack>
    <Title order={1} size="h2">
      There is no such page
    </Title>
    <Text>
      Go to the{' '}
      <Anchor component={Link} href="/" underline="always">
        overview
      </Anchor>
      .
    </Text>
  </Stack>
);
