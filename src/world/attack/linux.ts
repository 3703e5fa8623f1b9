import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { gap, humanGap, toolGap } from '../activity/gaps.js';
import { linuxDoing } from '../activity/linux/doings.js';
import { linuxServers, ON_SERVERS, wrongSshPassword } from '../activity/linux/minute.js';
import { ARCHIVE_NAMES, SERVICE_SHELL, SETUID_HELPER, TOOL_ACCOUNTS } from '../activity/linux/programs.js';
import { becomeRoot, visit } from '../activity/linux/sessions.js';
import {
  archive,
  changeLocally,
  type LinuxScene,
  type LinuxStep,
  newAccount,
  openFile,
  runDaemon,
  tryPort,
} from '../activity/linux/steps.js';
import type { KeyedDraws } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { begin, type CampaignScene, type Recipe } from './scene.js';

/** An intruder who has a server leaves it to its work. */
const settledGap = (own: KeyedDraws): Micros => gap(own, 6, 0.8);

/** A campaign is over after so long. */
const SPAN = 15 * MICROS_PER_MINUTE;

const on = ({ own, world }: CampaignScene, host: WorldHost): LinuxScene => ({ own, world, host });

type Play = (steps: readonly LinuxStep[], at: Micros, phase: string, technique: string) => void;
const playIn =
  ({ step, from }: CampaignScene): Play =>
  (steps, at, phase, technique) => {
    if (at > from + SPAN) return;
    for (const { after, act } of steps) step(phase, technique, { ...act, at: at + after });
  };

/** Who has a server makes it do what servers do: jobs, services, settings, connections. Returns the time after it. */
const settle = (
  scene: CampaignScene,
  host: WorldHost,
  count: number,
  from: Micros,
  technique: string,
): Micros => {
  let at = from;
  for (let index = 0; index < count; index++) {
    playIn(scene)(linuxDoing(on(scene, host)), at, 'settle', technique);
    at += settledGap(scene.own);
  }
  return at;
};

/** Where an intruder comes from: the workstation of somebody who works on servers, or one of these. */
const foothold = (
  scene: CampaignScene,
  used: ReadonlySet<Person>,
): { readonly from: WorldHost; readonly person: Person | null } => {
  const { own, world, somebody, planOf } = scene;
  const person = somebody((one) => one.is_engineer && !used.has(one));
  const plan = planOf(person);
  const isThere =
    plan !== null && plan.span[1] > scene.from + SPAN && world.addressOf(person, scene.from) !== null;
  if (isThere && own.chance(0.5)) return { from: person.workstation, person };
  const servers = own.chance(0.4) ? world.population.serversOf('jump_host') : linuxServers(world);
  return { from: own.pick(servers), person: null };
};

/** Different servers, as many as there are. */
const targets = ({ own, world }: CampaignScene, least: number, most: number): readonly WorldHost[] =>
  linuxServers(world)
    .map((host) => [own.next(), host] as const)
    .toSorted(([one], [two]) => one - two)
    .slice(0, own.integer(least, most))
    .map(([, host]) => host);

