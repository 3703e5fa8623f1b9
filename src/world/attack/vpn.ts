import { MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import { gap, humanGap, toolGap } from '../activity/gaps.js';
import type { ActivityFacts } from '../activity/kinds.js';
import { GUESSED_ACCOUNTS } from '../activity/linux/programs.js';
import { factorCheck, openSome, rightPassword, type Visitor } from '../activity/signOn.js';
import { SHARED_FILES, SUBJECTS } from '../activity/sites.js';
import { clientElsewhere } from '../activity/visits.js';
import { caresWithin, strangerReason, vpnSessionOf, wrongVpnPassword } from '../activity/vpn.js';
import { weighted } from '../draw.js';
import type { InternetAccess, Person } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import { logonId } from '../schedule/day.js';
import { begin, type CampaignScene, type Recipe } from './scene.js';

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
  /** Things done over the session. */
  readonly count: number;
  readonly is_heavy: boolean;
  readonly phase: string;
  readonly technique: string;
}

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
  const { person, access, from, count, is_heavy, phase, technique } = stay;
  const { ip } = access;
  const session = vpnSessionOf(own);
  const base = { person, host: person.workstation, session };
  const connect = { ip, access, tries: own.integer(1, 3), is_refused: false };
  step('enter', 'T1133', { ...base, kind: 'connect_vpn', at: from, facts: connect });
  const vpn = { via_vpn: true, vpn_session: session, vpn_begin: from, access };
  let at = from + 20 * MICROS_PER_SECOND;
  for (let index = 0; index < count; index++) {
    at += gap(own, 75, 0.6);
    step(phase, technique, { ...base, session: null, ...accessFacts(scene, vpn), at });
  }
  const end = at + humanGap(own);
  for (const [when, facts] of caresWithin(world, { session, access, begin: from, end, is_heavy }, from, end))
    step(phase, technique, { ...base, kind: 'keep_vpn', at: when, facts });
  const seconds = Math.round((end - from) / MICROS_PER_SECOND);
  const facts = { ip, access, reason: own.pick(['logout', 'logout', 'idle']), seconds, is_heavy };
  step('enter', 'T1133', { ...base, kind: 'disconnect_vpn', at: end, facts });
  return end;
};

/** Tries passwords of an account, and now and then of others, one after the other. Returns when the next one is due. */
const guessAtGateway = (
  { own, step, world }: CampaignScene,
  account: string | null,
  access: InternetAccess,
  from: Micros,
  tries: number,
): Micros => {
  const { population } = world;
  let at = from;
  for (let index = 0; index < tries; index++) {
    const isKnown = own.chance(0.65);
    const known = account ?? population.person(own.integer(0, population.size - 1)).user;
    const name = isKnown ? known : own.pick(GUESSED_ACCOUNTS);
    const facts = wrongVpnPassword(name, access, strangerReason(own, isKnown));
    const base = { person: null, host: null, session: vpnSessionOf(own) };
    step('guess', account === null ? 'T1110.003' : 'T1110.001', { ...base, kind: 'connect_vpn', at, facts });
    at += toolGap(own);
  }
  return at;
};

const stranger = ({ world, own }: CampaignScene): InternetAccess =>
  world.population.outsider(scannerNumber(own));

export const VPN_ACTS = ['connect_vpn', 'disconnect_vpn', 'keep_vpn', 'use_share', 'send_mail'] as const;
const SOMEWHERE = { phase: 'look', technique: 'T1135', is_heavy: false } as const;

/** Where somebody from far away goes on at the VPN after the applications behind the single sign-on. */
export const writeTravel = (
  scene: CampaignScene,
  visitors: readonly (readonly [Visitor, Micros])[],
): void => {
  const { own } = scene;
  guessAtGateway(scene, null, stranger(scene), begin(scene), own.integer(10, 14));
  for (const [{ person, client }, last] of visitors) {
    const from = last + humanGap(own);
    const count = own.integer(10, 14);
    stayOnVpn(scene, { ...SOMEWHERE, person, access: client.access, from, count });
  }
};

/** Attacks by way of the VPN. All of their steps are acts that normal traffic has, too. */
export const VPN_RECIPES = {
  vpn_brute_force: {
    summary:
      'From three addresses, 10 to 14 wrong passwords each at the VPN gateway, most of one account, then a session with it that looks around.',
    acts: VPN_ACTS,
    write: (scene) => {
      const { own, somebody } = scene;
      for (let accounts = 3; accounts > 0; accounts--) {
        const [person, access] = [somebody(), stranger(scene)];
        const from = guessAtGateway(scene, person.user, access, begin(scene), own.integer(10, 14));
        stayOnVpn(scene, { ...SOMEWHERE, person, access, from, count: own.integer(11, 15) });
      }
    },
  },
  vpn_data_theft: {
    summary:
      'After passwords were tried, sessions of five people at the VPN carry forty times as much as others.',
    acts: VPN_ACTS,
    write: (scene) => {
      const { own, somebody } = scene;
      const theft = { phase: 'collect', technique: 'T1039', is_heavy: true } as const;
      guessAtGateway(scene, null, stranger(scene), begin(scene), own.integer(18, 24));
      for (let people = 5; people > 0; people--) {
        const person = somebody();
        const count = own.integer(11, 15);
        stayOnVpn(scene, { ...theft, person, access: person.home, from: begin(scene), count });
      }
    },
  },
  account_takeover: {
    summary:
      'The password of an account is guessed at the VPN; then the intruder is at the VPN and the single sign-on with it, and reads shares.',
    acts: [...VPN_ACTS, 'sign_on', 'check_factor', 'open_application'],
    write: (scene) => {
      const { own, somebody, step, world } = scene;
      for (let accounts = 3; accounts > 0; accounts--) {
        const person = somebody();
        const access = world.population.outsider(20_000 + own.integer(0, 159));
        const client = clientElsewhere(world, own, person, access, false);
        const visitor = { person, client, session: own.hex(16), isAdmin: false, isAway: true };
        const from = guessAtGateway(scene, person.user, access, begin(scene), own.integer(5, 8));
        const heavy = { phase: 'collect', technique: 'T1039', is_heavy: true } as const;
        stayOnVpn(scene, { ...heavy, person, access, from, count: own.integer(11, 15) });
        let at = from + humanGap(own);
        step('enter', 'T1078.004', rightPassword(visitor, at));
        at += humanGap(own);
        step('enter', 'T1078.004', factorCheck(visitor, at, own.chance(0.7) ? 'push' : 'code', 'accepted'));
        openSome(visitor, own, own.integer(14, 24), at, (act) => step('look', 'T1087.004', act));
      }
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
