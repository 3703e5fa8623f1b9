import { MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import { humanGap, toolGap } from '../activity/gaps.js';
import type { ActivityKind } from '../activity/kinds.js';
import {
  changeOf,
  factorCheck,
  openSome,
  rightPassword,
  signOff,
  type Visitor,
  wrongPassword,
} from '../activity/signOn.js';
import { clientElsewhere, proxyAccess, visitAt } from '../activity/visits.js';
import type { Person } from '../population/entities.js';
import { accessAbroad } from '../population/population.js';
import { begin, type CampaignScene, type Recipe } from './scene.js';
import { VPN_ACTS, writeTravel } from './vpn.js';

/** Places of attackers are those of people who travel, and proxies that people use, too. */
const attackerOf = ({ world, own }: CampaignScene, person: Person): Visitor => {
  const is_proxy = own.chance(0.3);
  const access = is_proxy ? proxyAccess(world, own) : accessAbroad(world, own);
  const client = clientElsewhere(world, own, person, access, is_proxy);
  return { person, client, session: own.hex(16), isAdmin: false, isAway: true };
};

const ON_ACCOUNTS: readonly ActivityKind[] = [
  ...(['sign_on', 'check_factor', 'open_application', 'change_sign_on', 'sign_off'] as const),
];

/** So many visits of a campaign are made on phones and computers that intruders have taken over: by night fewer, as most people sleep. */
const TAKEN_OVER = 10;

/** Visits as people make them at that time: with places of intruders alone, the shares of phones and of steps tell. */
const visitAsUsual = (scene: CampaignScene): void => {
  const { world, own, step } = scene;
  for (let index = 0; index < TAKEN_OVER; index++)
    for (const act of visitAt(world, own, begin(scene)))
      if (ON_ACCOUNTS.includes(act.kind)) step('look', 'T1078.004', act);
};

/** Intruders have lists of accounts: several are tried at a time, each from an address of its own, besides usual visits. */
const onAccounts = (
  scene: CampaignScene,
  count: number,
  write: (visitor: Visitor, from: Micros) => void,
): void => {
  const { own, from, somebody } = scene;
  visitAsUsual(scene);
  for (let index = 0; index < count; index++) {
    const start = from + Math.round(own.exponential(60) * MICROS_PER_SECOND);
    write(attackerOf(scene, somebody()), start);
  }
};

type Bounds = readonly [least: number, most: number];

/** Passwords are tried until one is right; then comes the second factor, and some applications are opened. Returns when it is over. */
export const guessAndEnter = (
  { own, step }: CampaignScene,
  visitor: Visitor,
  { tries, opened }: { readonly tries: Bounds; readonly opened: Bounds },
  from: Micros,
): Micros => {
  let at = from;
  for (let index = own.integer(...tries); index > 0; index--) {
    step('guess', 'T1110.001', wrongPassword({ ...visitor, session: 'none' }, own, at));
    at += toolGap(own);
  }
  step('enter', 'T1078.004', rightPassword(visitor, at));
  at += humanGap(own);
  step('enter', 'T1078.004', factorCheck(visitor, at, own.chance(0.7) ? 'push' : 'code', 'accepted'));
  return openSome(visitor, own, own.integer(...opened), at, (act) => step('look', 'T1087.004', act));
};

/** Attacks by way of the identity provider. Whoever gets in looks around as people do. */
export const SIGN_ON_RECIPES = {
  sso_brute_force: {
    summary:
      'Of three accounts, 12 to 25 wrong passwords from one address each, then a session that looks around.',
    acts: ON_ACCOUNTS,
    write: (scene) =>
      onAccounts(scene, 3, (visitor, from) => {
        const { own, step } = scene;
        const at = guessAndEnter(scene, visitor, { tries: [12, 25], opened: [20, 30] }, from);
        if (own.chance(0.4)) step('look', 'T1087.004', signOff(visitor, at + humanGap(own)));
      }),
  },
  mfa_fatigue: {
    summary:
      'Three stolen passwords, push after push until the person accepts one, then a factor of the intruder.',
    acts: ON_ACCOUNTS,
    write: (scene) =>
      onAccounts(scene, 3, (visitor, from) => {
        const { own, world, step } = scene;
        let at = from;
        step('enter', 'T1078.004', rightPassword(visitor, at));
        for (let index = own.integer(5, 11); index > 0; index--) {
          at += humanGap(own) + 2 * MICROS_PER_SECOND;
          const answer = own.chance(0.6) ? 'denied' : 'timed_out';
          step('push', 'T1621', factorCheck(visitor, at, 'push', answer));
        }
        at += humanGap(own);
        step('push', 'T1621', factorCheck(visitor, at, 'push', 'accepted'));
        at += humanGap(own);
        step('persist', 'T1556.006', changeOf(world, visitor, own, at, 'factor_added'));
        at = openSome(visitor, own, own.integer(22, 32), at, (act) => step('look', 'T1087.004', act));
        if (own.chance(0.4)) step('look', 'T1087.004', signOff(visitor, at + humanGap(own)));
      }),
  },
  impossible_travel: {
    summary: 'Two people who work sign in from far away as well, open applications, and connect to the VPN.',
    acts: [...ON_ACCOUNTS, ...VPN_ACTS],
    write: (scene) => {
      const visitors: (readonly [Visitor, Micros])[] = [];
      onAccounts(scene, 2, (visitor, from) => {
        const { own, step } = scene;
        let at = from;
        for (let index = own.chance(0.3) ? own.integer(1, 3) : 0; index > 0; index--) {
          step('enter', 'T1078.004', wrongPassword({ ...visitor, session: 'none' }, own, at));
          at += humanGap(own);
        }
        step('enter', 'T1078.004', rightPassword(visitor, at));
        at += humanGap(own);
        step('enter', 'T1078.004', factorCheck(visitor, at, own.chance(0.7) ? 'push' : 'code', 'accepted'));
        at = openSome(visitor, own, own.integer(12, 24), at, (act) => step('look', 'T1087.004', act));
        if (own.chance(0.4)) step('look', 'T1087.004', signOff(visitor, at + humanGap(own)));
        visitors.push([visitor, at]);
      });
      writeTravel(scene, visitors);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
