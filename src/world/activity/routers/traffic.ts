import {
  MICROS_PER_DAY,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  type Micros,
} from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import type { HostRole, WorldHost } from '../../population/entities.js';
import { scannerNumber } from '../../population/population.js';
import { somePublicAddress } from '../edge.js';
import { clientPort } from '../rules/shared.js';
import type { Act, Scribe, Surroundings } from '../scribe.js';
import {
  borderRouter,
  IDLE_SECONDS,
  type RoutedFlow,
  recordFacts,
  scanMs,
  serverRouter,
  siteRouter,
} from './flows.js';

/** Purposes of draws of what passes the routers of itself. */
const WHY = { traffic: 492, line: 493 } as const;

/** Acts of routers that tell of connections have lower numbers. */
const FIRST_TRAFFIC_ACT = 2 ** 14;
/** Numbers of flows have so much beside 32 bits. */
const FLOW_STEP = 2 ** 12;

/** So many people have the devices and servers that the rates are for. */
const USUAL_PEOPLE = 200;
/** Flows a minute at all times, and those that come with the people who are at work. */
const FLOWS_PER_MINUTE = { steady: 190, office: 90 } as const;
/** Devices of a site: printers, phones, screens and cameras. They have a network of their own beside that of the people. */
const DEVICES_PER_SITE = 60;
const DEVICE_NETWORK = 200;

/** One end of a flow. */
interface FlowEnd {
  readonly ip: string;
  readonly zone: 'office' | 'servers' | 'outside' | 'public';
  /** The server, if it is one. */
  readonly host: WorldHost | null;
  /** Number of the site of a device, or a number that decides about the router. */
  readonly place: number;
}

type MakeEnd = (world: Surroundings, own: KeyedDraws) => FlowEnd;

const deviceAddress = (site: number, number: number): string => `10.${DEVICE_NETWORK}.${site}.${1 + number}`;

export const someDevice: MakeEnd = ({ population: { sites } }, own) => {
  const place = Math.floor(sites.length * own.next() ** 2);
  return {
    ...{ ip: deviceAddress(place, own.integer(0, DEVICES_PER_SITE - 1)), zone: 'office' },
    ...{ host: null, place },
  };
};

const asServer = (host: WorldHost): FlowEnd => ({
  ...{ ip: host.ip, zone: 'servers', host, place: host.number },
});

const anyServer: MakeEnd = ({ population }, own) => asServer(own.pick(population.servers));
const serverOf =
  (role: HostRole): MakeEnd =>
  ({ population }, own) =>
    asServer(own.pick(population.serversOf(role)));

/** Addresses of version 6: one network for each site and one for the servers, and any outside. */
const insideV6: MakeEnd = ({ population: { sites } }, own) => {
  const place = own.integer(0, sites.length - 1);
  return {
    ...{ ip: `2001:db8:${(place + 1).toString(16)}::${own.integer(0x1000, 0xffff).toString(16)}` },
    ...{ zone: 'office', host: null, place },
  };
};
const serverV6: MakeEnd = ({ population }, own) => {
  const host = own.pick(population.servers);
  const ip = `2001:db8:a::${(0x1000 + (host.number & 0xfff)).toString(16)}`;
  return { ip, zone: 'servers', host, place: host.number };
};
export const publicEndV6 = (own: KeyedDraws): FlowEnd => ({
  ...{ ip: `2001:db8:a::${own.integer(0x1000, 0x103f).toString(16)}`, zone: 'public', host: null },
  place: own.word(),
});
const publicV6: MakeEnd = (_, own) => publicEndV6(own);
const outsideV6: MakeEnd = (_, own) => {
  const place = own.integer(0, 0xfff);
  return {
    ...{ ip: `2001:db8:f${place.toString(16).padStart(3, '0')}::${own.integer(1, 0xffff).toString(16)}` },
    ...{ zone: 'outside', host: null, place },
  };
};
const scanner: MakeEnd = ({ population }, own) => ({
  ...{ ip: population.outsider(scannerNumber(own)).ip, zone: 'outside', host: null, place: own.word() },
});
export const publicEnd = (own: KeyedDraws): FlowEnd => ({
  ...{ ip: somePublicAddress(own), zone: 'public', host: null, place: own.word() },
});
const publicAddress: MakeEnd = (_, own) => publicEnd(own);

