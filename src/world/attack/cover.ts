/** What passes the edge on behalf of an attack, in the shares of everyday life: no kind of traffic gives it away. */
import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import {
  probeFacts,
  probesPerMinute,
  REFUSED_PER_MINUTE,
  refusedFacts,
  somePublicAddress,
} from '../activity/edge.js';
import { programFor } from '../activity/endpoint.js';
import type { ActivityKind } from '../activity/kinds.js';
import { connectFromServer } from '../activity/linux/doings.js';
import { TRIES_FROM_OUTSIDE, wrongSshPassword } from '../activity/linux/minute.js';
import { GUESSED_ACCOUNTS } from '../activity/linux/programs.js';
import { UPDATE_BYTES, UPDATE_KNOWN_SHARE, UPDATES_PER_MINUTE } from '../activity/machines.js';
import { mailFromOutside, mailsPerMinute } from '../activity/mail/inbox.js';
import { pageFacts } from '../activity/nameAddress.js';
import { CACHED_SHARE, CHROME, OPENED_BYTES } from '../activity/people.js';
import { SESSION_BROWSER } from '../activity/programs.js';
import { MACHINE_SITES, SITES } from '../activity/sites.js';
import { strangerReason, TRIES_PER_MINUTE, vpnSessionOf, wrongVpnPassword } from '../activity/vpn.js';
import { weighted } from '../draw.js';
import type { InternetAccess, Person, WorldHost } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import type { DayPlan } from '../schedule/day.js';
import { begin, type CampaignScene, shareOfPeople } from './scene.js';

const siteAt = weighted(SITES);
const machineSiteAt = weighted(MACHINE_SITES);

/** How long programs of intruders are busy. */
export const CALLING = 9 * MICROS_PER_MINUTE;

/** When something happens that may happen at any time of an attack. */
export const sometime = (scene: CampaignScene): Micros =>
  begin(scene) + Math.floor(scene.own.next() * CALLING);

const NOBODY = { person: null, host: null, session: null } as const;

/** The day of somebody who is at the office at a moment: of all others, the machine is off or elsewhere. Null for them. */
const planAtOffice = ({ world, planOf }: CampaignScene, person: Person, at: Micros): DayPlan | null => {
  const plan = planOf(person);
  const isThere = plan !== null && at < plan.span[1] && world.addressOf(person, at)?.zone === 'office';
  return isThere ? plan : null;
};

const isAtOffice = (scene: CampaignScene, person: Person): boolean =>
  planAtOffice(scene, person, scene.from) !== null;

/** People at the office: what goes to the internet from home does not pass the firewall. */
export const atOffice = (scene: CampaignScene, count: number): readonly Person[] => {
  const found = new Set<Person>();
  for (let index = 0; index < count; index++)
    found.add(scene.somebody((one) => !found.has(one) && isAtOffice(scene, one)));
  return [...found];
};

/** A page that somebody opens, or one that a file is sent to; nothing when the machine is off or not at the office. */
export const openPage = (
  scene: CampaignScene,
  person: Person,
  at: Micros,
  [phase, technique]: readonly [phase: string, technique: string],
  { store = null, are_known = false }: { readonly store?: string | null; readonly are_known?: boolean } = {},
): void => {
  const { own, world, step } = scene;
  const name = store ?? siteAt(own.next());
  const facts = {
    ...pageFacts(world, own, name, are_known || own.chance(CACHED_SHARE), OPENED_BYTES),
    ...(store === null ? {} : { is_upload: true }),
  };
  const plan = planAtOffice(scene, person, at);
  if (plan === null) return;
  const base = { person, host: person.workstation, session: plan.logon_id };
  const browser = programFor(plan, at, [CHROME, SESSION_BROWSER]);
  step(phase, technique, {
    ...{ ...base, kind: 'browse', at },
    facts: { ...facts, image: browser.image, pid: browser.pid },
  });
};

/** A page that a program asks for by itself, as for an update. */
const askForUpdate = (
  { own, world, step }: CampaignScene,
  host: WorldHost,
  at: Micros,
  [phase, technique]: readonly [phase: string, technique: string],
  is_known: boolean,
): void => {
  const facts = pageFacts(world, own, machineSiteAt(own.next()), is_known, UPDATE_BYTES);
  step(phase, technique, { person: null, host, session: null, kind: 'browse', at, facts });
};

/** What passes the edge, each by what causes it. */
const SORTS = [
  ...(['page', 'update', 'refused', 'server_page', 'server_archive', 'server_refused'] as const),
  ...(['probe', 'mail', 'login', 'shell'] as const),
] as const;
export type EdgeSort = (typeof SORTS)[number];

/** Kinds of the acts of `blendIn`. */
export const COVER_ACTS = [
  ...(['browse', 'try_outside', 'reach_server', 'probe', 'receive_mail', 'connect_vpn', 'try_ssh'] as const),
] as const satisfies readonly ActivityKind[];

/** Pages a minute that somebody opens at the office, and that a server with Linux asks archives for. */
const PAGES_PER_MINUTE = 0.57;
const ARCHIVES_PER_MINUTE = 0.13;

