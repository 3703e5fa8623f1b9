import {
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person, WorldHost } from '../../population/entities.js';
import type { ActivityFacts } from '../kinds.js';
import type { Act } from '../scribe.js';
import type { ClusterCall, ClusterSubject } from './clusterCalls.js';
import { type ClusterCaller, UNKNOWN_TOKEN } from './clusterUser.js';
import { keyedUuid, mixedKey } from './estate.js';

/** What belongs together takes no longer. */
export const MAX_CLUSTER_WORK = 12 * MICROS_PER_MINUTE;

/** A line of the audit log. What only decorates it follows from the key when its minute is made. */
export interface ClusterStep {
  /** When the answer was complete. */
  readonly at: Micros;
  readonly caller: ClusterCaller;
  readonly call: ClusterCall;
  readonly about: ClusterSubject;
  readonly code: number;
  readonly micros: number;
  readonly key: number;
  readonly person: Person | null;
  /** Whether this tells of the begin of a watch. */
  readonly isBegin: boolean;
}

/** A subject that is no pod. */
export const clusterSubject = (namespace: string, name: string | null = null): ClusterSubject => ({
  ...{ namespace, name, uid: null, app: null, image: null, account: null, node: null, owner: null },
});
export const NO_SUBJECT = clusterSubject('');

const SHARE = { conflict: 0.012, missing: 0.02, missing_to_people: 0.06 };
const SIGMA = 0.6;

const codeOf = (own: KeyedDraws, { verb, code, subresource }: ClusterCall, isPerson: boolean): number => {
  if (code >= 400) return code;
  if (
    verb === 'get' &&
    subresource === null &&
    own.chance(isPerson ? SHARE.missing_to_people : SHARE.missing)
  )
    return 404;
  if ((verb === 'update' || verb === 'patch') && own.chance(SHARE.conflict)) return 409;
  return code;
};

/** Writes calls one after another. A class, because who works remembers how far they are. */
export class ClusterWriter {
  readonly steps: ClusterStep[] = [];

  constructor(
    private readonly own: KeyedDraws,
    private at: Micros,
    private readonly person: Person | null = null,
    private readonly end: Micros = at + MAX_CLUSTER_WORK - MICROS_PER_SECOND,
  ) {}

  /** Asks after a wait in seconds. Nothing is asked when no time is left. `code` when it is not what the call usually gets. */
  ask(caller: ClusterCaller, call: ClusterCall, about: ClusterSubject, seconds: number, code?: number): void {
    const { own } = this;
    // What controllers do for somebody is their own work.
    const person = this.person?.email === caller.user.username ? this.person : null;
    const micros = Math.max(180, Math.round(own.lognormal(call.ms, SIGMA) * MICROS_PER_MS));
    this.at += Math.round(seconds * MICROS_PER_SECOND) + micros;
    if (this.at >= this.end) return;
    const got = code ?? (call.resource === null ? call.code : codeOf(own, call, person !== null));
    this.steps.push({
      at: this.at,
      caller,
      call,
      about,
      code: got,
      micros,
      key: own.word(),
      person,
      isBegin: false,
    });
  }

  /** Begins a watch, and ends it after some minutes. */
  watch(caller: ClusterCaller, call: ClusterCall, seconds: number): void {
    const { own, at } = this;
    const first = Math.max(200, Math.round(own.lognormal(call.ms, SIGMA) * MICROS_PER_MS));
    const base = { caller, call, about: NO_SUBJECT, code: 200, key: own.word(), person: null };
    this.steps.push({ ...base, at: at + first, micros: first, isBegin: true });
    const micros = Math.round(seconds * MICROS_PER_SECOND) + own.integer(1_000, 400_000);
    this.steps.push({ ...base, at: at + micros, micros, isBegin: false });
  }

  wait(seconds: number): void {
    this.at += Math.round(seconds * MICROS_PER_SECOND);
  }
}

const FORBIDDEN = 403;

