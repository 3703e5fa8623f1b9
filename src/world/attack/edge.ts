import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { probeFacts, refusedFacts, somePublicAddress } from '../activity/edge.js';
import { programFor } from '../activity/endpoint.js';
import { gap } from '../activity/gaps.js';
import { connectFromServer } from '../activity/linux/doings.js';
import { wrongSshPassword } from '../activity/linux/minute.js';
import { GUESSED_ACCOUNTS } from '../activity/linux/programs.js';
import { lookUpOf } from '../activity/lookups.js';
import { mailFromOutside } from '../activity/mail/inbox.js';
import { addressOfName } from '../activity/nameAddress.js';
import { CHROME } from '../activity/people.js';
import { SESSION_BROWSER } from '../activity/programs.js';
import {
  drawFlow,
  publicEnd,
  publicEndV6,
  someDevice,
  sortsAt,
  type TrafficAim,
} from '../activity/routers/traffic.js';
import { MACHINE_SITES, SITES } from '../activity/sites.js';
import { strangerReason, vpnSessionOf, wrongVpnPassword } from '../activity/vpn.js';
import { remoteFacts } from '../activity/windows.js';
import { weighted } from '../draw.js';
import type { Person } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import { begin, type CampaignScene, type Recipe } from './scene.js';

const siteAt = weighted(SITES);
const machineSiteAt = weighted(MACHINE_SITES);

/** How long programs of intruders are busy. */
const CALLING = 9 * MICROS_PER_MINUTE;

/** Where files go that are sent outside: people send some there, too. */
const STORES = [
  ...['share.big-files.example', 'dl.big-files.example', 'docs.mailsuite.example'],
  ...['paste.text-bin.example', 'registry.code-forge.example', 'git.code-forge.example'],
];

/** People at the office: what goes to the internet from home does not pass the firewall. */
const atOffice = ({ somebody, world, from }: CampaignScene, count: number): readonly Person[] => {
  const found = new Set<Person>();
  for (let index = 0; index < count; index++)
    found.add(somebody((one) => !found.has(one) && world.addressOf(one, from)?.zone === 'office'));
  return [...found];
};

/** A page that somebody opens, or one that a file is sent to; nothing when the machine is off or not at the office. */
const openPage = (
  scene: CampaignScene,
  person: Person,
  at: Micros,
  [phase, technique]: readonly [phase: string, technique: string],
  store: string | null = null,
): void => {
  const { own, world, planOf, step } = scene;
  const plan = planOf(person);
  const name = store ?? siteAt(own.next());
  const facts = {
    ...{ name, to_ip: addressOfName(world, name), is_known: own.chance(0.55) },
    bytes: Math.round(own.lognormal(70_000, 1.3)),
    ...(store === null ? {} : { is_upload: true }),
  };
  if (plan === null || at >= plan.span[1] || world.addressOf(person, at)?.zone !== 'office') return;
  const base = { person, host: person.workstation, session: plan.logon_id };
  const browser = programFor(plan, at, [CHROME, SESSION_BROWSER]);
  step(phase, technique, {
    ...{ ...base, kind: 'browse', at },
    facts: { ...facts, image: browser.image, pid: browser.pid },
  });
};

/** What an intruder's program on a workstation does by itself: it looks like updates, and tries what is refused. */
const callOut = (scene: CampaignScene, people: readonly Person[], pages: number, refused: number): void => {
  const { own, world, planOf, step } = scene;
  for (let index = 0; index < pages + refused; index++) {
    const person = own.pick(people);
    const at = begin(scene) + Math.floor(own.next() * CALLING);
    const plan = planOf(person);
    const name = machineSiteAt(own.next());
    const page = {
      ...{ name, to_ip: addressOfName(world, name), is_known: own.chance(0.4) },
      bytes: Math.round(own.lognormal(9_000, 1.2)),
    };
    const tried = refusedFacts(world, own);
    if (plan === null || at >= plan.span[1] || world.addressOf(person, at)?.zone !== 'office') continue;
    const base = { host: person.workstation, session: null, at };
    if (index < pages) step('call', 'T1071.001', { ...base, person: null, kind: 'browse', facts: page });
    else step('call', 'T1571', { ...base, person, kind: 'try_outside', facts: tried });
  }
};

