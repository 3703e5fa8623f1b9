import type { KeyedDraws } from '../../draw.js';
import { weighted } from '../../draw.js';
import type { WorldHost } from '../../population/entities.js';
import type { Activity } from '../kinds.js';
import { addressOfName } from '../nameAddress.js';
import { FLOW_RECORDS, LONGEST_SECONDS } from '../routers/flows.js';
import type { CausalRule, CausalRules, Surroundings } from '../scribe.js';
import { fact, flow, fromOutside, leadsTo } from './shared.js';

/** A rule whose effects are numbered apart, so that it can join without a change of those that were there. */
export const apart = (rule: CausalRule): CausalRule => ({ ...rule, isApart: true });

const END_REASONS = weighted([
  [70, 'tcp-fin'],
  [18, 'aged-out'],
  [7, 'tcp-rst-from-client'],
  [5, 'tcp-rst-from-server'],
] as const);

/** Connections that the firewall at the edge lets through. */
const isLetThrough = ({ facts }: Activity): boolean =>
  facts['edge'] !== 'none' && facts['action'] === 'allow';

/** A share of the connections, always the same ones; each `salt` has its own. */
const isOneOf = ({ facts }: Activity, salt: number, share: number): boolean =>
  (Math.imul((facts['flow_id'] as number) ^ salt, 0x9e37_79b1) >>> 0) / 2 ** 32 < share;

/** What a firewall finds in a connection and writes down. Web pages and files come from inside only. */
const contentsIn = (cause: Activity): readonly string[] => {
  if (!isLetThrough(cause)) return [];
  const { edge, to_port, application } = cause.facts;
  const isOut = edge === 'out';
  const isWeb = isOut && to_port === 443 && application === 'ssl';
  const found: string[] = [];
  if (isWeb && isOneOf(cause, 0x51ab, 0.62)) found.push('page');
  if (isOut && isOneOf(cause, 0x2f07, 0.2)) found.push('translation');
  if (isWeb && isOneOf(cause, 0x7c31, 0.1)) found.push('file');
  if (isOneOf(cause, 0x1d95, 0.08)) found.push('signature');
  return found;
};

/** The same; a rule asks several times in a row for one connection. */
const contentsOf = (cause: Activity): readonly string[] => {
  if (cause !== lastLooked) [lastLooked, lastContents] = [cause, contentsIn(cause)];
  return lastContents;
};
let lastLooked: Activity | null = null;
let lastContents: readonly string[] = [];

const secondsOf = ({ facts }: Activity): number => facts['seconds'] as number;

const isLong = (cause: Activity): boolean => secondsOf(cause) >= LONGEST_SECONDS;

/** What is found is spread evenly over a connection. One that is long was told when it was over. */
const msBetween = (cause: Activity): number =>
  isLong(cause) ? 0.1 : (800 * secondsOf(cause)) / (contentsOf(cause).length + 1);

/** What a firewall at the edge tells of the connections that it lets through. */
export const EDGE_RULES: CausalRules = {
  connection: [
    apart(
      leadsTo(
        'inspection',
        msBetween,
        0,
        (cause, _, __, index) => ({
          facts: {
            ...cause.facts,
            what: contentsOf(cause)[index] ?? '',
            age_seconds: isLong(cause) ? secondsOf(cause) : (msBetween(cause) * (index + 1)) / 1_000,
          },
        }),
        (cause) => contentsOf(cause).length,
      ),
    ),
    apart(
      leadsTo(
        'connection_end',
        (cause) => (isLong(cause) ? 1 : secondsOf(cause) * 1_000),
        0,
        (cause, _, own) => ({
          facts: {
            ...cause.facts,
            reason: cause.facts['protocol'] === 'tcp' ? END_REASONS(own.next()) : 'aged-out',
          },
        }),
        (cause) => (isLetThrough(cause) ? 1 : 0),
      ),
    ),
    ...FLOW_RECORDS,
  ],
  try_outside: [
    leadsTo('connection', 3, 0.5, (cause, world, own) => {
      const { facts } = flow(cause, world, own, {
        to: null,
        to_ip: fact<string>(cause, 'to_ip'),
        to_port: fact<number>(cause, 'port'),
        to_name: fact<string>(cause, 'name'),
        to_zone: 'outside',
        protocol: fact<'tcp' | 'udp'>(cause, 'protocol'),
        application: 'not-applicable',
        action: 'deny',
        bytes_out: own.pick(FIRST_PACKETS),
        bytes_in: 0,
        seconds: 0,
      });
      // Only the firewall sees what it refuses: to the host, nobody answers.
      return { host: null, facts: { ...facts, from: cause.host, packets_out: 1 } };
    }),
  ],
};

