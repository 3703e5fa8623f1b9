import { MICROS_PER_MINUTE } from '../../domain/time/micros.js';
import { probeFacts, somePublicAddress } from '../activity/edge.js';
import { gap } from '../activity/gaps.js';
import { connectFromServer } from '../activity/linux/doings.js';
import { wrongSshPassword } from '../activity/linux/minute.js';
import { GUESSED_ACCOUNTS } from '../activity/linux/programs.js';
import { lookUpOf } from '../activity/lookups.js';
import { mailFromOutside } from '../activity/mail/inbox.js';
import {
  drawFlow,
  publicEnd,
  publicEndV6,
  someDevice,
  sortsAt,
  type TrafficAim,
} from '../activity/routers/traffic.js';
import { strangerReason, vpnSessionOf, wrongVpnPassword } from '../activity/vpn.js';
import { remoteFacts } from '../activity/windows.js';
import type { Person } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import { atOffice, blendIn, CALLING, COVER_ACTS, openPage, sometime } from './cover.js';
import { begin, type CampaignScene, type Recipe } from './scene.js';

/** Where files go that are sent outside: people send some there, too. */
const STORES = [
  ...['share.big-files.example', 'dl.big-files.example', 'docs.mailsuite.example'],
  ...['paste.text-bin.example', 'registry.code-forge.example', 'git.code-forge.example'],
];

/** Infected workstations try other ways to the one who gives orders, and are refused; their owners look for more. */
export const writeCalls = (scene: CampaignScene, beacons: number): void => {
  // What the resolver hears of an attack by names, `writeBeacons` says.
  blendIn(scene, atOffice(scene, 30), 800, { page: beacons }, true);
};

/** How often intruders look around inside: in names, at shells of servers, and at what servers have. */
interface LookingAround {
  readonly names: number;
  readonly shells: number;
  readonly services: number;
}

/** Share of the flows of an attack that are aimed at something. */
const AIMED_SHARE = 0.2;

/**
 * What passes routers on behalf of an attack, in the shares of everyday life at that time. A part of it is aimed: it is of
 * one sort, and has the ends that are given.
 */
const passRouters = (
  { own, world, from, step }: CampaignScene,
  [phase, technique]: readonly [phase: string, technique: string],
  count: number,
  aims: readonly TrafficAim[],
): void => {
  const sortOf = sortsAt(world, own, from);
  for (let index = 0; index < count; index++) {
    const at = from + Math.floor(own.next() * (CALLING + 4 * MICROS_PER_MINUTE));
    const aim = own.chance(AIMED_SHARE) ? own.pick(aims) : { sort: sortOf() };
    drawFlow(world, own, at, aim, (act) => step(phase, technique, act));
  }
};

/** Looks around inside: by programs of workstations that their owners use, and from one server to the next. */
export const lookAround = (
  scene: CampaignScene,
  people: readonly Person[],
  { names, shells, services }: LookingAround,
): void => {
  const { own, world, planOf, step } = scene;
  const servers = world.population.servers.filter(({ os }) => os.family === 'linux');
  for (let index = 0; index < names; index++) {
    const person = own.pick(people);
    const at = sometime(scene);
    const isServer = own.chance(0.35);
    const host = isServer ? own.pick(servers) : person.workstation;
    const facts = lookUpOf(own, world, host);
    const plan = planOf(person);
    if (plan === null || at >= plan.span[1] || world.addressOf(person, at) === null) continue;
    const base = { person: isServer ? null : person, host, session: null };
    step('discover', 'T1018', { ...base, kind: 'look_up', at, facts });
  }
  for (let index = 0; index < shells; index++) {
    const base = { person: null, host: own.pick(servers), session: null };
    const facts = wrongSshPassword(own.pick(servers), own.pick(GUESSED_ACCOUNTS), 'bad_password');
    step('spread', 'T1021.004', { ...base, kind: 'try_ssh', at: sometime(scene), facts });
  }
  for (let index = 0; index < services; index++) {
    const { act } = connectFromServer({ own, world, host: own.pick(servers) });
    const at = sometime(scene);
    if (act.facts['to'] !== null) step('discover', 'T1046', { ...act, at });
  }
};

/** Copies files from one place to the next before they leave. */
export const stageFiles = (scene: CampaignScene): void => {
  const { own, world } = scene;
  const aims = Array.from({ length: 4 }, () => ({ sort: 'copies', from: someDevice(world, own) }) as const);
  passRouters(scene, ['collect', 'T1074.002'], 600, aims);
};

/** Sends files from a few workstations to stores outside, between the pages that the intruder opens there. */
export const writeUploads = (scene: CampaignScene): void => {
  const { own } = scene;
  const thieves = atOffice(scene, 10);
  let pages = 0;
  for (const person of thieves) {
    const store = own.pick(STORES);
    let at = begin(scene);
    for (let index = own.integer(11, 16); index > 0; index--) {
      pages++;
      const sends = own.chance(0.3);
      openPage(
        scene,
        person,
        at,
        sends ? ['send', 'T1567.002'] : ['look', 'T1071.001'],
        sends ? { store } : {},
      );
      at += gap(own, 30, 0.8);
    }
  }
  blendIn(scene, thieves, 480, { page: pages });
};

