import {
  Anchor,
  type CSSVariablesResolver,
  createTheme,
  MantineProvider,
  rgba,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, lazy, type MouseEvent, Suspense } from 'react';
import { Link, Route, Switch } from 'wouter';
import { isSignedOut, mayRetry } from '../api/errors.js';
import { Overview } from '../pages/overview/Overview.js';
import { Loading } from '../parts/Loading.js';
import { NONCE } from './nonce.js';
import { SessionGate, USER_KEY } from './Session.js';
import { PageFocus, Shell } from './Shell.js';

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

/** Deep water and slate in place of two colors of Mantine; ten shades each, from light to dark. */
const COLORS = {
  cyan: [
    ...(['#e6f6f8', '#cfe9ee', '#a3d4dd', '#73bdca', '#4ba9ba'] as const),
    ...(['#309cb0', '#1d90a5', '#128093', '#0c7687', '#0a6b7c'] as const),
  ] as const,
  dark: [
    ...(['#d3dce0', '#b4c0c6', '#8c9aa1', '#5d6b73', '#3a464d'] as const),
    ...(['#2c373d', '#1f282d', '#151c20', '#10161a', '#0b1013'] as const),
  ] as const,
};

type ButtonElementProps = ComponentProps<'button'> & { readonly 'data-loading'?: boolean };

/** A button that waits for the service keeps the focus: a disabled one loses it, and with it the place on the page. */
const ButtonElement = ({ type, disabled, onClick, ...rest }: ButtonElementProps) => {
  const isWaiting = rest['data-loading'] === true;
  const stay = (event: MouseEvent): void => event.preventDefault();
  return (
    <button
      {...rest}
      // Mantine gives a type only to elements of its own; without one a button submits its form.
      type={type ?? 'button'}
      disabled={disabled === true && !isWaiting}
      {...(isWaiting ? { 'aria-disabled': true, onClick: stay } : { onClick })}
    />
  );
};

/** Fonts, colors and defaults of all pages. */
const theme = createTheme({
  primaryColor: 'cyan',
  colors: COLORS,
  // White text on it has enough contrast; Mantine chooses the color of such text by the light shade alone.
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { component: ButtonElement } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
});

const darker = (color: string, percent: number): string =>
  `color-mix(in srgb, var(--mantine-color-${color}-9), black ${percent}%)`;

/** Filled buttons under the pointer: Mantine takes a lighter shade. */
const hoveredButtons = (colors: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(colors.map((color) => [`--mantine-color-${color}-filled-hover`, darker(color, 15)]));

/** Colors with the contrast of WCAG AA; those of Mantine have less. */
const readableColors: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    ...hoveredButtons(Object.keys(colors)),
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    ...Object.fromEntries(
      Object.keys(colors).flatMap((color) => [
        [`--mantine-color-${color}-text`, darker(color, 25)],
        [`--mantine-color-${color}-light-color`, darker(color, 40)],
      ]),
    ),
  },
  dark: {
    ...hoveredButtons(Object.keys(colors)),
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    // A tint of the page: a notice in a full color would be the loudest thing on it.
    ...Object.fromEntries(
      Object.entries(colors).flatMap(([color, shades]) => [
        [`--mantine-color-${color}-light`, rgba(shades[7], 0.25)],
        [`--mantine-color-${color}-light-hover`, rgba(shades[7], 0.35)],
      ]),
    ),
  },
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
const About = lazy(() => import('../pages/About.js'));
const Help = lazy(() => import('../pages/help/Help.js'));

/** The pages by address. Pages other than the first load when they are opened. */
const Pages = () => (
  <Shell>
    <Suspense fallback={<Loading />}>
      <PageFocus />
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
        <Route path="/about">
          <About />
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