/** Medians and sigmas of lognormal bytes there and back, and of seconds. */
type Volume = readonly [
  out: number,
  sigma: number,
  back: number,
  sigma: number,
  seconds: number,
  sigma: number,
];

const PING: Volume = [250, 0.5, 250, 0.5, 1.2, 0.7];
const STRAY: Volume = [90, 0.4, 0, 0, 0.2, 1];
const TRIED: Volume = [52, 0.15, 40, 0, 0.001, 0.3];
const ASKED: Volume = [420, 0.6, 760, 0.7, 0.02, 1];
const CLOCK: Volume = [76, 0, 76, 0, 0.02, 1];
const SIGN_OF_LIFE: Volume = [1_050, 0.3, 900, 0.3, 0.1, 0.8];
const CALL: Volume = [2_300, 0.4, 2_100, 0.4, 2, 0.8];
const READING: Volume = [1_400, 0.4, 22_000, 0.8, 0.2, 0.8];
const PAGE: Volume = [3_600, 0.8, 40_000, 1.3, 3, 1.1];
const ANSWERS: Volume = [6_000, 1, 90_000, 1.2, 12, 0.9];
const DIRECTORY: Volume = [2_900, 0.6, 5_200, 0.7, 0.5, 1];
const FILES: Volume = [9_000, 1.3, 12_000, 1.2, 4, 1];
const COPY: Volume = [4_000_000, 1.6, 40_000, 1, 25, 0.9];
const CHANGES: Volume = [60_000, 1.2, 9_000, 1, 30, 0.8];
const PRINT: Volume = [300_000, 1.3, 1_800, 0.5, 6, 0.9];

/** What passes between two kinds of ends. */
interface TrafficRow {
  readonly from: MakeEnd;
  readonly to: MakeEnd;
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'ipv6-icmp';
  /** Ports of the other end; of ICMP, 256 times the type, and the code. */
  readonly ports: readonly number[];
  readonly volume: Volume;
  /** How the other end answers; routers at the border drop what is not let in. */
  readonly answer: 'yes' | 'reset' | 'none' | 'dropped';
}

const row = (
  [from, to]: readonly [MakeEnd, MakeEnd],
  protocol: TrafficRow['protocol'],
  ports: readonly number[],
  volume: Volume,
  answer: TrafficRow['answer'] = 'yes',
): TrafficRow => ({ from, to, protocol, ports, volume, answer });

const monitor = serverOf('application_server');
const finder = serverOf('jump_host');
const controller = serverOf('domain_controller');
const files = serverOf('file_server');
const database = serverOf('database_server');

/** ICMP: echo requests, and what routers say of packets that find no way. */
const ECHO = [8 * 256];
const LOST = [8 * 256, 11 * 256, 3 * 256 + 1, 3 * 256 + 3];
const ECHO_V6 = [128 * 256];
const TOO_BIG_V6 = [2 * 256];
const TRIED_PORTS = [22, 23, 80, 135, 445, 1_433, 3_306, 3_389, 8_080];

type Weighted = readonly (readonly [weight: number, row: TrafficRow])[];

/** The organization looks who is there, and for weak spots of its own. */
const SWEEPS: Weighted = [
  [12, row([monitor, someDevice], 'icmp', ECHO, PING)],
  [8, row([monitor, anyServer], 'icmp', ECHO, PING)],
  [8, row([monitor, someDevice], 'udp', [161], ASKED)],
  [9, row([finder, someDevice], 'tcp', TRIED_PORTS, TRIED, 'reset')],
  [7, row([finder, anyServer], 'tcp', TRIED_PORTS, TRIED, 'reset')],
];

/** Files are copied. */
const COPIES: Weighted = [
  [10, row([someDevice, files], 'tcp', [445], FILES)],
  [8, row([anyServer, files], 'tcp', [873, 445], COPY)],
  [6, row([database, anyServer], 'tcp', [5_432], CHANGES)],
];

/** Pings and strays of the internet at the border. */
const KNOCKS: Weighted = [
  [12, row([scanner, publicAddress], 'icmp', ECHO, PING)],
  [14, row([scanner, publicAddress], 'icmp', LOST, STRAY, 'dropped')],
];

/** The same with version 6, which the firewall leaves to the routers at the border. */
const KNOCKS_V6: Weighted = [
  [6, row([outsideV6, publicV6], 'ipv6-icmp', ECHO_V6, PING)],
  [14, row([outsideV6, publicV6], 'tcp', TRIED_PORTS, STRAY, 'dropped')],
  [9, row([outsideV6, publicV6], 'tcp', [443, 25], PAGE)],
];

