import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { type KeyedDraws, textNumber, weighted } from '../../draw.js';
import type { InternetAccess, Person } from '../../population/entities.js';
import type { WorldGround } from '../../population/population.js';
import { rememberOfWorld } from '../../remember.js';

/** Purposes of draws of the cloud: names that stay, and sessions of roles, users and the console. */
const WHY = { id: 480, service: 481, person: 482, key: 483 } as const;

/** Who calls the cloud: with the session of a role, with the key of a user, or to get a session. */
export interface CloudPrincipal {
  readonly type: 'AssumedRole' | 'IAMUser' | 'SAMLUser' | 'AWSService' | 'AWSAccount';
  /** Name of the session or user, or the service that asks for a session. */
  readonly name: string;
  /** Null for those who have no session of a role. */
  readonly role: CloudRole | null;
  /** Identifier of the role or user, as in `AROA...`. */
  readonly id: string;
  /** Null when no key is used. */
  readonly access_key_id: string | null;
  readonly mfa: boolean;
  /** Beginning of the session, ISO 8601 to the second. Null without one. */
  readonly since: string | null;
}

export interface CloudRole {
  readonly name: string;
  readonly id: string;
  readonly path: string;
  /** How long its sessions last. */
  readonly seconds: number;
  /** What its sessions do. */
  readonly work: CloudWork;
  /** The service that asks for sessions. Null for people and partners. */
  readonly service: string | null;
}

export type CloudWork =
  | 'admin'
  | 'engineer'
  | 'auditor'
  | 'reader'
  | 'container'
  | 'function'
  | 'batch'
  | 'deploy'
  | 'fleet'
  | 'partner'
  | 'tool';

