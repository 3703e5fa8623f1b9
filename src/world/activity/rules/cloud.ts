import { MICROS_PER_MS } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { InternetAccess } from '../../population/entities.js';
import { jobOf, someBucket } from '../cloud/calls.js';
import {
  askingPrincipal,
  type CloudClient,
  type CloudPrincipal,
  consoleBegin,
  consoleClient,
  consoleSession,
  estateOf,
  ROLE_NAMES,
} from '../cloud/principals.js';
import type { Activity } from '../kinds.js';
import type { CausalRule, CausalRules, Effect, Surroundings } from '../scribe.js';
import { fact, leadsTo } from './shared.js';

/** Facts of calls that belong together, read by name: most of what a cloud does is made here. */
export interface CloudWorkFacts {
  readonly principal: CloudPrincipal;
  readonly client: CloudClient;
  /** As in `s3:GetObject`. */
  readonly calls: readonly string[];
  readonly bucket: string;
  /** User that the calls are about. Null when they are about none. */
  readonly target: string | null;
  /** The session that the first call opens, or null. */
  readonly grants: CloudPrincipal | null;
  /** Median time between two calls. */
  readonly pace_ms: number;
}

const workOf = ({ facts }: Activity): CloudWorkFacts => facts as unknown as CloudWorkFacts;

const SHARE = {
  throttled: 0.012,
  missing: 0.15,
  denied: 0.012,
  denied_to_people: 0.035,
  denied_to_readers: 0.12,
};

/** Code of the error with which a call ends, or null. */
const errorOf = (own: KeyedDraws, action: string, { role }: CloudPrincipal): string | null => {
  const drawn = own.next();
  if (action === 'HeadObject') return drawn < SHARE.missing ? 'NoSuchKey' : null;
  if (drawn < SHARE.throttled) return 'ThrottlingException';
  const denied =
    role === null || role.service !== null
      ? SHARE.denied
      : role.work === 'reader'
        ? SHARE.denied_to_readers
        : SHARE.denied_to_people;
  if (drawn >= SHARE.throttled + denied) return null;
  return action.startsWith('Describe') ? 'UnauthorizedOperation' : 'AccessDenied';
};

const INSTANCES = 80;
const INSTANCE_CALLS: ReadonlySet<string> = new Set([
  'StopInstances',
  'StartInstances',
  'TerminateInstances',
  'RunInstances',
]);
const ROLE_CALLS = /Role/;
const FUNCTIONS = ['thumbnail', 'invoice', 'report', 'resize', 'index', 'notify'];

/** Number of an instance as a name. */
const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
const instanceAt = (number: number): string =>
  `i-0${hex(Math.imul(number + 17, 0x9e37_79b1))}${hex(Math.imul(number + 5, 0x85eb_ca6b))}`;

/** Name of what a call is about. Null where its parameters say nothing of the organization. */
const resourceOf = (
  own: KeyedDraws,
  service: string,
  action: string,
  { bucket, target, grants }: CloudWorkFacts,
  { population }: Surroundings,
): string | null => {
  switch (service) {
    case 's3':
      return action === 'ListBuckets' ? null : bucket;
    case 'kms':
      return bucket;
    case 'iam':
      if (ROLE_CALLS.test(action)) return own.pick(ROLE_NAMES);
      return target ?? population.person(own.integer(0, population.size - 1)).user;
    case 'lambda':
      return own.pick(FUNCTIONS);
    case 'ec2':
      if (!INSTANCE_CALLS.has(action)) return null;
      return instanceAt(
        action === 'RunInstances' ? INSTANCES + own.integer(0, 999) : own.integer(0, INSTANCES - 1),
      );
    case 'sts':
      return grants?.role?.name ?? null;
    default:
      return null;
  }
};

/** Services that decrypt for others. */
const throughOf = (own: KeyedDraws, service: string): string | null => {
  if (service !== 'kms') return null;
  const drawn = own.next();
  return drawn < 0.7 ? 's3.amazonaws.com' : drawn < 0.82 ? 'secretsmanager.amazonaws.com' : null;
};

/** The parts of each call, such as s3:GetObject. */
const parts = new Map<string, { readonly service: string; readonly action: string }>();

const partsOf = (call: string): { readonly service: string; readonly action: string } => {
  const known = parts.get(call);
  if (known !== undefined) return known;
  const colon = call.indexOf(':');
  const made = { service: call.slice(0, colon), action: call.slice(colon + 1) };
  parts.set(call, made);
  return made;
};

/** One of the calls of an act, or of a sign-in, whose calls are made with the session that it opened. */
const callOf = (cause: Activity, world: Surroundings, own: KeyedDraws, index: number): Effect => {
  const given = workOf(cause);
  const call = given.calls[index] ?? '';
  const { service, action } = partsOf(call);
  const principal = cause.kind === 'cloud_sign_in' ? (given.grants as CloudPrincipal) : given.principal;
  const resource = resourceOf(own, service, action, given, world);
  const isAsking = service === 'sts' || service === 'signin';
  return {
    facts: {
      service,
      action,
      call,
      principal,
      client: given.client,
      resource,
      error: isAsking ? errorOfSignIn(principal, service) : errorOf(own, action, principal),
      through: throughOf(own, service),
      grants:
        action === 'AssumeRole'
          ? given.grants
          : action === 'CreateAccessKey' && resource !== null
            ? estateOf(world).newKey(resource)
            : null,
    },
  };
};

/** A password that is wrong has no key. */
const errorOfSignIn = ({ type, access_key_id }: CloudPrincipal, service: string): string | null =>
  service === 'signin' && type === 'IAMUser' && access_key_id === null ? 'Failed authentication' : null;

const CALLS: CausalRule = leadsTo(
  'cloud_call',
  (cause) => workOf(cause).pace_ms,
  0.25,
  callOf,
  (cause) => workOf(cause).calls.length,
);

/** Pages are opened a few seconds apart. */
const CONSOLE_PACE_MS = 900;

/** Whoever opens the console of the cloud gets the session of a role there once the second factor is right. */
export const CLOUD_SIGN_IN: CausalRule = {
  isBackward: true,
  ...leadsTo(
    'cloud_sign_in',
    ({ at, facts }) => Math.max(300, (consoleBegin(facts['opened_at'] as number) - at) / MICROS_PER_MS),
    0,
    (cause, world, own) => {
      const { person } = cause;
      if (person === null) throw new Error('nobody opens a console');
      const grants = consoleSession(world, person, fact<number>(cause, 'opened_at'));
      const work = grants.role?.work ?? 'reader';
      const principal = askingPrincipal('SAMLUser', person.email, 'saml');
      return {
        host: null,
        facts: {
          ...{ service: 'sts', action: 'AssumeRoleWithSAML', call: 'sts:AssumeRoleWithSAML', principal },
          client: consoleClient(fact<InternetAccess>(cause, 'access'), fact<string>(cause, 'agent')),
          ...{ resource: grants.role?.name ?? null, error: null, through: null, grants },
          ...{ bucket: someBucket(own), target: null, pace_ms: CONSOLE_PACE_MS },
          calls: ['signin:ConsoleLogin', ...jobOf(own, work), ...jobOf(own, work)],
        },
      };
    },
    ({ facts, person }) =>
      facts['application'] === 'Cloud Console' && facts['step'] === 'accepted' && person !== null ? 1 : 0,
  ),
};

export const CLOUD_RULES: CausalRules = { use_cloud: [CALLS], cloud_sign_in: [CALLS] };
