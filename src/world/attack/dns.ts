import { MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import {
  hexName,
  hostType,
  knownName,
  missingName,
  randomLetters,
  reputationType,
  sharedEdge,
  smallName,
} from '../activity/lookups.js';
import { EDGE_ZONES, HOSTED_ZONES, REPUTATION_ZONES } from '../activity/names.js';
import type { KeyedDraws } from '../draw.js';
import type { WorldHost } from '../population/entities.js';
import { ASKING, type Asker, askAsUsual, askResolver } from './resolver.js';
import type { CampaignScene, Recipe } from './scene.js';

/** Share of the names of networks for content that are none of the attack, since many ask for them. */
const SHARED_SHARE = 0.25;
/** Share of the answers by which the attacker says that there is something to do. */
const ORDER_SHARE = 0.55;
/** Share of the questions at which malware tries names instead of what the host asks, and of those that exist. */
const TRY_SHARE = 0.25;
const FOUND_SHARE = 0.3;

const randomName = (own: KeyedDraws): string => {
  const label = randomLetters(own, 8, 19);
  if (own.chance(0.4)) return `${label}.${own.pick(HOSTED_ZONES)}`;
  return own.chance(0.5) ? `${label}.example` : `www.${label}.example`;
};

/** Attacks by way of the resolver. Each asks as programs ask: what tells it is how often one host asks for what. */
export const DNS_RECIPES = {
  tunnel: {
    summary:
      'Up to a dozen hosts, workstations when people work, else servers, send data in the names that they ask for, and read orders in the answers.',
    acts: ['look_up'],
    write: (scene) => {
      const { own, world } = scene;
      // The names look like those of files at a network for content, or of sums at a service for reputation.
      const zones = new Map<WorldHost, { readonly edge: string; readonly reputation: string }>();
      const zonesOf = (host: WorldHost) => {
        const made = zones.get(host) ?? {
          edge: own.pick(EDGE_ZONES),
          reputation: own.pick(REPUTATION_ZONES),
        };
        zones.set(host, made);
        return made;
      };
      askAsUsual(scene, ['exfiltrate', 'T1048.003'], ({ host }, purpose) => {
        if (purpose === 'edge' && !own.chance(SHARED_SHARE))
          return knownName(world, `${hexName(own, 20, 0.7)}.${zonesOf(host).edge}`, hostType(own));
        if (purpose !== 'reputation') return null;
        const name = `${hexName(own, 32, 0.5)}.${zonesOf(host).reputation}`;
        const type = reputationType(own);
        return own.chance(ORDER_SHARE) ? knownName(world, name, type) : missingName(world, own, name, type);
      });
    },
  },
  dga: {
    summary:
      'Up to a dozen infected hosts, workstations when people work, else servers, try random names until one exists, and ask for others as before.',
    acts: ['look_up'],
    write: (scene) => {
      const { own, world } = scene;
      askAsUsual(scene, ['resolve', 'T1568.002'], ({ host }, purpose) => {
        const isTry = host.role !== 'mail_server' && own.chance(TRY_SHARE);
        if (!isTry && purpose !== 'small' && purpose !== 'gone') return null;
        const isFound = isTry ? own.chance(FOUND_SHARE) : purpose === 'small';
        const [name, type] = [randomName(own), hostType(own)];
        return isFound ? knownName(world, name, type) : missingName(world, own, name, type);
      });
    },
  },
} satisfies Readonly<Record<string, Recipe>>;

const BEACON_SECONDS = 58;
/** Most questions of one host for its name. */
const MOST_BEACONS = 12;

/**
 * Infected hosts each ask for a name of their own, at intervals of a program, between all else that they ask. `pages` are
 * questions that workstations in the attack have asked already.
 */
export const writeBeacons = (scene: CampaignScene, pages: number): void => {
  const { own, world, from } = scene;
  const beacons: Asker[] = [];
  askAsUsual(
    scene,
    ['beacon', 'T1071.004'],
    (asker, purpose) => {
      if (purpose !== 'small' && (purpose !== 'edge' || !own.chance(SHARED_SHARE))) return null;
      beacons.push(asker);
      return 'later';
    },
    pages,
  );
  for (const isServer of [false, true]) {
    const those = beacons.filter(({ person }) => (person === null) === isServer);
    while (those.length > 0) {
      const [asker] = those;
      if (asker === undefined) break;
      const name = isServer || own.chance(0.6) ? sharedEdge(world, own) : smallName(own);
      let at: Micros = from + Math.floor(own.next() * 0.2 * ASKING);
      for (const _ of those.splice(0, MOST_BEACONS)) {
        askResolver(scene, ['beacon', 'T1071.004'], asker, at, knownName(world, name, hostType(own)));
        at += Math.round(own.lognormal(BEACON_SECONDS, 0.1) * MICROS_PER_SECOND);
      }
    }
  }
};
