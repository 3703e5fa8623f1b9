import { MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import type { ActivityFacts } from '../activity/kinds.js';
import {
  hexName,
  hostType,
  knownName,
  LOOK_UPS_PER_MINUTE,
  type LookUpPurpose,
  lookUpFacts,
  missingName,
  purposesOf,
  randomLetters,
  reputationType,
  sharedEdge,
  smallName,
} from '../activity/lookups.js';
import { EDGE_ZONES, HOSTED_ZONES, REPUTATION_ZONES } from '../activity/names.js';
import { MACHINE_SITES, SITES } from '../activity/sites.js';
import { type KeyedDraws, weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { CAMPAIGN_MINUTES } from './names.js';
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

const siteAt = weighted(SITES);
const machineSiteAt = weighted(MACHINE_SITES);

/** A host that asks on behalf of an attack, and who works at it. */
interface Asker {
  readonly host: WorldHost;
  readonly person: Person | null;
}

/** Questions for pages that follow from what people and machines do, a minute. */
const PAGES_PER_MINUTE = { desk: 0.29, server: 0.07 } as const;

/** An attack asks so much of what all ask at that time: more of it would tell by the hour. */
const QUESTIONS_SHARE = 0.09;
/** All infected hosts of a campaign ask no more than this, also in a large world: there is room for so many acts a minute. */
const MOST_QUESTIONS = 2_000;
/** A campaign asks for so long. */
const ASKING: Micros = 15 * MICROS_PER_MINUTE;

const ASKED_PEOPLE = 60;
/** Most infected hosts of a sort, and how many questions each asks at least. */
const MOST_HOSTS = 10;
const QUESTIONS_OF_DESK = 20;
const QUESTIONS_OF_SERVER = 6;

/** Who asks in an attack, and how often all of them do. */
interface Round {
  readonly askers: readonly Asker[];
  readonly questions: number;
  /** Share of the questions that are for pages. */
  readonly page_share: number;
}

/** Workstations of people who are at work and on the network, servers, and the servers of mail. */
const roundsOf = ({ own, from, world, planOf }: CampaignScene): readonly Round[] => {
  const { population } = world;
  const present = new Set<Person>();
  let found = 0;
  for (let asked = 0; asked < ASKED_PEOPLE; asked++) {
    const person = population.person(own.integer(0, population.size - 1));
    if (planOf(person) === null || world.addressOf(person, from) === null) continue;
    present.add(person);
    found++;
  }
  const asServer = (host: WorldHost): Asker => ({ host, person: null });
  const mail = population.serversOf('mail_server').map(asServer);
  const servers = population.servers.filter(({ role }) => role !== 'mail_server').map(asServer);
  const desks = [...present].map((person) => ({ host: person.workstation, person }));
  const inNetwork = (population.size * found) / ASKED_PEOPLE;
  const { desk, server } = PAGES_PER_MINUTE;
  const wanted = (count: number, look_ups: number, pages: number): number =>
    count * (look_ups + pages) * CAMPAIGN_MINUTES * QUESTIONS_SHARE;
  const rounds = [
    [desks, inNetwork, LOOK_UPS_PER_MINUTE.desk, desk, QUESTIONS_OF_DESK],
    [servers, servers.length, LOOK_UPS_PER_MINUTE.server, server, QUESTIONS_OF_SERVER],
    [mail, mail.length, LOOK_UPS_PER_MINUTE.mail, server, QUESTIONS_OF_SERVER],
  ] as const;
  const all = rounds.reduce((sum, [, count, look_ups, pages]) => sum + wanted(count, look_ups, pages), 0);
  const kept = Math.min(1, MOST_QUESTIONS / all);
  const made = rounds.map(([hosts, count, look_ups, pages, each]): Round => {
    const mean = wanted(count, look_ups, pages) * kept;
    const most = Math.min(MOST_HOSTS, Math.max(2, Math.round(mean / each)));
    const askers = hosts.length === 0 ? [] : Array.from({ length: most }, () => own.pick(hosts));
    return { askers, questions: own.poisson(mean), page_share: pages / (look_ups + pages) };
  });
  return made.filter(({ askers }) => askers.length > 0);
};

/** Whether a host can ask: the workstation of somebody who went home is off. */
const isOn = ({ world, planOf }: CampaignScene, { person }: Asker, at: Micros): boolean => {
  if (person === null) return true;
  const plan = planOf(person);
  return plan !== null && at < plan.span[1] && world.addressOf(person, at) !== null;
};

const askResolver = (
  scene: CampaignScene,
  [phase, technique]: readonly [phase: string, technique: string],
  { host, person }: Asker,
  at: Micros,
  facts: ActivityFacts,
): void => {
  if (!isOn(scene, { host, person }, at)) return;
  scene.step(phase, technique, { person, host, session: null, kind: 'look_up', at, facts });
};

/** A name that a page or an update leads to. */
const nameOfPage = ({ own, world }: CampaignScene, { host }: Asker): ActivityFacts =>
  knownName(world, (host.role === 'workstation' ? siteAt : machineSiteAt)(own.next()), hostType(own));

/** Says what a host asks for a purpose on behalf of the attack: null asks as usual, `later` asks another time. */
type Question = (asker: Asker, purpose: LookUpPurpose) => ActivityFacts | 'later' | null;

/**
 * Has infected hosts ask, each for what such a host asks. A part of the questions are those of the attack. `pages` are
 * questions of workstations for pages that the attack has asked already.
 */
const askAsUsual = (
  scene: CampaignScene,
  step: readonly [phase: string, technique: string],
  question: Question,
  pages = 0,
): void => {
  const { own, world, from } = scene;
  let done = pages;
  for (const { askers, questions, page_share } of roundsOf(scene)) {
    for (let index = 0; index < questions; index++) {
      const asker = own.pick(askers);
      const at = from + Math.floor(own.next() * ASKING);
      if (own.chance(page_share)) {
        if (asker.person !== null && done-- > 0) continue;
        askResolver(scene, step, asker, at, nameOfPage(scene, asker));
        continue;
      }
      const purpose = purposesOf(asker.host)(own.next());
      const facts = question(asker, purpose) ?? lookUpFacts(purpose, own, world, asker.host);
      if (facts !== 'later') askResolver(scene, step, asker, at, facts);
    }
  }
};