/** How often a minute each of them comes at the time of an attack. */
const everydayRates = (scene: CampaignScene): Readonly<Record<EdgeSort, number>> => {
  const { population, spec } = scene.world;
  const atWork = shareOfPeople(scene, (person) => isAtOffice(scene, person));
  const inOffice = population.size * atWork;
  const { servers } = population;
  return {
    page: inOffice * PAGES_PER_MINUTE,
    update: inOffice * UPDATES_PER_MINUTE,
    refused: inOffice * REFUSED_PER_MINUTE.workstation,
    server_page: servers.length * UPDATES_PER_MINUTE,
    server_archive: servers.length * ARCHIVES_PER_MINUTE,
    server_refused: servers.length * REFUSED_PER_MINUTE.server,
    probe: probesPerMinute(spec),
    mail: population.size * mailsPerMinute(atWork),
    login: TRIES_PER_MINUTE,
    shell: population.serversOf('jump_host').length * TRIES_FROM_OUTSIDE,
  };
};

/** Whom an attack has on its side. */
interface CoverCast {
  /** Owners of infected workstations. */
  readonly people: readonly Person[];
  readonly servers: readonly WorldHost[];
  readonly outsiders: readonly InternetAccess[];
  /** Whether the resolver hears nothing of the pages, since the attack says itself what it hears. */
  readonly are_known: boolean;
}

/** Writes one of a sort; of people who are not at the office, nothing. */
const WRITERS: Readonly<Record<EdgeSort, (scene: CampaignScene, cast: CoverCast, at: Micros) => void>> = {
  page: (scene, { people, are_known }, at) =>
    openPage(scene, scene.own.pick(people), at, ['look', 'T1071.001'], { are_known }),
  update: (scene, { people, are_known }, at) => {
    const person = scene.own.pick(people);
    if (planAtOffice(scene, person, at) === null) return;
    const is_known = are_known || scene.own.chance(UPDATE_KNOWN_SHARE);
    askForUpdate(scene, person.workstation, at, ['call', 'T1071.001'], is_known);
  },
  refused: (scene, { people }, at) => {
    const { own, world, step } = scene;
    const person = own.pick(people);
    const facts = refusedFacts(world, own);
    if (planAtOffice(scene, person, at) === null) return;
    const base = { person, host: person.workstation, session: null };
    step('call', 'T1571', { ...base, kind: 'try_outside', at, facts });
  },
  // Of names that they know: the resolver hears nothing of it.
  server_page: (scene, { servers }, at) =>
    askForUpdate(scene, scene.own.pick(servers), at, ['spread', 'T1105'], true),
  server_archive: ({ own, world, step }, { servers }, at) => {
    for (let tries = 0; tries < 30; tries++) {
      const { act } = connectFromServer({ own, world, host: own.pick(servers) });
      if (act.facts['to'] === null) return step('spread', 'T1105', { ...act, at });
    }
  },
  server_refused: ({ own, world, step }, { servers }, at) => {
    const base = { person: null, host: own.pick(servers), session: null };
    step('call', 'T1571', { ...base, kind: 'try_outside', at, facts: refusedFacts(world, own) });
  },
  probe: ({ own, step }, { outsiders }, at) => {
    const facts = probeFacts(own, own.pick(outsiders).ip, somePublicAddress(own));
    step('scan', 'T1595.001', { ...NOBODY, kind: 'probe', at, facts });
  },
  mail: ({ own, world, step }, _, at) => {
    const person = world.population.person(own.integer(0, world.population.size - 1));
    const facts = mailFromOutside(world, own, 'spam');
    step('bait', 'T1566.002', { ...NOBODY, person, kind: 'receive_mail', at, facts });
  },
  login: ({ own, step }, { outsiders }, at) => {
    const facts = wrongVpnPassword(
      own.pick(GUESSED_ACCOUNTS),
      own.pick(outsiders),
      strangerReason(own, false),
    );
    step('try', 'T1110.001', { ...NOBODY, session: vpnSessionOf(own), kind: 'connect_vpn', at, facts });
  },
  shell: ({ own, world, step }, { outsiders }, at) => {
    const server = own.pick(world.population.serversOf('jump_host'));
    const { ip } = own.pick(outsiders);
    const facts = wrongSshPassword(server, own.pick(GUESSED_ACCOUNTS), 'unknown_user', ip);
    step('try', 'T1110.001', { ...NOBODY, kind: 'try_ssh', at, facts });
  },
};

/**
 * Writes what brings all that an attack does at the edge to the shares of everyday life at that time: `total` acts, less
 * those that it has of its own.
 */
export const blendIn = (
  scene: CampaignScene,
  people: readonly Person[],
  total: number,
  own: Readonly<Partial<Record<EdgeSort, number>>> = {},
  are_known = false,
): void => {
  const { world } = scene;
  const rates = everydayRates(scene);
  const all = SORTS.reduce((sum, sort) => sum + rates[sort], 0);
  const cast: CoverCast = {
    people,
    servers: world.population.servers.filter(({ os }) => os.family === 'linux'),
    outsiders: Array.from({ length: 12 }, () => world.population.outsider(scannerNumber(scene.own))),
    are_known,
  };
  for (const sort of SORTS) {
    const count = Math.round((total * rates[sort]) / all) - (own[sort] ?? 0);
    for (let index = 0; index < count; index++) WRITERS[sort](scene, cast, sometime(scene));
  }
};