/** What the API server says of a refusal. Null for what it grants. */
const refusalOf = (
  code: number,
  { verb, resource, group, subresource, isNamespaced }: ClusterCall,
  { username }: ClusterCaller['user'],
  { namespace, name }: ClusterSubject,
  uri: string,
): readonly [reason: string, message: string] | null => {
  if (code < 400) return null;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const object = name ?? '';
  switch (code) {
    case 401:
      return ['Unauthorized', 'Unauthorized'];
    case FORBIDDEN: {
      if (resource === null)
        return ['Forbidden', `forbidden: User "${username}" cannot ${verb} path "${uri}"`];
      const what = subresource === null ? resource : `${resource}/${subresource}`;
      const where = isNamespaced ? `in the namespace "${namespace}"` : 'at the cluster scope';
      const which = object === '' ? '' : ` "${object}"`;
      return [
        'Forbidden',
        `${qualified}${which} is forbidden: User "${username}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`,
      ];
    }
    case 404:
      return ['NotFound', `${qualified} "${object}" not found`];
    default:
      return [
        'Conflict',
        `Operation cannot be fulfilled on ${qualified} "${object}": the object has been modified; please apply your changes to the latest version and try again`,
      ];
  }
};

/** Objects have versions that go up: one in so many microseconds. */
const MICROS_PER_VERSION = 90 * MICROS_PER_MS;

const uriOf = ({ call, about, key, at, micros }: ClusterStep): string => {
  const { base, resource, subresource, isNamespaced, query, verb } = call;
  if (resource === null) return base;
  let uri = isNamespaced ? `${base}/namespaces/${about.namespace}/${resource}` : `${base}/${resource}`;
  // A pod has no name before it is made.
  if (about.name !== null && (verb !== 'create' || subresource !== null)) uri += `/${about.name}`;
  if (subresource !== null) uri += `/${subresource}`;
  if (query === '') return uri;
  if (!query.includes('{')) return `${uri}?${query}`;
  const version = Math.floor((at - micros) / MICROS_PER_VERSION) % 2 ** 31;
  return `${uri}?${query
    .replace('{app}', about.app ?? '')
    .replace('{version}', String(version))
    .replace('{seconds}', String(300 + (mixedKey(key, 9) % 300)))}`;
};

/** One literal for all lines: they have one shape, which is read fastest. */
const callFacts = (step: ClusterStep): ActivityFacts => {
  const { at, caller, call, about, code, micros, key, isBegin } = step;
  const { user, agent, ip, pod, node } = caller;
  const { verb, resource, subresource, group, version, isNamespaced, level, body } = call;
  const uri = uriOf(step);
  const refusal = refusalOf(code, call, user, about, uri);
  const isKnown = user !== UNKNOWN_TOKEN;
  return {
    call_id: keyedUuid(key, at - micros),
    stage: isBegin ? 'ResponseStarted' : 'ResponseComplete',
    level,
    verb,
    uri,
    resource,
    subresource,
    group,
    version,
    namespace: isNamespaced && resource !== null ? about.namespace : null,
    name: resource === null ? null : about.name,
    uid: about.uid,
    user,
    agent,
    ip,
    pod,
    node,
    code,
    refusal: refusal === null ? null : refusal[0],
    message: refusal === null ? null : refusal[1],
    decision: !isKnown ? null : code === FORBIDDEN ? 'forbid' : 'allow',
    reason:
      code === FORBIDDEN
        ? ''
        : isNamespaced && resource !== null
          ? user.grant.replace('{namespace}', about.namespace)
          : user.cluster_grant,
    microseconds: micros,
    // What is refused is not read.
    body: body === null || code === FORBIDDEN ? null : body(about, mixedKey(key, 5) / 0x1_0000_0000),
  };
};

/** A line of the audit log as an act at the server of the API. */
export const clusterAct = (host: WorldHost | null, step: ClusterStep): Act => ({
  kind: 'use_cluster',
  at: step.at,
  person: step.person,
  host,
  session: null,
  facts: callFacts(step),
  truth: null,
});
