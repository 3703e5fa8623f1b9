import { type DrawSource, type KeyedDraws, weighted } from '../draw.js';
import { rememberAll } from '../remember.js';
import type { StaffMember, WorldSpec } from '../spec.js';
import type { HostRole, InternetAccess, OperatingSystem, Person, Site, WorldHost } from './entities.js';
import { FIRST_NAMES, JOB_TITLES, LAST_NAMES, UNTITLED } from './names.js';

/** Purposes of draws: no two draws of the same entity share one. */
export const WHY = { person: 1, host: 2, home: 3, outsider: 4 } as const;

/** Numbers of entities that are no people begin here. */
export const FIRST_SERVER = 0x1000_0000;
export const FIRST_OUTSIDER = 0x2000_0000;

/** Windows counts its own accounts below 1,000. */
const FIRST_RID = 1_104;

const WINDOWS_10 = {
  family: 'windows',
  name: 'Windows 10 Enterprise',
  version: '10.0.19045',
  kernel: '10.0.19041.5737',
} as const;
const WINDOWS_11 = {
  family: 'windows',
  name: 'Windows 11 Enterprise',
  version: '10.0.26100',
  kernel: '10.0.26100.3775',
} as const;
const WINDOWS_SERVER = {
  family: 'windows',
  name: 'Windows Server 2022 Datacenter',
  version: '10.0.20348',
  kernel: '10.0.20348.3561',
} as const;
const DEBIAN = {
  family: 'linux',
  name: 'Debian GNU/Linux',
  version: '12',
  kernel: '6.1.0-34-amd64',
} as const;

const desktops = weighted<OperatingSystem>([
  [70, WINDOWS_11],
  [30, WINDOWS_10],
]);

interface ServerRow {
  readonly role: HostRole;
  readonly prefix: string;
  readonly os: OperatingSystem;
  /** At least so many. */
  readonly least: number;
  /** One more for each so many people. */
  readonly people_each: number;
}

const row = (
  role: HostRole,
  prefix: string,
  os: OperatingSystem,
  least: number,
  people_each: number,
): ServerRow => ({
  ...{ role, prefix, os, least, people_each },
});

const SERVERS: readonly ServerRow[] = [
  row('domain_controller', 'DC', WINDOWS_SERVER, 2, 2_000),
  row('file_server', 'FS', WINDOWS_SERVER, 2, 500),
  row('mail_server', 'MX', DEBIAN, 1, 5_000),
  row('web_server', 'WEB', DEBIAN, 3, 1_000),
  row('application_server', 'APP', WINDOWS_SERVER, 3, 300),
  row('database_server', 'DB', DEBIAN, 2, 1_000),
  row('dns_server', 'NS', DEBIAN, 2, 5_000),
  row('proxy', 'PROXY', DEBIAN, 1, 5_000),
  row('vpn_gateway', 'VPN', DEBIAN, 1, 5_000),
  row('firewall', 'FW', DEBIAN, 1, 5_000),
  row('jump_host', 'JUMP', DEBIAN, 1, 2_000),
  row('build_server', 'CI', DEBIAN, 2, 1_000),
  row('kubernetes_node', 'K8S', DEBIAN, 3, 500),
];

const PROVIDERS: readonly (readonly [weight: number, item: readonly [name: string, as_number: number]])[] = [
  [5, ['Harbor Cable', 64500]],
  [4, ['Lakeside Fiber', 64501]],
  [3, ['Northwind Mobile', 64502]],
  [2, ['Quay Telecom', 64503]],
];
const providerAt = weighted(PROVIDERS);

const BROWSERS = weighted([
  [
    60,
    [
      'Chrome',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36',
    ],
  ],
  [
    28,
    [
      'Edge',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36 Edg/136.0.0.0',
    ],
  ],
  [12, ['Firefox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:138.0) Gecko/20100101 Firefox/138.0']],
] as const);

/** `10.a.b.c`, from a network and a number in it; `.0` and `.255` are left out. */
const inside = (network: number, number: number): string =>
  `10.${network + Math.floor(number / (254 * 254))}.${Math.floor(number / 254) % 254}.${(number % 254) + 1}`;

/** Networks of `inside`; the docs and the reader of staff name those of servers and the VPN. */
const SITE_NETWORKS = 20;
const SERVER_NETWORK = 10;
const VPN_NETWORK = 150;

/** From 198.18.0.0/15 (RFC 2544), which nobody has on the internet: 130,000 accesses. */
export const outsideAddress = (draws: KeyedDraws): string =>
  `198.${draws.integer(18, 19)}.${draws.integer(0, 255)}.${draws.integer(1, 254)}`;

