import type { Micros } from '../../domain/time/micros.js';
import { IDENTITY_SYNC, temporaryAccount } from '../activity/accounts.js';
import { gap, humanGap, toolGap } from '../activity/gaps.js';
import type { ActivityFacts } from '../activity/kinds.js';
import { pageFacts } from '../activity/nameAddress.js';
import { CACHED_SHARE, OPENED_BYTES, programFacts } from '../activity/people.js';
import { ADMIN_TOOLS, WMI_PROVIDER } from '../activity/programs.js';
import type { Act } from '../activity/scribe.js';
import { SHARED_FILES } from '../activity/sites.js';
import { computerOf, credentialFacts, monitoringFacts, remoteFacts, remoteTry } from '../activity/windows.js';
import { weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import { logonId, processId } from '../schedule/day.js';
import { COVER_ACTS } from './cover.js';
import { lookAround, stageFiles, writeUploads } from './edge.js';
import { blendHosts, castOf, DOMAIN_ACTS, type HostCast, windowsServers } from './hostCover.js';
import type { CampaignScene, Recipe } from './scene.js';

const toolAt = weighted(ADMIN_TOOLS);

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

/** A machine of the intruder: by night and at the weekend, when workstations are off, a server. */
const machineOf = (scene: CampaignScene, { isQuiet, servers }: HostCast): WorldHost =>
  isQuiet ? scene.own.pick(servers) : scene.somebody().workstation;

/** Wrong passwords of one account from a machine, then a session with it on the target. */
const guessInside = (scene: CampaignScene, host: WorldHost, tries: number): void => {
  const { own, step, world, somebody } = scene;
  const { user: account } = somebody(({ workstation }) => workstation !== host);
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

/** When nobody is at work: from one server to the next with the account of an administrator or a service, and tools there. */
const moveByNight = (scene: CampaignScene, servers: readonly WorldHost[], hops: number): void => {
  const { own, world, step } = scene;
  let host = own.pick(servers);
  let at = scene.from + gap(own, 20, 0.8);
  for (let index = hops; index > 0; index--) {
    const server = own.pick(windowsServers(scene));
    const facts = { ...credentialFacts(own, world, host), server };
    step('move', 'T1021.006', { ...asMachine(host), kind: 'use_credentials', at, facts });
    for (let tools = own.integer(1, 3); tools > 0; tools--) {
      at += humanGap(own);
      step('move', 'T1047', { ...asMachine(server), kind: 'run_program', at, facts: monitoringFacts(own) });
    }
    at += humanGap(own);
    host = server;
  }
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

/** Makes an account, lets it do all, uses it, and removes it. By night it is the account of the personnel system that does. */
const changeAccounts = (scene: CampaignScene, { isQuiet }: HostCast): void => {
  const { own, from, somebody, world, step } = scene;
  const target = temporaryAccount(own.integer(0, world.population.size - 1));
  const sync = world.population.serversOf('application_server')[0] as WorldHost;
  const base = isQuiet
    ? asMachine(sync)
    : asPerson(
        scene,
        somebody(({ is_admin }) => is_admin),
      );
  const by = isQuiet ? { account: IDENTITY_SYNC } : {};
  let at = from + gap(own, 20, 0.8);
  for (const [action, group, technique] of CHANGES) {
    const facts = { action, group, target, ...by };
    step('change', technique, { ...base, kind: 'change_account', at, facts });
    at += gap(own, 40, 0.8);
    if (group !== 'Domain Admins' || action !== 'added') continue;
    const program = 'C:\\Windows\\System32\\runas.exe';
    const used = {
      server: own.pick(windowsServers(scene)),
      program,
      account: target,
      logon_id: logonId(own),
    };
    step('use', 'T1078.002', { ...base, kind: 'use_credentials', at, facts: used });
    at += gap(own, 40, 0.8);
  }
};

/** Reads files of a share in a row, from a workstation or with the account of somebody from a server. Returns when that is over. */
const readFiles = (scene: CampaignScene, base: Base, by: ActivityFacts, count: number): Micros => {
  const { own, step, from, world } = scene;
  const server = own.pick(world.population.serversOf('file_server'));
  let at = from + gap(own, 20, 0.8);
  for (let index = count; index > 0; index--) {
    const logon_id = logonId(own);
    const facts = { server, path: own.pick(SECRETS), logon_id, has_ticket: own.chance(0.7), ...by };
    step('collect', 'T1039', { ...base, kind: 'use_share', at, facts });
    at += humanGap(own);
  }
  return at;
};

/** About how much else an intruder does beside the steps that the attack is about, by day and when nobody is at work. */
const COVER = {
  brute_force: { day: 240, quiet: 110 },
  lateral_movement: { day: 260, quiet: 80 },
  privilege_change: { day: 150, quiet: 100 },
  data_theft: { day: 240, quiet: 90 },
} as const;

/** Attacks that the security log of a domain shows. All of their steps are acts that normal traffic has, too. */
export const WINDOWS_RECIPES = {
  brute_force: {
    summary:
      '20 to 60 wrong passwords of one account from one address, inside and from outside, then a session with it.',
    acts: [...DOMAIN_ACTS, 'administer', 'finish_work', 'work_remotely', 'finish_remotely'],
    write: (scene) => {
      const cast = castOf(scene);
      const [least, most] = cast.isQuiet ? [20, 28] : [20, 60];
      const [inside, outside] = [scene.own.integer(least, most), scene.own.integer(least, most)];
      guessInside(scene, machineOf(scene, cast), inside);
      guessOutside(scene, outside);
      const has = { try_password: inside, try_remotely: outside };
      blendHosts(scene, cast, DOMAIN_ACTS, COVER.brute_force[cast.isQuiet ? 'quiet' : 'day'], has);
    },
  },
  lateral_movement: {
    summary:
      'Three accounts each go from a workstation to 4 to 12 hosts and run commands there; when nobody is at work, an intruder goes from one server to the next.',
    acts: [...DOMAIN_ACTS, 'administer', 'finish_work'],
    write: (scene) => {
      const { own, somebody } = scene;
      const cast = castOf(scene);
      if (cast.isQuiet) {
        for (let index = 0; index < 3; index++) moveByNight(scene, cast.servers, own.integer(4, 6));
        return blendHosts(scene, cast, DOMAIN_ACTS, COVER.lateral_movement.quiet);
      }
      const movers = [somebody(({ is_admin }) => is_admin)];
      while (movers.length < 3) movers.push(somebody(({ is_engineer }) => is_engineer));
      for (const person of movers) {
        let at = scene.from;
        for (let index = own.integer(4, 12); index > 0; index--)
          at = onServer(scene, person, own.pick(windowsServers(scene)), at) + humanGap(own);
      }
      blendHosts(scene, cast, DOMAIN_ACTS, COVER.lateral_movement.day);
    },
  },
  privilege_change: {
    summary:
      'Accounts are made, added to groups of administrators, used, and removed: by administrators, or by the account of the personnel system when nobody is at work.',
    acts: DOMAIN_ACTS,
    write: (scene) => {
      const cast = castOf(scene);
      const accounts = cast.isQuiet ? 2 : 3;
      for (let index = 0; index < accounts; index++) changeAccounts(scene, cast);
      const has = { change_account: accounts * CHANGES.length };
      blendHosts(scene, cast, DOMAIN_ACTS, COVER.privilege_change[cast.isQuiet ? 'quiet' : 'day'], has);
    },
  },
  data_theft: {
    summary:
      'Files of a share are read in a row, by people or with an account from a server when nobody is at work, and much is sent to a place for files outside.',
    acts: [...DOMAIN_ACTS, ...COVER_ACTS, 'look_up', 'keep_network'],
    write: (scene) => {
      const { own, step, world, somebody } = scene;
      const cast = castOf(scene);
      const thieves = people(scene, 3);
      if (cast.isQuiet) {
        const by = { account: somebody().user };
        readFiles(scene, asMachine(own.pick(cast.servers)), by, own.integer(10, 14));
      } else
        for (const person of thieves) {
          const base = asPerson(scene, person);
          let at = readFiles(scene, base, {}, own.integer(10, 25));
          const name = 'share.big-files.example';
          for (let index = own.integer(3, 8); index > 0; index--) {
            const facts = pageFacts(world, own, name, own.chance(CACHED_SHARE), OPENED_BYTES);
            step('send', 'T1567.002', { ...base, kind: 'browse', at, facts });
            at += humanGap(own);
          }
        }
      blendHosts(scene, cast, DOMAIN_ACTS, COVER.data_theft[cast.isQuiet ? 'quiet' : 'day']);
      writeUploads(scene);
      lookAround(scene, thieves, { names: 300, shells: 25, services: 25 });
      stageFiles(scene);
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
