import { MICROS_PER_SECOND } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { InternetAccess, Person, WorldHost } from '../../population/entities.js';
import { siteAddress } from '../../population/population.js';
import { machineRid, ridOfAccount } from '../accounts.js';
import type { Activity, ActivityFact, ActivityFacts } from '../kinds.js';
import type { CausalRule, Effect, Surroundings } from '../scribe.js';
import { vpnSessionAt } from '../vpn.js';

/** Ports that the system gives to clients. */
export const clientPort = (own: KeyedDraws): number => own.integer(49_152, 65_535);

export const fact = <A extends ActivityFact>(cause: Activity, name: string): A => cause.facts[name] as A;
export const is =
  (name: string) =>
  (cause: Activity): number =>
    cause.facts[name] === true ? 1 : 0;
export const isNot =
  (name: string) =>
  (cause: Activity): number =>
    cause.facts[name] === true ? 0 : 1;

export const controllerOf = ({ population }: Surroundings, own: KeyedDraws): WorldHost =>
  own.pick(population.serversOf('domain_controller'));

export const accountOf = ({ facts, person, host }: Activity): string =>
  (facts['account'] as string | undefined) ?? person?.user ?? `${host?.name ?? ''}$`;

/** The account of the cause, and the last part of its security identifier. */
export const identityOf = (
  cause: Activity,
  { population }: Pick<Surroundings, 'population'>,
): { readonly account: string; readonly rid: number } => {
  const { facts, person, host } = cause;
  const account = accountOf(cause);
  const known = facts['rid'] as number | undefined;
  if (known !== undefined) return { account, rid: known };
  const isOther = facts['account'] !== undefined && account !== person?.user;
  const rid = isOther ? ridOfAccount(population, account) : (person?.rid ?? machineRid(host));
  return { account, rid };
};

export const NOWHERE = { ip: '127.0.0.1', zone: 'office' };

/** Where the cause comes from: the address now of the person, or of the one whose workstation acts by itself, or that of the host. */
export const fromOf = (
  cause: Activity,
  { addressOf, population }: Pick<Surroundings, 'addressOf' | 'population'>,
): { readonly ip: string; readonly zone: string } => {
  const { person, host } = cause;
  // An intruder with the account of a person comes through the VPN, whatever the person does.
  if (person !== null && cause.facts['via_vpn'] === true) return { ip: person.vpn_ip, zone: 'vpn' };
  if (host !== null && host.role !== 'workstation') return { ip: host.ip, zone: 'servers' };
  // A workstation has the number of its person.
  const user = person ?? (host === null ? null : population.person(host.number));
  return (
    (user === null ? null : addressOf(user, cause.at)) ??
    (host === null ? NOWHERE : { ip: host.ip, zone: 'office' })
  );
};

export const leadsTo = (
  effect: CausalRule['effect'],
  after_ms: CausalRule['after_ms'],
  sigma: number,
  make: CausalRule['make'],
  count?: CausalRule['count'],
): CausalRule => ({ effect, after_ms, sigma, make, ...(count === undefined ? {} : { count }) });

export interface Flow {
  readonly to: WorldHost | null;
  readonly to_ip: string;
  readonly to_port: number;
  readonly to_name: string | null;
  readonly to_zone: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  readonly application: string;
  readonly bytes_out: number;
  readonly bytes_in: number;
  readonly seconds: number;
  readonly action?: 'allow' | 'deny';
}

/** Which way a connection passes the edge of the organization. The VPN leaves the internet to homes. */
const edgeOf = (zone: string, to_zone: string): 'in' | 'out' | 'none' => {
  if (zone === 'outside') return 'in';
  return to_zone === 'outside' && zone !== 'vpn' ? 'out' : 'none';
};

/** Sessions of a firewall have numbers from here on. */
const FIRST_FLOW = 500_000;
export const flowNumber = (own: KeyedDraws): number => FIRST_FLOW + (own.word() >>> 1);

/** The facts of a connection, as one that somebody outside makes. */
export const fromOutside = (facts: ActivityFacts, own: KeyedDraws, ip: string): ActivityFacts => ({
  ...facts,
  ip,
  zone: 'outside',
  edge: 'in',
  public_ip: null,
  image: null,
  pid: null,
  vpn_user: null,
  vpn_session: null,
  vpn_seconds: null,
  access: null,
  flow_id: flowNumber(own),
});

/** The address that the internet sees of a connection. */
const translatedAddress = ({ host }: Activity, { population }: Surroundings): string | null =>
  host === null ? null : siteAddress(population.sites, host.site);

export const BYTES_PER_PACKET = 900;

/** The program that goes to the network, where the act names one. */
export const askingProgram = ({ facts }: Activity) => ({
  image: facts['image'] ?? null,
  pid: facts['image'] === undefined ? null : (facts['pid'] ?? null),
});

/** A workstation has the number of its person. */
const userOf = ({ person, host }: Activity, { population }: Surroundings): Person | null =>
  person ?? (host === null ? null : population.person(host.number));

