import { MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import type { ActivityFacts } from '../activity/kinds.js';
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
import { SITES } from '../activity/sites.js';
import { weighted } from '../draw.js';
import type { CampaignScene, Recipe } from './scene.js';

const siteAt = weighted(SITES);

/** A campaign is over after so long. */
const SPAN = 15 * 60 * MICROS_PER_SECOND;

/** Has a few infected workstations ask on their own, each for a while, with the gaps of a program. */
const onWorkstations = (
  scene: CampaignScene,
  count: number,
  mean_seconds: number,
  [phase, technique]: readonly [phase: string, technique: string],
  factsOf: (index: number) => ActivityFacts,
): void => {
  const { own, from, somebody, step } = scene;
  for (let index = 0; index < count; index++) {
    const person = somebody();
    const gap = (): Micros => Math.round(own.exponential(mean_seconds) * MICROS_PER_SECOND);
    for (let at = from + gap(); at < from + SPAN; at += gap()) {
      const base = { person, host: person.workstation, session: null };
      step(phase, technique, { ...base, kind: 'look_up', at, facts: factsOf(index) });
    }
  }
};

/** Malware asks for well-known names to see whether it is on the internet. */
const check = ({ own, world }: CampaignScene): ActivityFacts =>
  knownName(world, own.chance(0.6) ? siteAt(own.next()) : sharedEdge(world, own), hostType(own));

const HOSTS = 10;
const CHECKS = { tunnel: 0.36, dga: 0.52 } as const;
/** Share of the answers by which the attacker says that there is nothing to do. */
const IDLE_SHARE = 0.25;
const FOUND_SHARE = 0.17;
const DEAD_SHARE = 0.36;

/** Attacks by way of the resolver. Each asks as programs ask: what tells it is how often one host asks for what. */
export const DNS_RECIPES = {
  tunnel: {
    summary: 'Ten workstations send data in the names that they ask for, and read orders in the answers.',
    acts: ['look_up'],
    write: (scene) => {
      const { own, world } = scene;
      // The names look like those of files at a network for content, or of sums at a service for reputation.
      const zones = Array.from({ length: HOSTS }, () => ({
        edges: [own.pick(EDGE_ZONES), own.pick(EDGE_ZONES)],
        reputation: own.pick(REPUTATION_ZONES),
      }));
      onWorkstations(scene, HOSTS, 45, ['exfiltrate', 'T1048.003'], (index) => {
        if (own.chance(CHECKS.tunnel)) return check(scene);
        const { edges, reputation } = zones[index] as (typeof zones)[number];
        const isText = own.chance(0.25);
        const name = isText
          ? `${hexName(own, 26, 0.5)}.${reputation}`
          : `${hexName(own, 10, 0.7)}.${own.pick(edges)}`;
        const type = isText ? reputationType(own) : hostType(own);
        return own.chance(IDLE_SHARE) ? missingName(world, own, name, type) : knownName(world, name, type);
      });
    },
  },
  dga: {
    summary: 'Ten infected workstations try random names until one exists, and check that they are online.',
    acts: ['look_up'],
    write: (scene) => {
      const { own, world } = scene;
      onWorkstations(scene, HOSTS, 45, ['resolve', 'T1568.002'], () => {
        if (own.chance(CHECKS.dga)) return check(scene);
        const label = randomLetters(own, 8, 19);
        const name = own.chance(0.6)
          ? `${label}.${own.pick(HOSTED_ZONES)}`
          : own.chance(0.5)
            ? `${label}.example`
            : `www.${label}.example`;
        const type = hostType(own);
        return own.chance(FOUND_SHARE) ? knownName(world, name, type) : missingName(world, own, name, type);
      });
    },
  },
} satisfies Readonly<Record<string, Recipe>>;

const BEACON_SECONDS = 58;

/** Twelve workstations, each with a name of its own; some of the names have been taken from the attacker. */
export const writeBeacons = (scene: CampaignScene): void => {
  const { own, world, from, somebody, step } = scene;
  for (let index = 0; index < 12; index++) {
    const person = somebody();
    const name = own.chance(0.5) ? smallName(own) : sharedEdge(world, own);
    let at = from + Math.round(own.exponential(BEACON_SECONDS) * MICROS_PER_SECOND);
    for (let index = own.integer(8, 14); index > 0; index--) {
      const type = hostType(own);
      const facts = own.chance(DEAD_SHARE)
        ? missingName(world, own, smallName(own), type)
        : knownName(world, name, type);
      const base = { person, host: person.workstation, session: null };
      step('beacon', 'T1071.004', { ...base, kind: 'look_up', at, facts });
      at += Math.round(own.lognormal(BEACON_SECONDS, 0.1) * MICROS_PER_SECOND);
    }
  }
};
