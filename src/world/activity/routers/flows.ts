import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { weighted } from '../../draw.js';
import type { Site } from '../../population/entities.js';
import type { Activity, ActivityFacts } from '../kinds.js';
import { leadsTo } from '../rules/shared.js';
import type { CausalRule, Surroundings } from '../scribe.js';

/** A connection that lasts longer is told when it is over: effects of an act come within a minute. */
export const LONGEST_SECONDS = 58;

/** Routers tell of a connection that lasts once in so many seconds. */
export const ACTIVE_SECONDS = 60;

const isInside = ({ facts }: Activity): boolean => facts['edge'] === 'none';

/** Inside, a connection is told when it begins. Routers tell of a long one again and again. */
export const isMetered = (connection: Activity): boolean =>
  isInside(connection) && (connection.facts['seconds'] as number) >= ACTIVE_SECONDS;

/** What passes the edge and is long is told when it is over. */
const isOver = (connection: Activity): boolean =>
  !isInside(connection) && (connection.facts['seconds'] as number) >= LONGEST_SECONDS;

const secondsOf = (connection: Activity): number => {
  const seconds = connection.facts['seconds'] as number;
  return isInside(connection) ? Math.min(seconds, LONGEST_SECONDS) : seconds;
};

/** What people open at home does not pass the organization. */
const isRouted = ({ facts }: Activity): boolean =>
  (facts['zone'] !== 'vpn' || facts['to_zone'] !== 'outside') && facts['ip'] !== facts['to_ip'];

/** Routers of each site for its workstations, those for servers and the VPN, and those at the border outside the firewall. */
const ROUTERS = { site: 4, servers: 2, border: 2 } as const;
const SERVERS_NETWORK = 254;
const BORDER_NETWORK = 253;

interface Router {
  readonly router: string;
  readonly router_ip: string;
}

const routerAt = (place: string, network: number, number: number): Router => ({
  router: `rt-${place}-${number + 1}`,
  router_ip: `10.255.${network}.${number + 1}`,
});

/** All routers. */
export const routersOf = (sites: readonly Site[]): readonly ActivityFacts[] =>
  [
    ...sites.map(({ name }, network) => [name, network, ROUTERS.site] as const),
    ['dc', SERVERS_NETWORK, ROUTERS.servers] as const,
    ['border', BORDER_NETWORK, ROUTERS.border] as const,
  ].flatMap(([place, network, count]) =>
    Array.from({ length: count }, (_, number): ActivityFacts => ({ ...routerAt(place, network, number) })),
  );

export const borderRouter = (number: number): Router =>
  routerAt('border', BORDER_NETWORK, number % ROUTERS.border);
export const serverRouter = (number: number): Router =>
  routerAt('dc', SERVERS_NETWORK, number % ROUTERS.servers);
export const siteRouter = ({ population: { sites } }: Surroundings, site: number, number: number): Router =>
  routerAt((sites[site] as Site).name, site, number % ROUTERS.site);

/** Who tells of a connection: the firewall at the edge, or the router that is next to where it comes from. */
const exporterOf = ({ facts, host }: Activity, world: Surroundings): Router => {
  if (facts['edge'] !== 'none') {
    const [firewall] = world.population.serversOf('firewall');
    return { router: firewall?.name ?? '', router_ip: firewall?.ip ?? '' };
  }
  const number = host?.number ?? 0;
  if (facts['zone'] !== 'office' || host === null) return serverRouter(number);
  return siteRouter(world, world.population.sites.indexOf(host.site), number);
};

/** Flags of TCP that a router saw, by the last four bits and the end of a connection. */
const FLAGS = { syn: 2, reset: 20, begun: 26, carried: 24, closed: 25, all: 27 } as const;
/** Shares of connections that one side ends by a reset, as flags of both ways. */
const flagsAt = weighted([
  [860, FLAGS.all],
  [80, 31],
  [60, 30],
] as const);
/** Class of service that packets are marked with: none, bulk, voice. */
const serviceAt = weighted([
  [88, 0],
  [8, 8],
  [4, 184],
] as const);

/** A number in [0, 1) that both directions of a connection have. */
const luckOf = (id: number, factor: number): number => (Math.imul(id ^ factor, 0x9e37_79b1) >>> 0) / 2 ** 32;

/** Networks outside have numbers that are reserved for documentation. */
const FIRST_AS = 64_496;
const AS_NUMBERS = 14;
const asOf = (ip: string): number => {
  const block = ip.includes(':') ? Number.parseInt(ip.split(':')[2] ?? '', 16) : Number(ip.split('.')[2]);
  return FIRST_AS + (block % AS_NUMBERS);
};

/** What both directions of a flow have in common. */
export interface RoutedFlow {
  readonly id: number;
  readonly ip: string;
  readonly port: number;
  readonly to_ip: string;
  readonly to_port: number;
  readonly protocol: string;
  readonly application: string;
  readonly action: string;
  readonly zone: string;
  readonly edge: string;
  /** Nobody listens: the other end resets at once. */
  readonly is_reset: boolean;
}