/** Tries ports of one address, one after the other, and opens a desktop on the published server in the end. Returns how many ports. */
const scan = (scene: CampaignScene): number => {
  const { own, world, somebody, step } = scene;
  const { ip } = world.population.outsider(scannerNumber(own));
  const target = somePublicAddress(own);
  let at = begin(scene);
  const ports = own.integer(24, 40);
  for (let tried = 0; tried < ports; tried++) {
    const base = { person: null, host: null, session: null };
    step('scan', 'T1595.001', { ...base, kind: 'probe', at, facts: probeFacts(own, ip, target) });
    at += gap(own, 2.5, 0.8);
  }
  const account = somebody().user;
  const facts = { ...remoteFacts(own, world, ip), account };
  const base = { person: null, host: null, session: null };
  step('enter', 'T1133', { ...base, kind: 'work_remotely', at, facts });
  step('enter', 'T1133', { ...base, kind: 'finish_remotely', at: at + gap(own, 200, 0.6), facts });
  return ports;
};

/** Attacks that a firewall at the edge sees. All of their steps are acts that normal traffic has, too. */
export const EDGE_RECIPES = {
  port_scan: {
    summary:
      'Three outsiders each try 24 to 40 ports of one address and get in by a remote desktop; ten workstations then talk to the internet.',
    acts: [...COVER_ACTS, 'work_remotely', 'finish_remotely', 'look_up', 'keep_network'],
    write: (scene) => {
      const { own, world } = scene;
      let probe = 0;
      for (let scanners = 3; scanners > 0; scanners--) probe += scan(scene);
      const taken = atOffice(scene, 10);
      blendIn(scene, taken, 440, { probe });
      lookAround(scene, taken, { names: 200, shells: 20, services: 25 });
      const froms = Array.from({ length: 4 }, () => someDevice(world, own));
      const aims = froms.map((from) => ({ sort: 'sweeps', from }) as const);
      passRouters(scene, ['discover', 'T1018'], 420, aims);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;

/** Outsiders knock at everything that is published: an address, the VPN, the shell, mail. */
const knock = (scene: CampaignScene, { probe, login, shell, mail }: Knocks): void => {
  const { own, world, step } = scene;
  const crowd = Array.from({ length: 60 }, () => world.population.outsider(scannerNumber(own)));
  const targets = Array.from({ length: 3 }, () => somePublicAddress(own));
  const base = { person: null, host: null, session: null };
  for (let index = 0; index < probe; index++) {
    const facts = probeFacts(own, own.pick(crowd).ip, own.pick(targets));
    step('flood', 'T1498.001', { ...base, kind: 'probe', at: sometime(scene), facts });
  }
  for (let index = 0; index < login; index++) {
    const facts = wrongVpnPassword(own.pick(GUESSED_ACCOUNTS), own.pick(crowd), strangerReason(own, false));
    const session = vpnSessionOf(own);
    step('flood', 'T1499.002', { ...base, session, kind: 'connect_vpn', at: sometime(scene), facts });
  }
  for (let index = 0; index < shell; index++) {
    const server = own.pick(world.population.serversOf('jump_host'));
    const { ip } = own.pick(crowd);
    const facts = wrongSshPassword(server, own.pick(GUESSED_ACCOUNTS), 'unknown_user', ip);
    step('flood', 'T1499.002', { ...base, kind: 'try_ssh', at: sometime(scene), facts });
  }
  for (let index = 0; index < mail; index++) {
    const person = world.population.person(own.integer(0, world.population.size - 1));
    const facts = mailFromOutside(world, own, 'spam');
    step('flood', 'T1499.002', { ...base, person, kind: 'receive_mail', at: sometime(scene), facts });
  }
};

type Knocks = Readonly<Record<'probe' | 'login' | 'shell' | 'mail', number>>;

/** Attacks on how much the edge can carry. */
export const FLOOD_RECIPES = {
  ddos: {
    summary:
      'Some sixty outsiders flood addresses, the VPN, the shell and mail, and workstations inside take part.',
    acts: [...COVER_ACTS, 'look_up', 'keep_network'],
    write: (scene) => {
      const knocks = { probe: 130, login: 35, shell: 15, mail: 50 };
      knock(scene, knocks);
      const { own } = scene;
      const bots = atOffice(scene, 30);
      blendIn(scene, bots, 330, knocks);
      lookAround(scene, bots, { names: 200, shells: 25, services: 15 });
      passRouters(scene, ['flood', 'T1498.001'], 300, [
        { sort: 'knocks', to: publicEnd(own) },
        { sort: 'knocks', to: publicEnd(own) },
        { sort: 'knocks_v6', to: publicEndV6(own) },
      ]);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