/** A tool on servers with Linux opens pages, as their updates do, of names that they know. */
const fromServers = ({ own, world, from, step }: CampaignScene, pages: number): void => {
  const servers = world.population.servers.filter(({ os }) => os.family === 'linux');
  for (let index = 0; index < pages; index++) {
    const at = from + Math.floor(own.next() * CALLING);
    const name = machineSiteAt(own.next());
    const facts = {
      ...{ name, to_ip: addressOfName(world, name), is_known: true },
      bytes: Math.round(own.lognormal(9_000, 1.2)),
    };
    const base = { person: null, host: own.pick(servers), session: null };
    step('spread', 'T1105', { ...base, kind: 'browse', at, facts });
  }
};

/** Outsiders look for other ways in. */
const probeOn = (scene: CampaignScene, probes: number): void => {
  const { own, world, step } = scene;
  const scanners = Array.from({ length: 4 }, () => world.population.outsider(scannerNumber(own)).ip);
  for (let index = 0; index < probes; index++) {
    const at = begin(scene) + Math.floor(own.next() * CALLING);
    const facts = probeFacts(own, own.pick(scanners), somePublicAddress(own));
    step('scan', 'T1595.001', { person: null, host: null, session: null, kind: 'probe', at, facts });
  }
};

/** Infected workstations try other ways to the one who gives orders, and are refused; their owners look for more. */
export const writeCalls = (scene: CampaignScene): void => {
  callOut(scene, atOffice(scene, 30), 0, 170);
  fromServers(scene, 140);
  probeOn(scene, 250);
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

export const LOOKING_AROUND = ['look_up', 'try_ssh', 'reach_server'] as const;

/** Looks around inside: by programs of workstations that their owners use, and from one server to the next. */
export const lookAround = (
  scene: CampaignScene,
  people: readonly Person[],
  { names, shells, services }: LookingAround,
): void => {
  const { own, world, planOf, step } = scene;
  const when = (): Micros => begin(scene) + Math.floor(own.next() * CALLING);
  const servers = world.population.servers.filter(({ os }) => os.family === 'linux');
  for (let index = 0; index < names; index++) {
    const person = own.pick(people);
    const at = when();
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
    step('spread', 'T1021.004', { ...base, kind: 'try_ssh', at: when(), facts });
  }
  for (let index = 0; index < services; index++) {
    const { act } = connectFromServer({ own, world, host: own.pick(servers) });
    const at = when();
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
  for (const person of thieves) {
    const store = own.pick(STORES);
    let at = begin(scene);
    for (let index = own.integer(11, 16); index > 0; index--) {
      const sends = own.chance(0.3);
      openPage(
        scene,
        person,
        at,
        sends ? ['send', 'T1567.002'] : ['look', 'T1071.001'],
        sends ? store : null,
      );
      at += gap(own, 30, 0.8);
    }
  }
  callOut(scene, thieves, 50, 60);
  fromServers(scene, 55);
  probeOn(scene, 170);
};

/** Tries ports of one address, one after the other, and opens a desktop on the published server in the end. */
const scan = (scene: CampaignScene): void => {
  const { own, world, somebody, step } = scene;
  const { ip } = world.population.outsider(scannerNumber(own));
  const target = somePublicAddress(own);
  let at = begin(scene);
  for (let ports = own.integer(24, 40); ports > 0; ports--) {
    const base = { person: null, host: null, session: null };
    step('scan', 'T1595.001', { ...base, kind: 'probe', at, facts: probeFacts(own, ip, target) });
    at += gap(own, 2.5, 0.8);
  }
  const account = somebody().user;
  const facts = { ...remoteFacts(own, world, ip), account };
  const base = { person: null, host: null, session: null };
  step('enter', 'T1133', { ...base, kind: 'work_remotely', at, facts });
  step('enter', 'T1133', { ...base, kind: 'finish_remotely', at: at + gap(own, 200, 0.6), facts });
};

/** Attacks that a firewall at the edge sees. All of their steps are acts that normal traffic has, too. */
export const EDGE_RECIPES = {
  port_scan: {
    summary:
      'Three outsiders each try 24 to 40 ports of one address and get in by a remote desktop; ten workstations then talk to the internet.',
    acts: [
      ...(['probe', 'work_remotely', 'finish_remotely', 'browse', 'try_outside'] as const),
      ...LOOKING_AROUND,
      'keep_network',
    ],
    write: (scene) => {
      const { own, world } = scene;
      for (let scanners = 3; scanners > 0; scanners--) scan(scene);
      const taken = atOffice(scene, 10);
      for (const person of taken) {
        let at = begin(scene);
        for (let index = own.integer(6, 10); index > 0; index--) {
          openPage(scene, person, at, ['look', 'T1071.001']);
          at += gap(own, 40, 0.8);
        }
      }
      callOut(scene, taken, 30, 25);
      fromServers(scene, 20);
      lookAround(scene, taken, { names: 200, shells: 20, services: 25 });
      const froms = Array.from({ length: 4 }, () => someDevice(world, own));
      const aims = froms.map((from) => ({ sort: 'sweeps', from }) as const);
      passRouters(scene, ['discover', 'T1018'], 250, aims);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;

/** Outsiders knock at everything that is published: an address, the VPN, the shell, mail. */
const knock = (scene: CampaignScene, { probes, logins, shells, mails }: Knocks): void => {
  const { own, world, step } = scene;
  const crowd = Array.from({ length: 60 }, () => world.population.outsider(scannerNumber(own)));
  const targets = Array.from({ length: 3 }, () => somePublicAddress(own));
  const base = { person: null, host: null, session: null };
  const when = (): Micros => begin(scene) + Math.floor(own.next() * CALLING);
  for (let index = 0; index < probes; index++) {
    const facts = probeFacts(own, own.pick(crowd).ip, own.pick(targets));
    step('flood', 'T1498.001', { ...base, kind: 'probe', at: when(), facts });
  }
  for (let index = 0; index < logins; index++) {
    const facts = wrongVpnPassword(own.pick(GUESSED_ACCOUNTS), own.pick(crowd), strangerReason(own, false));
    const session = vpnSessionOf(own);
    step('flood', 'T1499.002', { ...base, session, kind: 'connect_vpn', at: when(), facts });
  }
  for (let index = 0; index < shells; index++) {
    const server = own.pick(world.population.serversOf('jump_host'));
    const { ip } = own.pick(crowd);
    const facts = wrongSshPassword(server, own.pick(GUESSED_ACCOUNTS), 'unknown_user', ip);
    step('flood', 'T1499.002', { ...base, kind: 'try_ssh', at: when(), facts });
  }
  for (let index = 0; index < mails; index++) {
    const person = world.population.person(own.integer(0, world.population.size - 1));
    const facts = mailFromOutside(world, own, 'spam');
    step('flood', 'T1499.002', { ...base, person, kind: 'receive_mail', at: when(), facts });
  }
};

interface Knocks {
  readonly probes: number;
  readonly logins: number;
  readonly shells: number;
  readonly mails: number;
}

/** Attacks on how much the edge can carry. */
export const FLOOD_RECIPES = {
  ddos: {
    summary:
      'Some sixty outsiders flood addresses, the VPN, the shell and mail, and workstations inside take part.',
    acts: [
      ...(['probe', 'connect_vpn', 'receive_mail'] as const),
      ...(['browse', 'try_outside'] as const),
      ...LOOKING_AROUND,
      'keep_network',
    ],
    write: (scene) => {
      knock(scene, { probes: 130, logins: 35, shells: 15, mails: 50 });
      const { own } = scene;
      const bots = atOffice(scene, 30);
      callOut(scene, bots, 60, 20);
      fromServers(scene, 20);
      lookAround(scene, bots, { names: 200, shells: 25, services: 15 });
      passRouters(scene, ['flood', 'T1498.001'], 300, [
        { sort: 'knocks', to: publicEnd(own) },
        { sort: 'knocks', to: publicEnd(own) },
        { sort: 'knocks_v6', to: publicEndV6(own) },
      ]);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
