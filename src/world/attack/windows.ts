import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { temporaryAccount } from '../activity/accounts.js';
import { gap, humanGap, toolGap } from '../activity/gaps.js';
import { addressOfName } from '../activity/nameAddress.js';
import { programFacts } from '../activity/people.js';
import { ADMIN_TOOLS, EXPLORER, SCHEDULED, SERVICES, SHORT, WMI_PROVIDER } from '../activity/programs.js';
import type { Act } from '../activity/scribe.js';
import { SHARED_FILES } from '../activity/sites.js';
import {
  computerOf,
  credentialFacts,
  monitoringFacts,
  remoteFacts,
  remoteTry,
  serviceFacts,
  ticketFacts,
} from '../activity/windows.js';
import { weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import { logonId, processId } from '../schedule/day.js';
import { COVER_ACTS } from './cover.js';
import { lookAround, stageFiles, writeUploads } from './edge.js';
import type { CampaignScene, Recipe } from './scene.js';

const toolAt = weighted(ADMIN_TOOLS);
const shortAt = weighted(SHORT);
const scheduledAt = weighted(SCHEDULED);

type Base = Pick<Act, 'person' | 'host' | 'session'>;

const asPerson = ({ logonOf }: CampaignScene, person: Person): Base => ({
  ...{ person, host: person.workstation, session: logonOf(person) },
});
const asMachine = (host: WorldHost): Base => ({ person: null, host, session: '0x3e7' });

const people = ({ somebody }: CampaignScene, count: number): readonly Person[] => {
  const found = new Set<Person>();
  for (let index = 0; index < count; index++) found.add(somebody((person) => !found.has(person)));
  return [...found];
};

const windowsServers = ({ world }: CampaignScene): readonly WorldHost[] =>
  world.population.servers.filter(({ os }) => os.family === 'windows');

/** What an intruder does at a machine that is theirs: the acts of people and services, as often as those. */
const HANDS_ON = weighted([
  [16, 'share'],
  [14, 'policy'],
  [20, 'program'],
  [20, 'task'],
  [8, 'remote_tool'],
  [11, 'service'],
  [13, 'ticket'],
  [4, 'credentials'],
] as const);

const HANDS_ON_ACTS = [
  'use_share',
  'run_program',
  'start_service',
  'request_ticket',
  'use_credentials',
] as const;

/** How long an intruder is busy. */
const SPAN = 12 * MICROS_PER_MINUTE;

/** Spreads what an intruder does beside the steps that the attack is about over its machines and its time. */
const handsOn = (scene: CampaignScene, theirs: readonly Person[], count: number, phase: string): void => {
  const { own, from, world, planOf, step } = scene;
  for (let index = 0; index < count; index++) {
    const at = from + Math.floor(own.next() * SPAN);
    const person = own.pick(theirs);
    const plan = planOf(person);
    const does = HANDS_ON(own.next());
    // A machine is off without its person.
    if (plan === null || at >= plan.span[1] - MICROS_PER_MINUTE || world.addressOf(person, at) === null)
      continue;
    const host = person.workstation;
    switch (does) {
      case 'share':
      case 'policy': {
        const isPerson = does === 'share';
        const server = own.pick(world.population.serversOf(isPerson ? 'file_server' : 'domain_controller'));
        const path = isPerson ? own.pick(SHARED_FILES) : 'Policies\\gpt.ini';
        const facts = { server, path, logon_id: logonId(own), has_ticket: own.chance(0.6) };
        const base = isPerson ? asPerson(scene, person) : asMachine(host);
        step(phase, 'T1135', { ...base, kind: 'use_share', at, facts });
        break;
      }
      case 'program':
      case 'task': {
        const isPerson = does === 'program';
        const program = isPerson
          ? own.chance(0.12)
            ? toolAt(own.next())
            : shortAt(own.next())
          : scheduledAt(own.next());
        const parent = isPerson
          ? { parent_image: EXPLORER.image, parent_pid: plan.explorer_pid }
          : { parent_image: SERVICES, parent_pid: own.integer(150, 260) * 4 };
        const facts = { ...programFacts(program), pid: processId(own), ...parent };
        const base = isPerson ? asPerson(scene, person) : asMachine(host);
        step(phase, 'T1059', { ...base, kind: 'run_program', at, facts });
        break;
      }
      case 'remote_tool': {
        const base = asMachine(own.pick(windowsServers(scene)));
        step(phase, 'T1047', { ...base, kind: 'run_program', at, facts: monitoringFacts(own) });
        break;
      }
      case 'service':
        step(phase, 'T1569.002', {
          ...{
            ...asMachine(own.chance(0.5) ? own.pick(windowsServers(scene)) : host),
            kind: 'start_service',
          },
          ...{ at, facts: serviceFacts(own) },
        });
        break;
      case 'ticket':
        step(phase, 'T1558', {
          ...{ ...asMachine(host), kind: 'request_ticket', at, facts: ticketFacts(own, world) },
        });
        break;
      case 'credentials':
        step(phase, 'T1078.002', {
          ...{ ...asMachine(host), kind: 'use_credentials', at, facts: credentialFacts(own, world, host) },
        });
        break;
    }
  }
};

/** Wrong passwords of one account from a workstation, then a session with it on the target. */
const guessInside = (scene: CampaignScene, insider: Person, tries: number): void => {
  const { own, step, world, somebody } = scene;
  const { user: account } = somebody((person) => person !== insider);
  const host = insider.workstation;
  const target = own.pick(windowsServers(scene));
  let at = scene.from;
  for (let index = 0; index < tries; index++) {
    const facts = { account, target, reason: 'bad_password', type: 3, locks: false };
    step('guess', 'T1110.001', { ...asMachine(host), kind: 'try_password', at, facts });
    at += toolGap(own);
  }
  const base = { person: null, host, session: null };
  const facts = { server: target, protocol: 'smb', logon_id: logonId(own), account };
  step('enter', 'T1078.002', { ...base, kind: 'administer', at, facts });
  for (let files = own.integer(2, 5); files > 0; files--) {
    at += humanGap(own);
    const server = own.pick(world.population.serversOf('file_server'));
    const share = { server, path: own.pick(SHARED_FILES), logon_id: logonId(own), has_ticket: false };
    step('enter', 'T1078.002', { ...base, kind: 'use_share', at, facts: { ...share, account } });
  }
  step('enter', 'T1078.002', { ...base, kind: 'finish_work', at: at + humanGap(own), facts });
};

/** The same from the internet, on the published server. */
const guessOutside = (scene: CampaignScene, tries: number): void => {
  const { own, step, world, somebody } = scene;
  const { user: account } = somebody();
  const number = scannerNumber(own);
  const { ip } = world.population.outsider(number);
  const base = { person: null, host: null, session: null };
  let at = scene.from;
  for (let index = 0; index < tries; index++) {
    const facts = remoteTry(world, account, ip, computerOf(world, number));
    step('guess', 'T1110.001', { ...base, kind: 'try_remotely', at, facts });
    at += toolGap(own);
  }
  const facts = { ...remoteFacts(own, world, ip), account };
  step('enter', 'T1078.002', { ...base, kind: 'work_remotely', at, facts });
  step('enter', 'T1078.002', { ...base, kind: 'finish_remotely', at: at + gap(own, 200, 0.6), facts });
};

/** One host more of somebody who moves on. Returns when that is over. */
const onServer = (scene: CampaignScene, person: Person, server: WorldHost, from: Micros): Micros => {
  const { own, step } = scene;
  const logon_id = logonId(own);
  const base = asPerson(scene, person);
  const facts = { server, protocol: 'wmi', logon_id };
  step('move', 'T1021.006', { ...base, kind: 'administer', at: from, facts });
  let at = from + humanGap(own);
  const parent_pid = own.integer(150, 1_600) * 4;
  for (let index = own.integer(1, 3); index > 0; index--) {
    const program = { ...programFacts(toolAt(own.next())), pid: processId(own) };
    step('move', 'T1047', {
      ...{ person, host: server, session: logon_id, kind: 'run_program', at },
      facts: { ...program, parent_image: WMI_PROVIDER, parent_pid },
    });
    at += humanGap(own);
  }
  step('move', 'T1021.006', { ...base, kind: 'finish_work', at, facts });
  return at;
};

/** An account comes and goes, and in between belongs to those who may do all. */
const CHANGES = [
  ['created', null, 'T1136.002'],
  ['enabled', null, 'T1098'],
  ['password_reset', null, 'T1098'],
  ['added', 'Server Operators', 'T1098.007'],
  ['added', 'Domain Admins', 'T1098.007'],
  ['removed', 'Domain Admins', 'T1070'],
  ['removed', null, 'T1070'],
] as const;

const SECRETS = [
  'finance\\salaries.xlsx',
  'contracts\\customer.docx',
  'finance\\budget.xlsx',
  'engineering\\drawing.pdf',
];

/** Attacks that the security log of a domain shows. All of their steps are acts that normal traffic has, too. */
export const WINDOWS_RECIPES = {
  brute_force: {
    summary:
      '20 to 60 wrong passwords of one account from one address, inside and from outside, then a session with it.',
    acts: [
      ...HANDS_ON_ACTS,
      'administer',
      'finish_work',
      'try_password',
      'try_remotely',
      'work_remotely',
      'finish_remotely',
    ],
    write: (scene) => {
      const theirs = people(scene, 8);
      const [inside, outside] = [scene.own.integer(20, 60), scene.own.integer(20, 60)];
      guessInside(scene, theirs[0] as Person, inside);
      guessOutside(scene, outside);
      handsOn(scene, theirs, Math.round((inside + outside) * 2.2), 'look');
    },
  },
  lateral_movement: {
    summary: 'Three accounts each go from a workstation to 4 to 12 hosts and run commands there.',
    acts: [...HANDS_ON_ACTS, 'administer', 'finish_work'],
    write: (scene) => {
      const { own, somebody } = scene;
      const movers = [somebody(({ is_admin }) => is_admin)];
      while (movers.length < 3) movers.push(somebody(({ is_engineer }) => is_engineer));
      let hops = 0;
      for (const person of movers) {
        let at = scene.from;
        for (let index = own.integer(4, 12); index > 0; index--) {
          at = onServer(scene, person, own.pick(windowsServers(scene)), at) + humanGap(own);
          hops++;
        }
      }
      handsOn(scene, [...movers, ...people(scene, 6)], hops * 6, 'look');
    },
  },
  privilege_change: {
    summary: 'Accounts are made, added to groups of administrators, used, and removed.',
    acts: [...HANDS_ON_ACTS, 'change_account'],
    write: (scene) => {
      const { own, from, somebody, world, step } = scene;
      for (let index = 0; index < 3; index++) {
        const person = somebody(({ is_admin }) => is_admin);
        const target = temporaryAccount(own.integer(0, world.population.size - 1));
        const base = asPerson(scene, person);
        let at = from + gap(own, 20, 0.8);
        for (const [action, group, technique] of CHANGES) {
          step('change', technique, {
            ...base,
            kind: 'change_account',
            at,
            facts: { action, group, target },
          });
          at += gap(own, 40, 0.8);
          if (group !== 'Domain Admins' || action !== 'added') continue;
          const server = own.pick(windowsServers(scene));
          const program = 'C:\\Windows\\System32\\runas.exe';
          const facts = { server, program, account: target, logon_id: logonId(own) };
          step('use', 'T1078.002', { ...base, kind: 'use_credentials', at, facts });
          at += gap(own, 40, 0.8);
        }
      }
      handsOn(scene, people(scene, 8), 40, 'look');
    },
  },
  data_theft: {
    summary: 'Files of a share are read in a row, and much is sent to a place for files outside.',
    acts: [...HANDS_ON_ACTS, ...COVER_ACTS, 'look_up', 'keep_network'],
    write: (scene) => {
      const { own, step, from, world } = scene;
      const thieves = people(scene, 3);
      let files = 0;
      for (const person of thieves) {
        const base = asPerson(scene, person);
        const server = own.pick(world.population.serversOf('file_server'));
        let at = from + gap(own, 20, 0.8);
        for (let index = own.integer(10, 25); index > 0; index--) {
          const logon_id = logonId(own);
          const facts = { server, path: own.pick(SECRETS), logon_id, has_ticket: own.chance(0.7) };
          step('collect', 'T1039', { ...base, kind: 'use_share', at, facts });
          at += humanGap(own);
          files++;
        }
        const name = 'share.big-files.example';
        for (let index = own.integer(3, 8); index > 0; index--) {
          const facts = {
            ...{ name, to_ip: addressOfName(world, name), is_known: own.chance(0.55) },
            bytes: Math.round(own.lognormal(70_000, 1.3)),
          };
          step('send', 'T1567.002', { ...base, kind: 'browse', at, facts });
          at += humanGap(own);
        }
      }
      handsOn(scene, [...thieves, ...people(scene, 6)], files * 3, 'look');
      writeUploads(scene);
      lookAround(scene, thieves, { names: 300, shells: 25, services: 25 });
      stageFiles(scene);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