/** Scanners of the internet, who come again and again: few of them do most of the work. Returns the number of an outsider. */
export const scannerNumber = (own: KeyedDraws): number => Math.floor(SCANNERS * own.next() ** 2);
const SCANNERS = 400;

/** Others see all machines of a site under one address of 192.0.2.0/24. */
export const siteAddress = (sites: readonly Site[], site: Site): string =>
  `192.0.2.${10 + sites.indexOf(site)}`;

const macOf = (draws: KeyedDraws): string =>
  `02-${(draws.hex(10).match(/../g) ?? []).join('-').toUpperCase()}`;

const uuidOf = (draws: KeyedDraws): string => {
  const hex = draws.hex(32);
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** Who and what a world has. Each is made at its first use and kept. */
export interface Population {
  /** Number of people, with the load. */
  readonly size: number;
  readonly sites: readonly Site[];
  readonly person: (number: number) => Person;
  readonly servers: readonly WorldHost[];
  readonly serversOf: (role: HostRole) => readonly WorldHost[];
  /** An access somewhere on the internet. `number` counts from 0. */
  readonly outsider: (number: number) => InternetAccess;
}

/** Places where people travel: numbers of outsiders. */
const PLACES = { first: 20_000, count: 160 };

/** From where somebody works who travels. */
export const accessAbroad = (
  { population }: Pick<WorldGround, 'population'>,
  own: KeyedDraws,
): InternetAccess => population.outsider(PLACES.first + own.integer(0, PLACES.count - 1));

/** Who is in a world, and the source of its draws. */
export interface WorldGround {
  readonly population: Population;
  readonly draws: DrawSource;
}

export const makePopulation = (spec: WorldSpec, draws: DrawSource): Population => {
  const { sites } = spec.organization;
  const size = Math.max(1, Math.round(spec.people * spec.load));
  const hostOf = hostMaker(spec, draws);
  const servers = serversFor(size, sites, hostOf);
  const byRole = new Map<HostRole, readonly WorldHost[]>();
  for (const host of servers) byRole.set(host.role, [...(byRole.get(host.role) ?? []), host]);
  return {
    size,
    sites,
    person: rememberAll(personMaker(spec, draws, size, hostOf)),
    servers,
    serversOf: (role) => byRole.get(role) ?? [],
    outsider: rememberAll((number) => {
      const own = draws.of(FIRST_OUTSIDER + number, 0, WHY.outsider);
      return accessOf(own, own.pick(CITIES));
    }),
  };
};

type MakeHost = (host: Pick<WorldHost, 'number' | 'name' | 'ip' | 'site' | 'role' | 'os'>) => WorldHost;

const hostMaker =
  ({ organization: { domain } }: WorldSpec, draws: DrawSource): MakeHost =>
  ({ number, name, ip, role, os, site }) => {
    const own = draws.of(number, 0, WHY.host);
    const fqdn = `${name.toLowerCase()}.${domain}`;
    return { number, name, fqdn, ip, mac: macOf(own), role, os, site, id: uuidOf(own) };
  };

const serversFor = (size: number, sites: readonly Site[], hostOf: MakeHost): readonly WorldHost[] =>
  SERVERS.flatMap(({ role, prefix, os, least, people_each }) =>
    Array.from({ length: least + Math.floor(size / people_each) }, (_, index) => {
      const name = `${prefix}-${String(index + 1).padStart(2, '0')}`;
      // Most are where most people are; the second of two is elsewhere.
      const site = sites[index === 1 ? 1 % sites.length : 0] as Site;
      return { role, os, site, name: os.family === 'windows' ? name : name.toLowerCase() };
    }),
  ).map((one, index) =>
    hostOf({ ...one, number: FIRST_SERVER + index, ip: inside(SERVER_NETWORK, 10 + index) }),
  );

const personMaker = (
  { organization: { sites, domain }, departments, staff }: WorldSpec,
  draws: DrawSource,
  size: number,
  hostOf: MakeHost,
): ((number: number) => Person) => {
  const siteAt = weighted(sites.map((site) => [site.weight, site] as const));
  const departmentAt = weighted(departments.map(({ name, weight }) => [weight, name] as const));
  /** Networks of a site: a /16 has addresses for 64,516 people. */
  const networks = Math.ceil(size / (254 * 254));
  // Too many sites for that share their networks: numbers of people are unique anyway.
  const haveOwnNetworks = SITE_NETWORKS + sites.length * networks <= VPN_NETWORK;
  const combinations = FIRST_NAMES.length * LAST_NAMES.length;
  // A step without a common divisor goes through all combinations before it repeats one.
  const step = coprimeTo(combinations, Math.floor(combinations * 0.618));
  const offset = draws.of(0, 0, WHY.person).integer(0, combinations - 1);
  const taken = new Set(staff.flatMap(({ user, email }) => [user.toLowerCase(), email?.toLowerCase() ?? '']));
  const isTaken = (user: string): boolean => taken.has(user) || taken.has(`${user}@${domain}`);
  const addresses = new Set(staff.map(({ ip }) => ip));
  /** Steps of `size` lead to no other person. */
  const freeAddress = (network: number, number: number): string => {
    const ip = inside(network, number);
    return addresses.has(ip) ? freeAddress(network, number + size) : ip;
  };
  return (number) => {
    const own = draws.of(number, 1, WHY.person);
    const combination = (offset + number * step) % combinations;
    const known = staff[number];
    const [first_name, last_name] = known === undefined ? madeNames(combination) : namesOf(known);
    const round = Math.floor(number / combinations);
    let user = known?.user ?? `${first_name}.${last_name}${round === 0 ? '' : round + 1}`.toLowerCase();
    while (known === undefined && isTaken(user)) user = `${user}.${number}`;
    const [drawnSite, drawnDepartment] = [siteAt(own.next()), departmentAt(own.next())];
    const site = sites.find(({ name }) => name === known?.site) ?? drawnSite;
    const department = known?.department ?? drawnDepartment;
    const [browser, user_agent] = BROWSERS(own.next());
    const network = SITE_NETWORKS + (haveOwnNetworks ? sites.indexOf(site) * networks : 0);
    const workstation = hostOf({
      ...{ number, site, role: 'workstation', os: desktops(own.next()) },
      name: known?.host ?? `WS-${String(number + 1).padStart(5, '0')}`,
      ip: known?.ip ?? freeAddress(network, number),
    });
    const drawnTitle = own.pick(JOB_TITLES[department] ?? UNTITLED);
    return {
      ...{ number, user, first_name, last_name, full_name: `${first_name} ${last_name}`.trim() },
      ...{ email: known?.email ?? `${user}@${domain}`, department, title: known?.title ?? drawnTitle },
      rid: FIRST_RID + number,
      is_admin: department === 'it',
      is_engineer: department === 'it' || department === 'engineering',
      ...{ site, workstation, home: accessOf(draws.of(number, 2, WHY.home), site) },
      vpn_ip: inside(VPN_NETWORK, number),
      ...{ user_agent, browser, pace: own.lognormal(1, 0.4) },
    };
  };
};

const madeNames = (combination: number): readonly [first: string, last: string] => [
  FIRST_NAMES[combination % FIRST_NAMES.length] ?? '',
  LAST_NAMES[Math.floor(combination / FIRST_NAMES.length)] ?? '',
];

/** Names that are not given are those in the user name. */
const namesOf = ({ user, first_name, last_name }: StaffMember): readonly [first: string, last: string] => {
  const [first = user, last = ''] = user
    .split(/[._-]+/)
    .map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`);
  return [first_name ?? first, last_name ?? (first_name === null ? last : '')];
};

const city = (name: string, country: string, latitude: number, longitude: number) => ({
  ...{ city: name, country, latitude, longitude },
});

const CITIES = [
  city('Lyon', 'FR', 45.76, 4.84),
  city('Porto', 'PT', 41.15, -8.61),
  city('Gdansk', 'PL', 54.35, 18.65),
  city('Toronto', 'CA', 43.65, -79.38),
  city('Denver', 'US', 39.74, -104.99),
  city('Osaka', 'JP', 34.69, 135.5),
  city('Pune', 'IN', 18.52, 73.86),
  city('Recife', 'BR', -8.05, -34.88),
  city('Perth', 'AU', -31.95, 115.86),
  city('Lagos', 'NG', 6.52, 3.38),
  city('Iasi', 'RO', 47.16, 27.59),
  city('Hanoi', 'VN', 21.03, 105.85),
];

/** About 15 km around a city. */
const SPREAD_DEGREES = 0.15;

const accessOf = (
  own: KeyedDraws,
  around: Pick<InternetAccess, 'city' | 'country' | 'latitude' | 'longitude'>,
): InternetAccess => {
  const [provider, as_number] = providerAt(own.next());
  const near = (degrees: number): number =>
    Math.round((degrees + (own.next() - 0.5) * 2 * SPREAD_DEGREES) * 10_000) / 10_000;
  return {
    ip: outsideAddress(own),
    city: around.city,
    country: around.country,
    latitude: near(around.latitude),
    longitude: near(around.longitude),
    provider,
    as_number,
  };
};

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

const coprimeTo = (total: number, from: number): number => {
  let step = Math.max(1, from);
  while (divisor(total, step) !== 1) step++;
  return step;
};