/** Where a call comes from, and with which program. */
export interface CloudClient {
  readonly access: InternetAccess;
  readonly agent: string;
  readonly agent_name: string;
  readonly os: string;
  /** Where the called interface is. Null for the region of most. */
  readonly region: string | null;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const letters = (own: KeyedDraws, count: number): string => {
  let text = '';
  for (let left = count; left > 0; left -= 6) {
    let word = own.word();
    for (let index = Math.min(6, left); index > 0; index--) {
      text += LETTERS[word & 31];
      word >>>= 5;
    }
  }
  return text;
};

/** Identifiers and keys are as long as those of the cloud, and say that they are made up. */
const idOf = (prefix: string, own: KeyedDraws): string => `${prefix}${letters(own, 10)}EXAMPLE`;
const keyOf = (prefix: string, own: KeyedDraws): string => `${prefix}${letters(own, 9)}EXAMPLE`;

export const isoSeconds = (at: Micros): string =>
  `${new Date(Math.floor(at / MICROS_PER_SECOND) * 1_000).toISOString().slice(0, 19)}Z`;

const STAFF_PATH = '/aws-reserved/sso.amazonaws.com/';
const HOURS = 3_600;

/** Names, work, service and session length of roles. Weights are shares of the machines that have the role. */
const SERVICE_ROLES: readonly (readonly [
  weight: number,
  name: string,
  work: CloudWork,
  service: string | null,
  hours: number,
])[] = [
  [9, 'OrderService', 'container', 'ecs-tasks.amazonaws.com', 4],
  [7, 'PaymentService', 'container', 'ecs-tasks.amazonaws.com', 1],
  [6, 'CatalogService', 'container', 'ecs-tasks.amazonaws.com', 4],
  [9, 'ThumbnailFunction', 'function', 'lambda.amazonaws.com', 1],
  [6, 'InvoiceFunction', 'function', 'lambda.amazonaws.com', 1],
  [4, 'ReportFunction', 'function', 'lambda.amazonaws.com', 1],
  [8, 'BatchWorker', 'batch', 'ec2.amazonaws.com', 1],
  [8, 'WebServer', 'container', 'ec2.amazonaws.com', 4],
  [5, 'LogShipper', 'batch', 'ec2.amazonaws.com', 1],
  [6, 'DeployPipeline', 'deploy', 'codebuild.amazonaws.com', 4],
  [3, 'BackupVault', 'batch', 'backup.amazonaws.com', 1],
  [3, 'ScaleFleet', 'fleet', 'autoscaling.amazonaws.com', 1],
  [3, 'WarehouseLoader', 'batch', 'redshift.amazonaws.com', 4],
  [3, 'PartnerImport', 'partner', null, 1],
  [3, 'AuditCollector', 'auditor', null, 4],
];
const STAFF_ROLES = {
  PlatformAdmin: 'admin',
  SecurityAudit: 'auditor',
  DataEngineer: 'engineer',
  WebDeveloper: 'engineer',
  BillingView: 'reader',
  ReadOnly: 'reader',
} as const;
export const ROLE_NAMES = [...SERVICE_ROLES.map(([, name]) => name), ...Object.keys(STAFF_ROLES)];

const AGENT = {
  windows:
    'aws-cli/2.25.11 md/awscrt#0.25.2 ua/2.1 os/windows#11 md/arch#amd64 lang/python#3.12.9 md/pyimpl#CPython',
  linux:
    'aws-cli/2.27.41 md/awscrt#0.26.1 ua/2.1 os/linux#6.8.0 md/arch#x86_64 lang/python#3.13.4 md/pyimpl#CPython cfg/retry-mode#standard',
  boto: 'Boto3/1.38.40 md/Botocore#1.38.40 ua/2.1 os/linux#6.1.134 md/arch#aarch64 lang/python#3.12.10 md/pyimpl#CPython cfg/retry-mode#legacy',
  lambda:
    'Boto3/1.37.22 md/Botocore#1.37.22 ua/2.1 os/linux#5.10.236 md/arch#x86_64 lang/python#3.11.12 md/pyimpl#CPython exec-env/AWS_Lambda_python3.11',
  go: 'aws-sdk-go-v2/1.36.3 ua/2.1 os/linux lang/go#1.24.4 md/GOOS#linux md/GOARCH#amd64 api/s3#1.80.0',
  java: 'aws-sdk-java/2.31.50 ua/2.1 os/Linux#6.1.134 lang/java#21.0.7 md/vendor#Eclipse_Adoptium cfg/retry-mode#standard',
  js: 'aws-sdk-js/3.828.0 ua/2.1 os/linux#6.1.134 lang/js md/nodejs#22.16.0 api/dynamodb#3.828.0',
  terraform:
    'APN/1.0 HashiCorp/1.0 Terraform/1.12.1 (+https://www.terraform.io) terraform-provider-aws/5.99.1 aws-sdk-go-v2/1.36.3 os/linux lang/go#1.23.8',
} as const;

type Agent = readonly [agent_name: string, os: string, agent: string];
const SDKS: readonly Agent[] = [
  ['Boto3', 'Linux', AGENT.boto],
  ['aws-sdk-java', 'Linux', AGENT.java],
  ['aws-sdk-go-v2', 'Linux', AGENT.go],
  ['aws-sdk-js', 'Linux', AGENT.js],
  ['Boto3', 'Linux', AGENT.lambda],
];
const TOOLS: readonly Agent[] = [
  ['aws-cli', 'Windows', AGENT.windows],
  ['aws-cli', 'Linux', AGENT.linux],
  ['Boto3', 'Linux', AGENT.boto],
  ['Terraform', 'Linux', AGENT.terraform],
];

const clientOf = (
  access: InternetAccess,
  [agent_name, os, agent]: Agent,
  region: string | null = null,
): CloudClient => ({ access, agent, agent_name, os, region });

/** The browser of somebody who is at the console. */
export const consoleClient = (access: InternetAccess, agent: string): CloudClient => {
  if (agent.includes('iPhone')) return clientOf(access, ['Mobile Safari', 'iOS', agent]);
  if (agent.includes('Android')) return clientOf(access, ['Chrome Mobile', 'Android', agent]);
  const name = agent.includes('Edg/') ? 'Edge' : agent.includes('Firefox') ? 'Firefox' : 'Chrome';
  return clientOf(access, [name, 'Windows', agent]);
};

/** The program with which somebody works at a command line. */
export const toolClient = (access: InternetAccess, number: number): CloudClient =>
  clientOf(access, TOOLS[number % TOOLS.length] as Agent);

type City = Pick<InternetAccess, 'city' | 'country' | 'latitude' | 'longitude'>;
const ASHBURN: City = { city: 'Ashburn', country: 'US', latitude: 39.04, longitude: -77.49 };
const FRANKFURT: City = { city: 'Frankfurt', country: 'DE', latitude: 50.11, longitude: 8.68 };
const DUBLIN: City = { city: 'Dublin', country: 'IE', latitude: 53.35, longitude: -6.26 };
const REGIONS = weighted<readonly [city: City, region: string | null, first: number]>([
  [80, [ASHBURN, null, 10]],
  [12, [FRANKFURT, 'eu-central-1', 30]],
  [8, [DUBLIN, 'eu-west-1', 40]],
]);

/** A machine in the cloud: its network has a few addresses by which it reaches the interfaces of a region. */
const machineClient = (own: KeyedDraws, sdk: Agent): CloudClient => {
  const [city, region, first] = REGIONS(own.next());
  const network = { provider: 'Example Cloud Egress', as_number: 64_504 };
  return clientOf({ ip: `203.0.113.${first + own.integer(0, 9)}`, ...city, ...network }, sdk, region);
};

/** A machine or service in the cloud with the role that it has. */
export interface CloudMachine {
  readonly number: number;
  readonly role: CloudRole;
  readonly client: CloudClient;
  /** Its sessions begin so much later than at multiples of their length. */
  readonly offset: Micros;
}

/** What a world has in the cloud. Made once for each, and read by its minutes, rules and attacks. */
export interface CloudEstate {
  readonly machines: readonly CloudMachine[];
  readonly roleOf: (name: string) => CloudRole;
  /** The session that a machine has, and when it began. */
  readonly sessionAt: (
    machine: CloudMachine,
    at: Micros,
  ) => { readonly principal: CloudPrincipal; readonly begin: Micros };
  /** A user with a key that stays. */
  readonly user: (name: string) => CloudPrincipal;
  /** The same user with the key that was made last. */
  readonly newKey: (name: string) => CloudPrincipal;
  /** A session of a role that somebody has asked for. */
  readonly session: (role: string, name: string, mfa: boolean, begin: Micros) => CloudPrincipal;
}

export const estateOf = rememberOfWorld((world: WorldGround): CloudEstate => makeEstate(world));

/** Machines in the cloud, a hundred people. */
const MACHINES = 30;

const makeEstate = ({ draws, population }: WorldGround): CloudEstate => {
  const ofName = (name: string): KeyedDraws => draws.of(textNumber(name, 31), 0, WHY.id);
  const role = (
    name: string,
    work: CloudWork,
    path: string,
    service: string | null,
    hours: number,
  ): CloudRole => ({
    ...{ name, id: idOf('AROA', ofName(name)), path, service, work },
    seconds: hours * HOURS,
  });
  const services = SERVICE_ROLES.map(
    ([weight, name, work, service, hours]) => [weight, role(name, work, '/', service, hours)] as const,
  );
  const roles = new Map(services.map(([, one]) => [one.name, one]));
  for (const [name, work] of Object.entries(STAFF_ROLES))
    roles.set(name, role(name, work, STAFF_PATH, null, 8));
  const roleAt = weighted(services);
  const count = Math.max(services.length, Math.round((population.size * MACHINES) / 100));
  const machines = Array.from({ length: count }, (_, number): CloudMachine => {
    const own = draws.of(number, 0, WHY.service);
    // Each role has a machine at least.
    const given = services[number]?.[1] ?? roleAt(own.next());
    const sdk = given.work === 'function' ? SDKS.length - 1 : own.integer(0, SDKS.length - 2);
    const client = machineClient(own, SDKS[sdk] as Agent);
    return {
      number,
      role: given,
      client,
      offset: Math.floor(own.next() * given.seconds * MICROS_PER_SECOND),
    };
  });
  /** The session that each machine had last. */
  const current = new Map<number, { readonly principal: CloudPrincipal; readonly begin: Micros }>();
  const users = new Map<string, CloudPrincipal>();
  const userOf = (name: string, key: 'user' | 'new'): CloudPrincipal => {
    const known = users.get(`${key}/${name}`);
    if (known !== undefined) return known;
    const own = ofName(`${key}/${name}`);
    const [id, access_key_id] = [idOf('AIDA', own), keyOf('AKIA', own)];
    const made: CloudPrincipal = {
      ...({ type: 'IAMUser', name, role: null, id, access_key_id } as const),
      ...{ mfa: false, since: null },
    };
    users.set(`${key}/${name}`, made);
    return made;
  };
  return {
    machines,
    roleOf: (name) => roles.get(name) as CloudRole,
    sessionAt: (machine, at) => {
      const length = machine.role.seconds * MICROS_PER_SECOND;
      const begin = Math.floor((at - machine.offset) / length) * length + machine.offset;
      const known = current.get(machine.number);
      if (known?.begin === begin) return known;
      const own = draws.of(machine.number, begin, WHY.service);
      const name = `${machine.role.name.toLowerCase()}-${own.hex(8)}`;
      const made = { begin, principal: sessionOf(machine.role, name, false, begin, own) };
      current.set(machine.number, made);
      return made;
    },
    user: (name) => userOf(name, 'user'),
    newKey: (name) => ({ ...userOf(name, 'user'), access_key_id: userOf(name, 'new').access_key_id }),
    session: (roleName, name, mfa, begin) => {
      const given = roles.get(roleName) as CloudRole;
      const own = draws.of(textNumber(name, 31), begin, WHY.key);
      return sessionOf(given, name, mfa, begin, own);
    },
  };
};

const sessionOf = (
  role: CloudRole,
  name: string,
  mfa: boolean,
  begin: Micros,
  own: KeyedDraws,
): CloudPrincipal => ({
  ...({ type: 'AssumedRole', name, role, id: role.id } as const),
  ...{ access_key_id: keyOf('ASIA', own), mfa, since: isoSeconds(begin) },
});

/** The role that the organization gives to a person at the console. */
export const staffRole = ({ is_admin, is_engineer, department, number }: Person): string => {
  if (is_admin) return number % 4 === 0 ? 'SecurityAudit' : 'PlatformAdmin';
  if (is_engineer) return number % 2 === 0 ? 'DataEngineer' : 'WebDeveloper';
  return department === 'finance' ? 'BillingView' : 'ReadOnly';
};

/** A tool in the organization with the key of a user of its own. */
export const toolUserAt = weighted<readonly [name: string, tool: number]>([
  [9, ['svc-backup', 1]],
  [20, ['svc-ci', 3]],
  [4, ['svc-dns', 1]],
  [12, ['svc-export', 2]],
  [8, ['svc-mail', 2]],
  [4, ['svc-scan', 2]],
]);

/** Time for which the console lets somebody choose a role after the second factor was asked for. */
export const consoleBegin = (opened_at: Micros): Micros =>
  opened_at + 18_000 * MICROS_PER_MS + (opened_at % (9 * MICROS_PER_SECOND));

/** The session of a person who opened the console at a moment. */
export const consoleSession = (world: WorldGround, person: Person, opened_at: Micros): CloudPrincipal =>
  estateOf(world).session(staffRole(person), person.email, true, consoleBegin(opened_at));

/** Somebody outside asks for a session: a person by the identity provider, a service, or a partner. */
export const askingPrincipal = (
  type: 'SAMLUser' | 'AWSService' | 'AWSAccount',
  name: string,
  id: string,
): CloudPrincipal => ({
  ...{ type, name, role: null, id, access_key_id: null, mfa: false, since: null },
});