/** Sizes of a first packet. */
const FIRST_PACKETS = [40, 44, 60, 64, 74];

interface Incoming {
  readonly server: WorldHost;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  readonly application: string;
  readonly bytes: readonly [out: number, back: number];
  readonly seconds: number;
}

/** Somebody outside connects to a server that is published. */
const incoming = (cause: Activity, world: Surroundings, own: KeyedDraws, given: Incoming) => {
  const { server, port, protocol, application, bytes, seconds } = given;
  const { facts } = flow(cause, world, own, {
    to: server,
    to_ip: server.ip,
    to_port: port,
    to_name: server.fqdn,
    to_zone: 'servers',
    protocol,
    application,
    bytes_out: bytes[0],
    bytes_in: bytes[1],
    seconds,
  });
  return {
    person: null,
    host: world.population.serversOf('firewall')[0] ?? null,
    facts: fromOutside(facts, own, fact<string>(cause, 'ip')),
  };
};

const serverOf = ({ population }: Surroundings, role: WorldHost['role']): WorldHost =>
  population.serversOf(role)[0] as WorldHost;

/** A mail server outside brings a message. */
export const INCOMING_MAIL = apart(
  leadsTo('connection', 90, 0.6, (cause, world, own) =>
    incoming(cause, world, own, {
      ...{ server: serverOf(world, 'mail_server'), port: 25, protocol: 'tcp', application: 'smtp' },
      bytes: [fact<number>(cause, 'bytes') * 1.1 + 900, own.lognormal(1_100, 0.2)],
      seconds: Math.min(40, own.lognormal(1.6, 0.8)),
    }),
  ),
);

const isToOutside = ({ facts, person }: Activity): boolean =>
  facts['direction'] === 'outbound' &&
  person !== null &&
  String(facts['to']).split('@')[1] !== person.email.split('@')[1];

/** The mail server brings a message to one outside. */
export const OUTGOING_MAIL = apart(
  leadsTo(
    'connection',
    400,
    0.6,
    (cause, world, own) => {
      const domain = String(cause.facts['to']).split('@')[1] ?? '';
      return {
        person: null,
        ...flow({ ...cause, person: null }, world, own, {
          ...{
            to: null,
            to_ip: addressOfName(world, `mx1.${domain}`),
            to_port: 25,
            to_name: `mx1.${domain}`,
          },
          ...{ to_zone: 'outside', protocol: 'tcp', application: 'smtp' },
          bytes_out: fact<number>(cause, 'bytes') * 1.1 + 900,
          bytes_in: own.lognormal(1_100, 0.2),
          seconds: Math.min(40, own.lognormal(1.6, 0.8)),
        }),
      };
    },
    (cause) => (isToOutside(cause) ? 1 : 0),
  ),
);

/** A client of the VPN gives a user name and a password, each time over a connection of its own. */
export const CLIENT_CONNECTION = apart(
  leadsTo(
    'connection',
    2_500,
    0.3,
    (cause, world, own) =>
      incoming(cause, world, own, {
        ...{ server: serverOf(world, 'vpn_gateway'), port: 443, protocol: 'tcp', application: 'ssl-vpn' },
        bytes: [own.lognormal(3_200, 0.2), own.lognormal(7_800, 0.2)],
        seconds: Math.min(10, own.lognormal(1.4, 0.5)),
      }),
    ({ facts }) =>
      Math.min(MOST_CONNECTIONS, (facts['tries'] as number) - (facts['is_refused'] === true ? 1 : 0)),
  ),
);
/** Of one act, there are numbers for so many. */
const MOST_CONNECTIONS = 10;

/** The firewall counts the bytes of a tunnel with what its encryption adds. */
const TUNNEL_FACTOR = 1.08;

/** The tunnel of a VPN session, told when it is over. */
export const TUNNEL = apart(
  leadsTo('connection', 5, 0.5, (cause, world, own) =>
    incoming(cause, world, own, {
      ...{
        server: serverOf(world, 'vpn_gateway'),
        port: 4_500,
        protocol: 'udp',
        application: 'ipsec-esp-udp',
      },
      bytes: [
        fact<number>(cause, 'bytes_out') * TUNNEL_FACTOR,
        fact<number>(cause, 'bytes_in') * TUNNEL_FACTOR,
      ],
      seconds: fact<number>(cause, 'seconds'),
    }),
  ),
);