const NOT_OVER_VPN = {
  ...{ vpn_user: null, vpn_session: null, vpn_seconds: null },
  access: null as InternetAccess | null,
};

/** The session that a connection over the VPN goes through: that of the act, or the one that its person has. */
const vpnFacts = (cause: Activity, world: Surroundings) => {
  const vpn_user = userOf(cause, world);
  const own = vpn_user === null ? null : vpnSessionAt(world, vpn_user, cause.at);
  const given = cause.facts['via_vpn'] === true ? (cause.facts as unknown as typeof own) : own;
  if (vpn_user === null || given === null) return NOT_OVER_VPN;
  return {
    ...{ vpn_user, vpn_session: given.vpn_session },
    vpn_seconds: (cause.at - given.vpn_begin) / MICROS_PER_SECOND,
    access: (cause.facts['access'] as InternetAccess | undefined) ?? vpn_user.home,
  };
};

/** What a connection carries. */
export const sizes = (bytes_out: number, bytes_in: number) => ({
  ...{ bytes_out, bytes_in },
  packets_out: 3 + Math.ceil(bytes_out / BYTES_PER_PACKET),
  packets_in: 2 + Math.ceil(bytes_in / BYTES_PER_PACKET),
});

/** A connection from where the cause is. */
export const flow = (cause: Activity, world: Surroundings, own: KeyedDraws, given: Flow): Effect => {
  const { ip, zone } = fromOf(cause, world);
  const bytes_out = Math.round(given.bytes_out);
  const bytes_in = Math.round(given.bytes_in);
  const edge = edgeOf(zone, given.to_zone);
  const port = clientPort(own);
  const { image, pid } = askingProgram(cause);
  const over = zone === 'vpn' && edge === 'none' ? vpnFacts(cause, world) : NOT_OVER_VPN;
  // Named one by one: V8 makes a literal many times faster than one that spreads others.
  return {
    facts: {
      action: given.action ?? 'allow',
      to: given.to,
      to_ip: given.to_ip,
      to_port: given.to_port,
      to_name: given.to_name,
      to_zone: given.to_zone,
      protocol: given.protocol,
      application: given.application,
      bytes_out,
      bytes_in,
      seconds: Math.round(given.seconds * 1000) / 1000,
      ip,
      zone,
      port,
      image,
      pid,
      packets_out: 3 + Math.ceil(bytes_out / BYTES_PER_PACKET),
      packets_in: given.action === 'deny' ? 0 : 2 + Math.ceil(bytes_in / BYTES_PER_PACKET),
      edge,
      flow_id: edge === 'none' ? null : flowNumber(own),
      public_ip: edge === 'out' ? translatedAddress(cause, world) : null,
      vpn_user: over.vpn_user,
      vpn_session: over.vpn_session,
      vpn_seconds: over.vpn_seconds,
      access: over.access,
    },
  };
};

export const toServer = (
  cause: Activity,
  world: Surroundings,
  own: KeyedDraws,
  server: WorldHost,
  to_port: number,
  application: string,
  bytes: readonly [out: number, back: number],
  seconds: number,
): Effect =>
  flow(cause, world, own, {
    to: server,
    to_ip: server.ip,
    to_port,
    to_name: server.fqdn,
    to_zone: 'servers',
    protocol: 'tcp',
    application,
    bytes_out: own.lognormal(bytes[0], 0.8),
    bytes_in: own.lognormal(bytes[1], 1.1),
    seconds,
  });

const TICKET_SERVICE_RID = 502;

/** The last part of the identifier of what a ticket is for: a computer, or the service for tickets. */
export const serviceRid = (cause: Activity, is_first: boolean): number =>
  is_first ? TICKET_SERVICE_RID : machineRid(fact<WorldHost>(cause, 'server'));

export const ticket =
  (service: (cause: Activity, world: Surroundings) => string, is_first: boolean): CausalRule['make'] =>
  (cause, world, own) => ({
    host: controllerOf(world, own),
    facts: {
      service: service(cause, world),
      service_rid: serviceRid(cause, is_first),
      status: '0x0',
      ...identityOf(cause, world),
      ip: fromOf(cause, world).ip,
      port: clientPort(own),
      from: cause.host,
      is_first,
    },
  });

/** What services on the internet see of the cause: the person's own access at home, else that of the site. */
export const publicAddress = (
  cause: Pick<Activity, 'person' | 'host' | 'at'>,
  { population, addressOf }: Pick<Surroundings, 'population' | 'addressOf' | 'spec'>,
): string => {
  const { person, host } = cause;
  if (person === null) return host === null ? NOWHERE.ip : siteAddress(population.sites, host.site);
  const now = addressOf(person, cause.at);
  // Without the VPN, and with it, what is on the internet is reached directly from home.
  return now === null || now.zone === 'vpn' ? person.home.ip : siteAddress(population.sites, person.site);
};
