import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import type { WorldSpec } from '../spec.js';
import type { ActivityFacts } from './kinds.js';
import { addressOfName } from './nameAddress.js';
import type { Scribe, Surroundings } from './scribe.js';
import { SITES } from './sites.js';

/** Purposes of draws at the edge of the organization. */
const WHY = { probe: 49, refused: 470 } as const;

/** What outsiders try. */
const PROBED = weighted<{ readonly port: number; readonly protocol: 'tcp' | 'udp' }>([
  ...(
    [
      ...([
        [20, 23],
        [18, 22],
        [16, 445],
        [15, 3389],
        [9, 8080],
        [8, 80],
        [8, 1433],
        [7, 6379],
      ] as const),
      ...([
        [7, 3306],
        [7, 5900],
        [6, 443],
        [6, 135],
        [5, 139],
        [5, 5432],
        [5, 8443],
        [4, 2375],
      ] as const),
      ...([
        [4, 21],
        [4, 25],
        [4, 389],
        [4, 9200],
        [4, 27017],
        [3, 5985],
        [3, 111],
        [3, 110],
      ] as const),
      ...([
        [3, 1521],
        [2, 143],
        [2, 502],
        [2, 873],
        [2, 1723],
        [2, 2049],
        [2, 11211],
        [1, 993],
      ] as const),
    ] as const
  ).map(([weight, port]) => [weight, { port, protocol: 'tcp' }] as const),
  ...(
    [
      [6, 5060],
      [5, 161],
      [4, 1900],
      [3, 123],
      [3, 53],
    ] as const
  ).map(([weight, port]) => [weight, { port, protocol: 'udp' }] as const),
]);

/** What programs inside try, and may not: the firewall wants mail and names to go through servers, and no remote logons. */
const REFUSED = weighted([
  [24, { port: 53, protocol: 'udp' }],
  [18, { port: 25, protocol: 'tcp' }],
  [16, { port: 445, protocol: 'tcp' }],
  [12, { port: 123, protocol: 'udp' }],
  [10, { port: 22, protocol: 'tcp' }],
  [8, { port: 8080, protocol: 'tcp' }],
  [6, { port: 6881, protocol: 'tcp' }],
  [6, { port: 21, protocol: 'tcp' }],
] as const);

const siteAt = weighted(SITES);

/** Addresses that the organization has on the internet. */
const PUBLIC_ADDRESSES = 128;
export const probesPerMinute = ({ probes_per_hour }: WorldSpec): number =>
  (probes_per_hour * PUBLIC_ADDRESSES) / 60;
const publicAddressAt = (number: number): string => `192.0.2.${number}`;

/** Refused tries a minute of a workstation in use at the office, and of a server. */
export const REFUSED_PER_MINUTE = { workstation: 0.12, server: 0.05 } as const;

export const probeFacts = (own: KeyedDraws, ip: string, to_ip: string): ActivityFacts => {
  const { port, protocol } = PROBED(own.next());
  return { ip, to_ip, port, protocol };
};

export const somePublicAddress = (own: KeyedDraws): string =>
  publicAddressAt(own.integer(1, PUBLIC_ADDRESSES));

export const refusedFacts = (world: Surroundings, own: KeyedDraws): ActivityFacts => {
  const name = siteAt(own.next());
  return { name, to_ip: addressOfName(world, name), ...REFUSED(own.next()) };
};

/** Writes the probes of the public addresses in a minute. */
export const probeMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  if (!scribe.isWanted('probe')) return;
  const { spec, population } = world;
  scribe.from('probes');
  const probes = world.draws.of(0, from, WHY.probe);
  const count = probes.poisson(probesPerMinute(spec));
  for (let index = 0; index < count; index++) {
    const at = from + Math.floor(probes.next() * MICROS_PER_MINUTE);
    const { ip } = population.outsider(scannerNumber(probes));
    const facts = probeFacts(probes, ip, somePublicAddress(probes));
    scribe.act({ person: null, host: null, session: null, kind: 'probe', at, facts, truth: null });
  }
};

/** Writes what a host tries in a minute and may not; `person` is who works at a workstation. */
export const refusedMinute = (
  scribe: Scribe,
  world: Surroundings,
  host: WorldHost,
  person: Person | null,
  from: Micros,
): void => {
  const own = world.draws.of(host.number, from, WHY.refused);
  const rate = person === null ? REFUSED_PER_MINUTE.server : REFUSED_PER_MINUTE.workstation;
  for (let count = own.poisson(rate); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const facts = refusedFacts(world, own);
    // What is at home does not pass the firewall.
    if (person !== null && world.addressOf(person, at)?.zone !== 'office') continue;
    scribe.act({ person, host, session: null, kind: 'try_outside', at, facts, truth: null });
  }
};