const TRAFFIC = {
  sweeps: weighted(SWEEPS),
  copies: weighted(COPIES),
  knocks: weighted(KNOCKS),
  knocks_v6: weighted(KNOCKS_V6),
  /** All that passes at all times. */
  steady: weighted([
    ...SWEEPS,
    ...COPIES,
    ...KNOCKS,
    ...KNOCKS_V6,
    [10, row([serverV6, outsideV6], 'tcp', [443], PAGE)],
    [8, row([monitor, anyServer], 'tcp', [9_100, 443, 5_985], READING)],
    [9, row([someDevice, controller], 'udp', [123], CLOCK)],
    [18, row([someDevice, anyServer], 'udp', [5_060], SIGN_OF_LIFE)],
    [16, row([someDevice, anyServer], 'tcp', [443, 8_443], PAGE)],
    [7, row([someDevice, controller], 'tcp', [389], DIRECTORY)],
    [12, row([anyServer, controller], 'tcp', [389, 135], DIRECTORY)],
  ]),
  /** What comes with people at work. */
  office: weighted<TrafficRow>([
    [30, row([insideV6, outsideV6], 'tcp', [443], PAGE)],
    [16, row([insideV6, outsideV6], 'udp', [443], ANSWERS)],
    [3, row([outsideV6, insideV6], 'ipv6-icmp', TOO_BIG_V6, STRAY, 'none')],
    [14, row([someDevice, anyServer], 'udp', [5_060], CALL)],
    [9, row([anyServer, someDevice], 'tcp', [9_100, 631], PRINT)],
    [8, row([someDevice, files], 'tcp', [445], FILES)],
  ]),
} as const;

/** What a flow is about: an attack has an end of its own. */
export interface TrafficAim {
  readonly sort: keyof typeof TRAFFIC;
  readonly from?: FlowEnd;
  readonly to?: FlowEnd;
}

const edgeOf = (from: FlowEnd, to: FlowEnd): string =>
  from.zone === 'outside' ? 'in' : to.zone === 'outside' ? 'out' : 'none';

const BYTES_PER_PACKET = 900;
const packetsOf = (bytes: number): number => 1 + Math.ceil(bytes / BYTES_PER_PACKET);
/** Longer ones are told of again and again. */
const LONGEST_MS = 59_000;
/** Routers tell of the way back so many microseconds after the way there. */
const BACK_AFTER = 200;
const flowId = (own: KeyedDraws): number => own.word() * FLOW_STEP + (own.word() & (FLOW_STEP - 1));

/** Draws a flow, and hands on the record of each direction that a router counted; `at` is when it tells of the first. */
export const drawFlow = (
  world: Surroundings,
  own: KeyedDraws,
  at: Micros,
  { sort, from: givenFrom, to: givenTo }: TrafficAim,
  write: (act: Omit<Act, 'truth'>) => void,
): void => {
  const { from: makeFrom, to: makeTo, protocol, ports, volume, answer } = TRAFFIC[sort](own.next());
  const from = givenFrom ?? makeFrom(world, own);
  const to = givenTo ?? makeTo(world, own);
  const edge = edgeOf(from, to);
  const [out, outSigma, back, backSigma, length, lengthSigma] = volume;
  const isIdle = protocol !== 'tcp' || answer === 'dropped';
  const milliseconds = Math.min(LONGEST_MS, Math.round(own.lognormal(length, lengthSigma) * 1_000));
  const isIcmp = protocol === 'icmp' || protocol === 'ipv6-icmp';
  const { zone, place } = from;
  const flow: RoutedFlow = {
    id: flowId(own),
    ip: from.ip,
    port: isIcmp ? 0 : clientPort(own),
    to_ip: to.ip,
    to_port: own.pick(ports),
    protocol,
    application: 'not-applicable',
    action: answer === 'dropped' ? 'deny' : 'allow',
    zone,
    edge,
    is_reset: answer === 'reset',
  };
  const router =
    edge !== 'none'
      ? borderRouter(place + to.place)
      : zone === 'servers'
        ? serverRouter(place)
        : siteRouter(world, place, flow.port);
  const waited = isIdle ? IDLE_SECONDS * 1_000 : scanMs(flow.id);
  const began_at = at - Math.round((milliseconds + waited) * MICROS_PER_MS);
  const end = isIdle ? 'idle' : 'over';
  const tell = (is_back: boolean, median: number, sigma: number): void => {
    const bytes = Math.round(own.lognormal(median, sigma));
    const part = { is_back, began_at, milliseconds, bytes, packets: packetsOf(bytes), end, part: 0 } as const;
    const base = { kind: 'keep_network', person: null, host: from.host, session: null } as const;
    write({ ...base, at: is_back ? at + BACK_AFTER : at, facts: recordFacts(flow, router, part) });
  };
  tell(false, out, outSigma);
  if (answer === 'yes' || answer === 'reset') tell(true, back, backSigma);
};

