import { MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import { gap, humanGap } from '../activity/gaps.js';
import type { ActivityFacts } from '../activity/kinds.js';
import { GUESSED_ACCOUNTS } from '../activity/linux/programs.js';
import { factorCheck, openSome, rightPassword, type Visitor, vpnActs } from '../activity/signOn.js';
import { SHARED_FILES, SUBJECTS } from '../activity/sites.js';
import { clientElsewhere } from '../activity/visits.js';
import {
  caresWithin,
  strangerReason,
  TRIES_PER_MINUTE,
  vpnSessionAt,
  vpnSessionOf,
  wrongVpnPassword,
} from '../activity/vpn.js';
import { weighted } from '../draw.js';
import type { InternetAccess, Person } from '../population/entities.js';
import { accessAbroad, scannerNumber } from '../population/population.js';
import { logonId } from '../schedule/day.js';
import { begin, type CampaignScene, type Recipe, shareOfPeople } from './scene.js';

/** What is done over the VPN, as people and their computers do it. */
const OVER_VPN = weighted([
  [52, 'files'],
  [24, 'policy'],
  [24, 'mail'],
] as const);

/** What a session of an intruder is about. */
interface Stay {
  readonly person: Person;
  readonly access: InternetAccess;
  readonly from: Micros;
  readonly minutes: number;
  readonly is_heavy: boolean;
  readonly phase: string;
  readonly technique: string;
}

/** Seconds between two things that are done over a session. */
const ACCESS_SECONDS = 150;

const accessFacts = ({ world, own }: CampaignScene, vpn: ActivityFacts) => {
  const { population } = world;
  const does = OVER_VPN(own.next());
  if (does === 'mail') {
    const to = population.person(own.integer(0, population.size - 1)).email;
    const facts = { to, subject: own.pick(SUBJECTS), bytes: Math.round(own.lognormal(18_000, 1.4)) };
    return { kind: 'send_mail', facts: { ...facts, ...vpn } } as const;
  }
  const isFile = does === 'files';
  const server = own.pick(population.serversOf(isFile ? 'file_server' : 'domain_controller'));
  const path = isFile ? own.pick(SHARED_FILES) : 'Policies\\gpt.ini';
  const facts = { server, path, logon_id: logonId(own), has_ticket: own.chance(0.7), ...vpn };
  return { kind: 'use_share', facts } as const;
};

/** A session from its login to its end. Returns when it is over. */
const stayOnVpn = (scene: CampaignScene, stay: Stay): Micros => {
  const { own, step, world } = scene;
  const { person, access, from, minutes, is_heavy, phase, technique } = stay;
  const { ip } = access;
  const session = vpnSessionOf(own);
  const base = { person, host: person.workstation, session };
  const connect = { ip, access, tries: own.integer(1, 3), is_refused: false };
  step('enter', 'T1133', { ...base, kind: 'connect_vpn', at: from, facts: connect });
  const vpn = { via_vpn: true, vpn_session: session, vpn_begin: from, access };
  const end = from + Math.round(minutes * own.lognormal(1, 0.1) * MICROS_PER_MINUTE);
  const begin = from + 20 * MICROS_PER_SECOND;
  const next = (): Micros => gap(own, ACCESS_SECONDS, 0.6);
  for (let at = begin + Math.round(own.next() * next()); at < end; at += next())
    step(phase, technique, { ...base, session: null, ...accessFacts(scene, vpn), at });
  for (const [when, facts] of caresWithin(world, { session, access, begin: from, end, is_heavy }, from, end))
    step(phase, technique, { ...base, kind: 'keep_vpn', at: when, facts });
  const seconds = Math.round((end - from) / MICROS_PER_SECOND);
  const facts = { ip, access, reason: own.pick(['logout', 'logout', 'idle']), seconds, is_heavy };
  step('enter', 'T1133', { ...base, kind: 'disconnect_vpn', at: end, facts });
  return end;
};

/** How much an attack does at the gateway, so that its kinds of events have the shares of everyday life at that time. */
interface GatewayPlan {
  readonly sessions: number;
  readonly minutes: number;
  readonly guesses: number;
}

/** Of so many people on the VPN, an attack has one session. */
const PEOPLE_OF_SESSION = 8;
const MOST_SESSIONS = 5;
const MINUTES = { least: 10, most: 20 };
/** With more guesses, an attack would be most of what happens when nobody is on the VPN. */
const MOST_GUESSES = 30;

const gatewayPlan = (scene: CampaignScene, most = MOST_SESSIONS): GatewayPlan => {
  const { world, from } = scene;
  const isOnVpn = (person: Person): boolean => vpnSessionAt(world, person, from) !== null;
  const onVpn = world.population.size * shareOfPeople(scene, isOnVpn);
  const sessions = Math.min(most, Math.max(1, Math.round(onVpn / PEOPLE_OF_SESSION)));
  const minutes = Math.min(MINUTES.most, MINUTES.least + onVpn);
  const wanted = (sessions * minutes * TRIES_PER_MINUTE) / Math.max(1, onVpn);
  return { sessions, minutes, guesses: Math.min(MOST_GUESSES, Math.round(wanted)) };
};

/** Guesses of many accounts end so long after they begin, and those of one, after which a session comes. */
const GUESSING = { many: 9 * MICROS_PER_MINUTE, one: 5 * MICROS_PER_MINUTE } as const;
const LEAST_GUESSES = 12;

/** Tries passwords of an account, and now and then of others, one after the other. Returns when the next one is due. */
const guessAtGateway = (
  { own, step, world }: CampaignScene,
  account: string | null,
  accessOf: () => InternetAccess,
  from: Micros,
  tries: number,
): Micros => {
  const { population } = world;
  const between = (account === null ? GUESSING.many : GUESSING.one) / Math.max(tries, LEAST_GUESSES);
  let at = from;
  for (let index = 0; index < tries; index++) {
    const isKnown = own.chance(0.65);
    const known = account ?? population.person(own.integer(0, population.size - 1)).user;
    const name = isKnown ? known : own.pick(GUESSED_ACCOUNTS);
    const facts = wrongVpnPassword(name, accessOf(), strangerReason(own, isKnown));
    const base = { person: null, host: null, session: vpnSessionOf(own) };
    step('guess', account === null ? 'T1110.003' : 'T1110.001', { ...base, kind: 'connect_vpn', at, facts });
    at += Math.round(own.exponential(between));
  }
  return at;
};

const stranger = ({ world, own }: CampaignScene): InternetAccess =>
  world.population.outsider(scannerNumber(own));

/** Where somebody is whose account is used: at home, or of those who do not work, where people travel. */
const placeOf = ({ world, own, planOf }: CampaignScene, person: Person): InternetAccess =>
  planOf(person) === null ? accessAbroad(world, own) : person.home;

export const VPN_ACTS = ['connect_vpn', 'disconnect_vpn', 'keep_vpn', 'use_share', 'send_mail'] as const;
const SOMEWHERE = { phase: 'look', technique: 'T1135', is_heavy: false } as const;

/** Where somebody from far away goes on at the VPN after the applications behind the single sign-on. */
export const writeTravel = (
  scene: CampaignScene,
  visitors: readonly (readonly [Visitor, Micros])[],
): void => {
  const { own } = scene;
  const { sessions, minutes, guesses } = gatewayPlan(scene, visitors.length);
  const access = stranger(scene);
  guessAtGateway(scene, null, () => access, begin(scene), guesses);
  for (const [index, [visitor, last]] of visitors.entries()) {
    const { person, client } = visitor;
    const from = last + humanGap(own);
    if (index >= sessions) {
      for (const act of vpnActs(visitor, own, from)) scene.step('connect', 'T1133', act);
      continue;
    }
    stayOnVpn(scene, { ...SOMEWHERE, person, access: client.access, from, minutes });
  }
};

/** Attacks by way of the VPN. All of their steps are acts that normal traffic has, too. */
export const VPN_RECIPES = {
  vpn_brute_force: {
    summary:
      'From three addresses, 8 to 11 wrong passwords each at the VPN gateway, most of one account, then sessions that look around.',
    acts: VPN_ACTS,
    write: (scene) => {
      const { own, somebody } = scene;
      const { sessions, minutes } = gatewayPlan(scene);
      for (let account = 0; account < 3; account++) {
        const access = stranger(scene);
        // Now and then a password of another account is found, too.
        const people = [somebody(), somebody()] as const;
        const from = guessAtGateway(scene, people[0].user, () => access, begin(scene), own.integer(8, 11));
        for (const [index, person] of people.entries())
          if (index * 3 + account < sessions)
            stayOnVpn(scene, { ...SOMEWHERE, person, access, from, minutes });
      }
    },
  },
  vpn_data_theft: {
    summary:
      'After passwords were tried, sessions of up to five people at the VPN carry forty times as much as others.',
    acts: VPN_ACTS,
    write: (scene) => {
      const { somebody } = scene;
      const theft = { phase: 'collect', technique: 'T1039', is_heavy: true } as const;
      const { sessions, minutes, guesses } = gatewayPlan(scene);
      guessAtGateway(scene, null, () => stranger(scene), begin(scene), guesses);
      for (let index = 0; index < sessions; index++) {
        const person = somebody();
        stayOnVpn(scene, { ...theft, person, access: placeOf(scene, person), from: begin(scene), minutes });
      }
    },
  },
  account_takeover: {
    summary:
      'The password of an account is guessed at the VPN; then the intruder is at the VPN and the single sign-on with it, and reads shares.',
    acts: [...VPN_ACTS, 'sign_on', 'check_factor', 'open_application'],
    write: (scene) => {
      const { own, somebody, step, world } = scene;
      const { sessions, minutes, guesses } = gatewayPlan(scene, 3);
      const each = Math.max(5, Math.round(guesses / 3));
      for (let account = 0; account < 3; account++) {
        const person = somebody();
        const access = accessAbroad(world, own);
        const client = clientElsewhere(world, own, person, access, false);
        const visitor = { person, client, session: own.hex(16), isAdmin: false, isAway: true };
        const from = guessAtGateway(scene, person.user, () => access, begin(scene), each);
        const heavy = { phase: 'collect', technique: 'T1039', is_heavy: true } as const;
        if (account < sessions) stayOnVpn(scene, { ...heavy, person, access, from, minutes });
        let at = from + humanGap(own);
        step('enter', 'T1078.004', rightPassword(visitor, at));
        at += humanGap(own);
        step('enter', 'T1078.004', factorCheck(visitor, at, own.chance(0.7) ? 'push' : 'code', 'accepted'));
        openSome(visitor, own, own.integer(14, 24), at, (act) => step('look', 'T1087.004', act));
      }
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