/** What a router counted of one direction of a connection since its last record. */
export interface FlowPart {
  readonly is_back: boolean;
  readonly began_at: Micros;
  readonly milliseconds: number;
  readonly bytes: number;
  readonly packets: number;
  /** Why the router tells: it saw the end, no packet came any more, or the connection lasts. */
  readonly end: 'over' | 'idle' | 'active';
  /** Number of the record, from 0. */
  readonly part: number;
}

const flagsOf = (
  { id, protocol, action, is_reset }: RoutedFlow,
  { end, part, is_back }: FlowPart,
): number => {
  if (protocol !== 'tcp') return 0;
  if (action === 'deny') return FLAGS.syn;
  if (is_reset) return is_back ? FLAGS.reset : FLAGS.syn;
  if (end === 'active') return part > 0 ? FLAGS.carried : FLAGS.begun;
  return part > 0 ? FLAGS.closed : flagsAt(luckOf(id, 0x2b7d));
};

/** Each packet has at least its headers. */
export const HEADER_BYTES = 40;

/** What a router tells of one direction of a flow. */
export const recordFacts = (
  flow: RoutedFlow,
  { router, router_ip }: Router,
  part: FlowPart,
): ActivityFacts => {
  const { id, ip, to_ip, edge } = flow;
  // Named one by one: V8 makes a literal many times faster than one that spreads others.
  return {
    connection: id,
    ip,
    port: flow.port,
    to_ip,
    to_port: flow.to_port,
    protocol: flow.protocol,
    application: flow.application,
    action: flow.action,
    zone: flow.zone,
    edge,
    as_number: edge === 'none' ? null : asOf(edge === 'in' ? ip : to_ip),
    is_back: part.is_back,
    began_at: part.began_at,
    milliseconds: part.milliseconds,
    bytes: Math.max(part.bytes, HEADER_BYTES * part.packets),
    packets: part.packets,
    flags: flagsOf(flow, part),
    service_class: serviceAt(luckOf(id, 0x61c5)),
    end: part.end,
    part: part.part,
    router,
    router_ip,
  };
};

/** The same of a connection of the world. */
export const flowFacts = (connection: Activity, world: Surroundings, part: FlowPart): ActivityFacts => {
  const { id, facts } = connection;
  const flow = {
    id,
    ip: facts['ip'] as string,
    port: facts['port'] as number,
    to_ip: facts['to_ip'] as string,
    to_port: facts['to_port'] as number,
    protocol: facts['protocol'] as string,
    application: facts['application'] as string,
    action: facts['action'] as string,
    zone: facts['zone'] as string,
    edge: facts['edge'] as string,
    is_reset: false,
  };
  return recordFacts(flow, exporterOf(connection, world), part);
};

/** Routers look for what is over once a second. */
export const scanMs = (id: number): number =>
  1 + ((Math.imul(id ^ 0x5f1d, 0x9e37_79b1) >>> 0) / 2 ** 32) * 998;

/** TCP says that it is over. Of all else, no packet comes for so long. */
export const IDLE_SECONDS = 15;
const isIdle = ({ facts }: Activity): boolean => facts['protocol'] !== 'tcp' || facts['action'] === 'deny';

/** When a router tells of a connection. */
const exportMs = (connection: Activity): number =>
  (isOver(connection) ? 0 : secondsOf(connection) * 1_000) +
  (isIdle(connection) ? IDLE_SECONDS * 1_000 : 0) +
  scanMs(connection.id);

/** Two rules: of one, the time of the second effect is twice that of the first. */
const recordOf = (is_back: boolean): CausalRule => ({
  isBackward: true,
  ...leadsTo(
    'flow_record',
    (connection) => exportMs(connection) + (is_back ? 0.2 : 0),
    0,
    (connection, world) => {
      const { at, facts } = connection;
      const seconds = secondsOf(connection);
      return {
        facts: flowFacts(connection, world, {
          is_back,
          began_at: isOver(connection) ? at - Math.round(seconds * MICROS_PER_SECOND) : at,
          milliseconds: Math.round(seconds * 1_000),
          bytes: facts[is_back ? 'bytes_in' : 'bytes_out'] as number,
          packets: facts[is_back ? 'packets_in' : 'packets_out'] as number,
          end: isIdle(connection) ? 'idle' : 'over',
          part: 0,
        }),
      };
    },
    (connection) =>
      !isRouted(connection) || isMetered(connection) || (is_back && connection.facts['action'] === 'deny')
        ? 0
        : 1,
  ),
});

/** Each direction of a connection has a record. Nobody answers what is refused. */
export const FLOW_RECORDS: readonly CausalRule[] = [recordOf(false), recordOf(true)];