/** Every other server sends what it logs over a connection that lasts for a day; routers tell of it once a minute. */
const lineMinute = (world: Surroundings, from: Micros, write: (act: Omit<Act, 'truth'>) => void): void => {
  const { population, draws } = world;
  const [to] = population.serversOf('application_server');
  for (const host of population.servers) {
    if (to === undefined || host === to || host.number % 2 === 0) continue;
    const offset = draws.of(host.number, 0, WHY.line).integer(0, MICROS_PER_DAY - 1);
    const since = Math.floor((from - offset) / MICROS_PER_DAY) * MICROS_PER_DAY + offset;
    const part = Math.ceil((from - since) / MICROS_PER_MINUTE);
    const at = since + part * MICROS_PER_MINUTE;
    const own = draws.of(host.number, since, WHY.line);
    const flow: RoutedFlow = {
      ...{ id: flowId(own), ip: host.ip, port: clientPort(own), to_ip: to.ip, to_port: 6_514 },
      ...{ protocol: 'tcp', application: 'not-applicable', action: 'allow', zone: 'servers', edge: 'none' },
      is_reset: false,
    };
    const minute = draws.of(host.number, at, WHY.line);
    for (const is_back of [false, true]) {
      const bytes = Math.round(minute.lognormal(is_back ? 1_300 : 30_000, 0.6));
      const facts = recordFacts(flow, serverRouter(host.number), {
        ...{ is_back, began_at: at - MICROS_PER_MINUTE, milliseconds: 60_000, bytes },
        ...{ packets: packetsOf(bytes), part: part - 1 },
        end: at + MICROS_PER_MINUTE > since + MICROS_PER_DAY ? 'over' : 'active',
      });
      const base = { kind: 'keep_network', person: null, host, session: null } as const;
      write({ ...base, at: is_back ? at + BACK_AFTER : at, facts });
    }
  }
};

/** Share of the people who are at work, from some of them. */
const ASKED_PEOPLE = 24;
const shareAtWork = ({ population, planAt }: Surroundings, own: KeyedDraws, at: Micros): number => {
  let working = 0;
  for (let asked = 0; asked < ASKED_PEOPLE; asked++) {
    const plan = planAt(population.person(own.integer(0, population.size - 1)), at);
    if (plan !== null && at >= plan.span[0] && at < plan.span[1]) working++;
  }
  return working / ASKED_PEOPLE;
};

/** Whether a flow is one of those that come with people, in the shares of that time. */
export const sortsAt = (world: Surroundings, own: KeyedDraws, at: Micros): (() => 'steady' | 'office') => {
  const office = FLOWS_PER_MINUTE.office * shareAtWork(world, own, at);
  return () => (own.next() * (FLOWS_PER_MINUTE.steady + office) < office ? 'office' : 'steady');
};

/** Writes what passes the routers of itself in a minute in which a share of the people is at work. */
export const trafficMinute = (scribe: Scribe, world: Surroundings, atWork: number, from: Micros): void => {
  if (!scribe.isWanted('keep_network')) return;
  scribe.from('routers', FIRST_TRAFFIC_ACT);
  const own = world.draws.of(0, from, WHY.traffic);
  const scale = world.population.size / USUAL_PEOPLE;
  const write = (act: Omit<Act, 'truth'>): void => scribe.act({ ...act, truth: null });
  lineMinute(world, from, write);
  for (const [sort, rate] of [
    ['steady', FLOWS_PER_MINUTE.steady],
    ['office', FLOWS_PER_MINUTE.office * atWork],
  ] as const)
    for (let count = own.poisson(rate * scale); count > 0; count--)
      drawFlow(world, own, from + Math.floor(own.next() * MICROS_PER_MINUTE), { sort }, write);
};
