import type { Result } from '../domain/errors.js';
import type { ClusterRequests } from './cluster.js';
import type { ConfigRequests, DestinationRequests, LibraryRequests, WorldRequests } from './configs.js';
import type { DeadLetterRequests } from './deadLetters.js';
import type { GeneratorRequests } from './generators.js';
import type { IncidentRequests } from './incidents.js';
import type { InstanceRequests, SecretRequests, SettingsRequests } from './instance.js';
import type { ObserveRequests } from './observe.js';
import type { PreviewRequests } from './preview.js';

import type { ScenarioRequests } from './scenarios.js';
import type { MembershipRequests, StartupRequests } from './startup.js';

/** Every request of the API. */
export interface Requests
  extends ConfigRequests,
    LibraryRequests,
    DestinationRequests,
    WorldRequests,
    SettingsRequests,
    ScenarioRequests,
    GeneratorRequests,
    DeadLetterRequests,
    StartupRequests,
    MembershipRequests,
    PreviewRequests,
    SecretRequests,
    InstanceRequests,
    IncidentRequests,
    ClusterRequests,
    ObserveRequests {}

/** Never rejects. Returns also the errors `unavailable` (its owner is gone) and `timed_out`. */
export type Ask = <K extends keyof Requests>(
  type: K,
  payload: Requests[K]['payload'],
) => Promise<Result<Requests[K]['answer']>>;
