import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Nothing } from '../pages/Nothing.js';
import { Overview } from '../pages/overview/Overview.js';
import { Loading } from '../parts/Loading.js';
import { Shell } from './Shell.js';

const New = lazy(() => import('../pages/new/New.js'));
const Workbench = lazy(() => import('../pages/workbench/Workbench.js'));
const Generator = lazy(() => import('../pages/generator/Generator.js'));
const Scenarios = lazy(() => import('../pages/scenarios/Scenarios.js'));
const Scenario = lazy(() => import('../pages/scenarios/Scenario.js'));
const Incidents = lazy(() => import('../pages/incidents/Incidents.js'));
const Incident = lazy(() => import('../pages/incidents/Incident.js'));
const Startup = lazy(() => import('../pages/startup/Startup.js'));
const Cluster = lazy(() => import('../pages/cluster/Cluster.js'));
const Secrets = lazy(() => import('../pages/secrets/Secrets.js'));
const Settings = lazy(() => import('../pages/settings/Settings.js'));
const Help = lazy(() => import('../pages/help/Help.js'));

/** The pages by address. Pages other than the first load when they are opened. */
export const Pages = () => (
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
        <Route path="/help/*?">{(params) => <Help page={params['*'] ?? ''} />}</Route>
        <Route>
          <Nothing />
        </Route>
      </Switch>
    </Suspense>
  </Shell>
);