/** Attacks on Linux servers. All of their steps are acts that normal traffic has, too. */
export const LINUX_RECIPES = {
  ssh_brute_force: {
    summary:
      '7 to 10 hosts try passwords of one account each over SSH; then each has a session, and the server.',
    acts: [...ON_SERVERS, 'try_ssh'],
    write: (scene) => {
      const { own, step, somebody } = scene;
      const used = new Set<Person>();
      for (const server of targets(scene, 7, 10)) {
        const { from, person } = foothold(scene, used);
        if (person !== null) used.add(person);
        const account = own.chance(0.4)
          ? own.pick(Object.values(TOOL_ACCOUNTS))
          : somebody((one) => one.is_engineer && one !== person).user;
        let at = begin(scene);
        for (let tries = own.integer(5, 8); tries > 0; tries--) {
          const reason = own.chance(0.76) ? 'bad_password' : own.chance(0.7) ? 'unknown_user' : 'locked';
          const facts = wrongSshPassword(server, account, reason);
          step('guess', 'T1110.001', { person, host: from, session: null, kind: 'try_ssh', at, facts });
          at += toolGap(own);
        }
        const visitor = { from, account, method: 'password', person } as const;
        playIn(scene)(visit(on(scene, server), visitor), at, 'enter', 'T1021.004');
        settle(scene, server, own.integer(18, 24), at + humanGap(own), 'T1078.003');
      }
    },
  },
  root_shell: {
    summary:
      'On 6 to 9 servers the account of a service gets a shell and becomes root with a setuid program, reads /etc/shadow and adds an account.',
    acts: ON_SERVERS,
    write: (scene) => {
      const { own } = scene;
      const play = playIn(scene);
      for (const host of targets(scene, 6, 9)) {
        const there = on(scene, host);
        const account = own.chance(0.7) ? 'www-data' : 'app';
        const daemon = account === 'app' ? '/usr/bin/node' : '/usr/sbin/php-fpm8.2';
        const target = newAccount(own);
        let at = settle(scene, host, own.integer(8, 11), begin(scene), 'T1190');
        const run = (
          as: string,
          parent_image: string,
          image: string,
          args: string,
          phase: string,
          technique: string,
          more: readonly LinuxStep[] = [],
        ): void => {
          const program = runDaemon(there, { account: as, parent_image, image, args, seconds: 0.4 });
          play([program, ...more], at, phase, technique);
          at += humanGap(own);
        };
        run(account, daemon, SERVICE_SHELL, '-i', 'shell', 'T1505.003');
        run('www-data', SERVICE_SHELL, '/usr/bin/id', '', 'shell', 'T1033');
        run('www-data', SERVICE_SHELL, '/usr/bin/find', '/ -perm -4000 -type f', 'shell', 'T1083');
        run(account, SERVICE_SHELL, SETUID_HELPER, '--exec /bin/sh', 'rise', 'T1548.001');
        const shadow = openFile(there, '/etc/shadow', 'root', null, null, 3_000);
        run('root', SETUID_HELPER, '/usr/bin/cat', '/etc/shadow', 'root', 'T1003.008', [shadow]);
        const added = changeLocally(there, 'created', target, 'root', null, 60_000);
        run('root', '/opt/agent/agentd', '/usr/sbin/useradd', `-m ${target}`, 'root', 'T1136.001', [added]);
        run('root', SETUID_HELPER, '/usr/sbin/usermod', `-aG sudo ${target}`, 'root', 'T1098.007');
        run('root', SETUID_HELPER, '/usr/bin/rm', '-f /var/log/{log}', 'hide', 'T1070.002');
        settle(scene, host, own.integer(14, 20), at, 'T1053.003');
      }
    },
  },
  sudo_abuse: {
    summary:
      'On 7 to 10 servers an account without the right to use sudo tries it, becomes root with su and adds an account.',
    acts: ON_SERVERS,
    write: (scene) => {
      const { own, somebody } = scene;
      const play = playIn(scene);
      for (const host of targets(scene, 7, 10)) {
        const there = on(scene, host);
        const { from, person } = foothold(scene, new Set());
        const account =
          person?.user ??
          (own.chance(0.6)
            ? own.pick(Object.values(TOOL_ACCOUNTS))
            : somebody((one) => one.is_engineer).user);
        let at = settle(scene, host, own.integer(10, 14), begin(scene), 'T1078.003');
        const steps = [...visit(there, { from, account, method: 'publickey', person })];
        const first = steps[0]?.act.facts['logon_id'];
        const of = { session: String(first), account, person, parent_pid: own.integer(250, 7_000) * 4 };
        const end = steps.at(-1)?.after ?? 0;
        const during = (share: number): Micros => Math.round(1_000_000 + share * (end - 1_000_000));
        const target = newAccount(own);
        play(steps, at, 'enter', 'T1021.004');
        play([becomeRoot(there, of, 'sudo', 0, during(0.1))], at, 'try', 'T1548.003');
        play([becomeRoot(there, of, 'sudo', 0.12, during(0.3))], at, 'try', 'T1548.003');
        play([becomeRoot(there, of, 'su', 0.9, during(0.5))], at, 'rise', 'T1078.003');
        const changes = [
          changeLocally(there, 'created', target, account, of.session, during(0.7)),
          changeLocally(there, 'changed', target, account, of.session, during(0.85)),
        ];
        play(changes, at, 'root', 'T1136.001');
        at += end + humanGap(own);
        settle(scene, host, own.integer(20, 28), at, 'T1053.003');
      }
    },
  },
  host_scan: {
    summary: '9 to 12 servers are each tried for closed ports from another server, and then taken over.',
    acts: ON_SERVERS,
    write: (scene) => {
      const { own, world } = scene;
      const play = playIn(scene);
      for (const host of targets(scene, 9, 12)) {
        const { ip } = own.pick(world.population.servers);
        let at = begin(scene);
        for (let ports = own.integer(5, 8); ports > 0; ports--) {
          play([tryPort(on(scene, host), ip)], at, 'scan', 'T1046');
          at += gap(own, 4, 0.8);
        }
        settle(scene, host, own.integer(22, 28), at, 'T1078.003');
      }
    },
  },
  archive_theft: {
    summary: 'Files of databases are packed in 12 to 18 archives, which go to other servers and outside.',
    acts: ON_SERVERS,
    write: (scene) => {
      const { own, world } = scene;
      const play = playIn(scene);
      const databases = world.population.serversOf('database_server');
      const staging = targets(scene, 6, 6);
      const visitors = staging.map(() => foothold(scene, new Set()));
      let at = begin(scene);
      for (let pieces = own.integer(12, 18); pieces > 0; pieces--) {
        const to = own.chance(0.5)
          ? own.pick(world.population.serversOf('file_server'))
          : own.pick(ARCHIVE_NAMES);
        const account = own.chance(0.5) ? 'postgres' : 'root';
        play(archive(on(scene, own.pick(databases)), account, to), at, 'pack', 'T1560.001');
        at += gap(own, 22, 0.6);
      }
      staging.forEach((host, index) => {
        const { from, person } = visitors[index] as (typeof visitors)[number];
        const start = begin(scene);
        const account = person?.user ?? own.pick(Object.values(TOOL_ACCOUNTS));
        const visitor = { from, account, method: 'publickey', person } as const;
        play(visit(on(scene, host), visitor), start, 'stage', 'T1021.004');
        settle(scene, host, own.integer(13, 19), start + humanGap(own), 'T1074.002');
      });
    },
  },
} satisfies Readonly<Record<string, Recipe>>;
