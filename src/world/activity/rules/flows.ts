import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import type { Activity, ActivityFacts } from '../kinds.js';
import type { CausalRule, Surroundings } from '../scribe.js';
import { leadsTo } from './shared.js';

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

/** Routers of each site for its workstations, and those for servers and the VPN. */
const ROUTERS = { site: 4, servers: 2 } as const;
const SERVERS_NETWORK = 254;

const routerFacts = (place: string, network: number, number: number): ActivityFacts => ({
  router: `rt-${place}-${number + 1}`,
  router_ip: `10.255.${network}.${number + 1}`,
});

/** All routers inside. */
export const routersOf = ({ population: { sites } }: Surroundings): readonly ActivityFacts[] => [
  ...sites.flatMap(({ name }, network) =>
    Array.from({ length: ROUTERS.site }, (_, number) => routerFacts(name, network, number)),
  ),
  ...Array.from({ length: ROUTERS.servers }, (_, number) => routerFacts('dc', SERVERS_NETWORK, number)),
];

/** Who tells of a connection: the firewall at the edge, or the router that is next to where it comes from. */
const exporterOf = ({ facts, host }: Activity, { population }: Surroundings): ActivityFacts => {
  if (facts['edge'] !== 'none') {
    const [firewall] = population.serversOf('firewall');
    return { router: firewall?.name ?? '', router_ip: firewall?.ip ?? '' };
  }
  const number = host?.number ?? 0;
  if (facts['zone'] !== 'office' || host === null)
    return routerFacts('dc', SERVERS_NETWORK, number % ROUTERS.servers);
  return routerFacts(host.site.name, population.sites.indexOf(host.site), number % ROUTERS.site);
};

/** What a router counted of one direction of a connection since its last record. */
export interface FlowPart {
  readonly is_back: boolean;
  readonly began_at: Micros;
  readonly seconds: number;
  readonly bytes: number;
  readonly packets: number;
  /** Why the router tells: it saw the end, no packet came any more, or the connection lasts. */
  readonly end: 'over' | 'idle' | 'active';
  /** Number of the record, from 0. */
  readonly part: number;
}

export const flowFacts = (connection: Activity, world: Surroundings, part: FlowPart): ActivityFacts => {
  const { id, facts } = connection;
  const { router, router_ip } = exporterOf(connection, world);
  // Named one by one: V8 makes a literal many times faster than one that spreads others.
  return {
    connection: id,
    ip: facts['ip'] as string,
    port: facts['port'] as number,
    to_ip: facts['to_ip'] as string,
    to_port: facts['to_port'] as number,
    protocol: facts['protocol'] as string,
    application: facts['application'] as string,
    action: facts['action'] as string,
    zone: facts['zone'] as string,
    edge: facts['edge'] as string,
    is_back: part.is_back,
    began_at: part.began_at,
    seconds: part.seconds,
    bytes: part.bytes,
    packets: part.packets,
    end: part.end,
    part: part.part,
    router: router as string,
    router_ip: router_ip as string,
  };
};

/** Routers look for what is over once a second. */
export const scanMs = (id: number): number =>
  1 + ((Math.imul(id ^ 0x5f1d, 0x9e37_79b1) >>> 0) / 2 ** 32) * 998;

/** TCP says that it is over. Of all else, no packet comes for so long. */
const IDLE_MS = 15_000;
const isIdle = ({ facts }: Activity): boolean => facts['protocol'] !== 'tcp' || facts['action'] === 'deny';

/** When a router tells of a connection. */
const exportMs = (connection: Activity): number =>
  (isOver(connection) ? 0 : secondsOf(connection) * 1_000) +
  (isIdle(connection) ? IDLE_MS : 0) +
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
          seconds,
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
