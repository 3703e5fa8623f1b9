import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { type KeyedDraws, textNumber, weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { outsideAddress } from '../population/population.js';
import type { ActivityFacts } from './kinds.js';
import {
  BLOCKED_NAMES,
  DIRECTORY_SERVICES,
  EDGE_ZONES,
  HOSTED_ZONES,
  NAME_WORDS,
  REPUTATION_ZONES,
} from './names.js';
import type { Scribe, Surroundings } from './scribe.js';
import { SITES } from './sites.js';

/** Purposes of draws of names. */
const WHY = { lookup: 52, record: 53, count: 54, load: 473 } as const;

const TTLS = [60, 120, 300, 300, 600, 1800, 3600];
const UNSIGNED_SHARE = 0.7;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const drawsOf = ({ draws }: Pick<Surroundings, 'draws'>, name: string): KeyedDraws =>
  draws.of(textNumber(name, 33), 0, WHY.record);

/** What the internet has for a name and type. `first` is the address that its user then goes to. */
export const addressRecords = (
  world: Pick<Surroundings, 'draws'>,
  name: string,
  type: string,
  first: string | null = null,
): { readonly answers: readonly string[]; readonly ttl: number; readonly is_signed: boolean } => {
  const own = drawsOf(world, name);
  const ttl = own.pick(TTLS);
  const is_signed = !drawsOf(world, name.split('.').slice(-2).join('.')).chance(UNSIGNED_SHARE);
  const many = own.pick([1, 1, 1, 2, 2, 3]);
  const each = (make: () => string): readonly string[] => Array.from({ length: many }, make);
  switch (type) {
    case 'A': {
      const all = each(() => outsideAddress(own));
      return { answers: first === null ? all : [first, ...all.slice(1)], ttl, is_signed };
    }
    case 'AAAA': {
      const network = own.hex(4);
      return {
        answers: each(() => `2001:db8:${network}::${own.integer(1, 0xffff).toString(16)}`),
        ttl,
        is_signed,
      };
    }
    case 'MX':
      return { answers: [`10 mx1.${name}.`], ttl: 3600, is_signed };
    case 'CAA':
      return { answers: ['0 issue "cert-house.example"'], ttl: 3600, is_signed };
    case 'HTTPS':
      return { answers: ['1 . alpn="h2,h3"'], ttl, is_signed };
    default:
      return { answers: [`v=1; id=${own.hex(own.integer(4, 24))}`], ttl, is_signed };
  }
};

const RECURSION = { by: 'recursion', policy: null, zone: null, is_suffixed: false } as const;

/** A name that exists. */
export const knownName = (world: Surroundings, name: string, type: string): ActivityFacts => ({
  ...{ ...RECURSION, name, type, status: 'NOERROR' },
  ...addressRecords(world, name, type),
});

/** A name that does not exist. Of some programs, the system then tries it below the domain of the organization. */
export const missingName = (
  world: Surroundings,
  own: KeyedDraws,
  name: string,
  type: string,
): ActivityFacts => ({
  ...{ ...RECURSION, name, type, status: 'NXDOMAIN', answers: [] },
  ...{ ttl: own.pick([60, 300, 300, 900, 3600]), is_signed: addressRecords(world, name, type).is_signed },
  is_suffixed: own.chance(0.5),
});

/** A name of a zone that the resolvers of the organization hold themselves. */
const zoneName = (
  zone: string,
  name: string,
  type: string,
  answers: readonly string[],
  ttl = 1200,
): ActivityFacts => ({
  ...{ by: 'zone', policy: null, is_suffixed: false, is_signed: false, zone, name, type, answers, ttl },
  status: answers.length === 0 ? 'NXDOMAIN' : 'NOERROR',
});

/** That a name is not found in the domain of the organization. */
export const suffixedFacts = (cause: ActivityFacts, domain: string): ActivityFacts =>
  zoneName(domain, `${String(cause['name'])}.${domain}`, String(cause['type']), []);

export const randomLetters = (own: KeyedDraws, from: number, to: number): string =>
  Array.from({ length: own.integer(from, to) }, () => LETTERS[own.integer(0, 25)]).join('');

/** Hexadecimal labels, as long names in several. */
export const hexName = (own: KeyedDraws, median: number, sigma: number): string => {
  const text = own.hex(Math.min(96, Math.max(5, Math.round(own.lognormal(median, sigma)))));
  return text.length <= 40 ? text : `${text.slice(0, 32)}.${text.slice(32)}`;
};

const HOST_TYPES = weighted([
  [62, 'A'],
  [22, 'AAAA'],
  [16, 'HTTPS'],
] as const);
export const hostType = (own: KeyedDraws): string => HOST_TYPES(own.next());
export const reputationType = (own: KeyedDraws): string => (own.chance(0.6) ? 'TXT' : 'A');

const SHARED_EDGES = 240;
const SHARED_EDGE_SHARE = 0.4;
/** A host of a network for content that many come back to. */
export const sharedEdge = ({ draws }: Pick<Surroundings, 'draws'>, own: KeyedDraws): string => {
  const fixed = draws.of(own.integer(0, SHARED_EDGES - 1), 1, WHY.record);
  return `${hexName(fixed, 20, 0.7)}.${fixed.pick(EDGE_ZONES)}`;
};

const words = (own: KeyedDraws): string => `${own.pick(NAME_WORDS)}-${own.pick(NAME_WORDS)}`;
/** A name of a small site. */
export const smallName = (own: KeyedDraws): string =>
  own.chance(0.4)
    ? `${words(own)}.${own.pick(HOSTED_ZONES)}`
    : own.chance(0.5)
      ? `${words(own)}.example`
      : `www.${words(own)}.example`;

const reversed = (ip: string): string => ip.split('.').toReversed().join('.');
const blockedAt = weighted(BLOCKED_NAMES);
const serviceAt = weighted(DIRECTORY_SERVICES);
const siteAt = weighted(SITES);

/** What a program wants to know from the resolver. */
export type LookUpPurpose =
  | 'edge'
  | 'reputation'
  | 'small'
  | 'gone'
  | 'guess'
  | 'service'
  | 'reverse'
  | 'blocked'
  | 'failure'
  | 'mail'
  | 'sender';

const ON_DESKS = weighted<LookUpPurpose>([
  [40, 'edge'],
  [16, 'reputation'],
  [11, 'small'],
  [25, 'gone'],
  [4, 'guess'],
  [4, 'service'],
  [3, 'reverse'],
  [5, 'blocked'],
  [3, 'failure'],
]);
const ON_SERVERS = weighted<LookUpPurpose>([
  [34, 'edge'],
  [16, 'reputation'],
  [5, 'gone'],
  [18, 'service'],
  [24, 'reverse'],
  [3, 'failure'],
]);
const ON_MAIL_SERVERS = weighted<LookUpPurpose>([
  [40, 'mail'],
  [40, 'sender'],
  [16, 'reverse'],
  [4, 'failure'],
]);

/** What programs of a host want to know, as often as they do. */
export const purposesOf = ({ role }: WorldHost): ((share: number) => LookUpPurpose) => {
  if (role === 'workstation') return ON_DESKS;
  return role === 'mail_server' ? ON_MAIL_SERVERS : ON_SERVERS;
};

export const lookUpFacts = (
  purpose: LookUpPurpose,
  own: KeyedDraws,
  world: Surroundings,
  host: WorldHost,
): ActivityFacts => {
  const { population, spec } = world;
  const { domain } = spec.organization;
  switch (purpose) {
    case 'edge': {
      const name = own.chance(SHARED_EDGE_SHARE)
        ? sharedEdge(world, own)
        : `${hexName(own, 20, 0.7)}.${own.pick(EDGE_ZONES)}`;
      return knownName(world, name, hostType(own));
    }
    case 'reputation': {
      const name = `${hexName(own, 32, 0.5)}.${own.pick(REPUTATION_ZONES)}`;
      const type = reputationType(own);
      return own.chance(0.55) ? knownName(world, name, type) : missingName(world, own, name, type);
    }
    case 'small':
      return knownName(world, smallName(own), hostType(own));
    case 'gone':
      return missingName(world, own, smallName(own), hostType(own));
    case 'guess':
      return zoneName(domain, `${own.chance(0.25) ? 'wpad' : randomLetters(own, 7, 15)}.${domain}`, 'A', []);
    case 'service': {
      const [label, port] = serviceAt(own.next());
      const controllers = population.serversOf('domain_controller');
      const answers = controllers.map(({ fqdn }) => `0 100 ${port} ${fqdn}.`);
      return zoneName(domain, `${label}.${host.site.name}._sites.${domain}`, 'SRV', answers, 600);
    }
    case 'reverse': {
      const person = population.person(own.integer(0, population.size - 1));
      const { ip, fqdn } = person.workstation;
      const name = `${reversed(ip)}.in-addr.arpa`;
      const zone = `${reversed(ip.split('.').slice(0, 2).join('.'))}.in-addr.arpa`;
      return zoneName(zone, name, 'PTR', own.chance(0.86) ? [fqdn] : []);
    }
    case 'blocked': {
      const [name, policy, answer] = blockedAt(own.next());
      return {
        ...{ ...RECURSION, by: 'policy', name, type: own.chance(0.8) ? 'A' : 'HTTPS', policy, ttl: 30 },
        status: answer === 'nxdomain' ? 'NXDOMAIN' : 'NOERROR',
        ...{ answers: answer === 'sinkhole' ? ['0.0.0.0'] : [], is_signed: false },
      };
    }
    case 'failure': {
      const name = own.chance(0.5) ? siteAt(own.next()) : smallName(own);
      const facts = { ...RECURSION, name, type: hostType(own), ttl: 0, is_signed: false };
      return { ...facts, by: 'failure', status: 'SERVFAIL', answers: [] };
    }
    case 'mail': {
      const type = own.pick(['MX', 'MX', 'TXT', 'TXT', 'CAA']);
      const name = `customer-${own.integer(1, 900)}.example`;
      return knownName(world, type === 'TXT' && own.chance(0.5) ? `_dmarc.${name}` : name, type);
    }
    case 'sender': {
      const name = `${reversed(population.outsider(1_000 + own.integer(1, 900)).ip)}.list.block-house.example`;
      return own.chance(0.25) ? knownName(world, name, 'A') : missingName(world, own, name, 'A');
    }
  }
};

/** What a program of a workstation or a server looks up. */
export const lookUpOf = (own: KeyedDraws, world: Surroundings, host: WorldHost): ActivityFacts =>
  lookUpFacts(purposesOf(host)(own.next()), own, world, host);

/** What programs of a machine look up, a minute: of a workstation while its person works, of a server, of a mail server. */
export const LOOK_UPS_PER_MINUTE = { desk: 0.62, server: 0.15, mail: 4 } as const;

/** Writes what programs look up without anybody opening a page. `user` is who works at a workstation. */
export const lookUpMinute = (
  scribe: Scribe,
  world: Surroundings,
  host: WorldHost,
  user: Person | null,
  from: Micros,
): void => {
  if (!scribe.isWanted('look_up')) return;
  scribe.from('lookups');
  const own = world.draws.of(host.number, from, WHY.lookup);
  const isMail = host.role === 'mail_server';
  const purposeAt = purposesOf(host);
  const count = own.poisson(
    user !== null
      ? LOOK_UPS_PER_MINUTE.desk * user.pace
      : isMail
        ? LOOK_UPS_PER_MINUTE.mail
        : LOOK_UPS_PER_MINUTE.server,
  );
  for (let index = 0; index < count; index++) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const facts = lookUpFacts(purposeAt(own.next()), own, world, host);
    if (user !== null && world.addressOf(user, at) === null) continue;
    scribe.act({ person: user, host, session: null, kind: 'look_up', at, facts, truth: null });
  }
};

/** Devices that write down once a minute how they are. */
const DEVICE_ROLES = ['firewall', 'vpn_gateway'] as const;

/** Each resolver writes its counters about once in five minutes, each device of the network once in a minute. */
export const countMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  scribe.from('counters');
  for (const host of world.population.serversOf('dns_server')) {
    const own = world.draws.of(host.number, from, WHY.count);
    if (!own.chance(0.2)) continue;
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const facts = { cpu: Math.round(own.lognormal(140, 0.3)) / 10, pending: own.poisson(0.6) };
    scribe.act({ person: null, host, session: null, kind: 'count_queries', at, facts, truth: null });
  }
  if (!scribe.isWanted('report_load')) return;
  for (const host of DEVICE_ROLES.flatMap((role) => world.population.serversOf(role))) {
    const at = from + Math.floor(world.draws.of(host.number, from, WHY.load).next() * MICROS_PER_MINUTE);
    scribe.act({ person: null, host, session: null, kind: 'report_load', at, facts: {}, truth: null });
  }
};
