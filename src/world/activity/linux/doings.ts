import { weighted } from '../../draw.js';
import type { WorldHost } from '../../population/entities.js';
import { scannerNumber } from '../../population/population.js';
import { logonId } from '../../schedule/day.js';
import {
  ARCHIVE_NAMES,
  CARE_PROGRAMS,
  CLIENTS,
  CRON,
  CRON_JOBS,
  DAEMON_PROGRAMS,
  PACKAGES,
  UNITS,
  WATCHED_FILES,
} from './programs.js';
import { changeAt, toolVisitor, visit } from './sessions.js';
import {
  archive,
  atHost,
  changeLocally,
  type LinuxScene,
  type LinuxStep,
  linuxPid,
  newAccount,
  one,
  openFile,
  programOnLinux,
  reach,
  runDaemon,
  seconds,
  tryPort,
} from './steps.js';

const daemonAt = weighted(DAEMON_PROGRAMS);
const careAt = weighted(CARE_PROGRAMS);
const fileAt = weighted(WATCHED_FILES);
const unitAt = weighted(UNITS);
const jobAt = weighted(CRON_JOBS);
const clientAt = weighted(CLIENTS);
const packageAt = weighted(PACKAGES);

/** A program of a server connects to another server, or opens a page. */
export const connectFromServer = (scene: LinuxScene): LinuxStep => {
  const { own, world } = scene;
  const [image, account, purpose] = clientAt(own.next());
  const bytes = own.lognormal(3_000, 1.4);
  const server = (role: Parameters<typeof world.population.serversOf>[0]): WorldHost =>
    own.pick(world.population.serversOf(role));
  switch (purpose) {
    case 'database':
      return reach(scene, image, account, server('database_server'), 5432, 'postgres', bytes);
    case 'mail':
      return reach(scene, image, account, server('mail_server'), 25, 'smtp', bytes);
    case 'directory':
      return reach(scene, image, account, server('domain_controller'), 389, 'ldap', bytes);
    case 'log':
      return reach(scene, image, account, server('build_server'), 6514, 'syslog-tls', bytes);
    case 'page':
      return reach(scene, image, account, own.pick(ARCHIVE_NAMES), 443, 'ssl', own.lognormal(6_000, 1.6));
  }
};

const job = ({ own, host }: LinuxScene): readonly LinuxStep[] => {
  const [account, command] = jobAt(own.next());
  const session = logonId(own);
  const base = { person: null, host, session };
  const pid = linuxPid(own);
  const facts = { account, command, pid };
  const parent = { parent_image: CRON, parent_pid: pid };
  const program = programOnLinux(own, '/usr/bin/dash', `-c ${command}`, 1, parent, account);
  return [
    one({ ...base, kind: 'run_job', facts }),
    one({ ...base, kind: 'run_program', facts: program }, 20_000 + Math.floor(own.next() * 30_000)),
    one({ ...base, kind: 'finish_job', facts }, 400_000 + seconds(own, 2.2, 0.8)),
  ];
};

const doingAt = weighted([
  [30, 'daemon'],
  [34, 'report'],
  [27, 'blocked'],
  [2, 'update'],
  [12, 'care'],
  [22, 'connect'],
  [9, 'file'],
  [6, 'job'],
  [11, 'unit'],
  [6, 'setup'],
  [3, 'account'],
  [5, 'visit'],
  [5, 'archive'],
] as const);

/** Roles that can be reached from outside. */
const IS_OUTSIDE: ReadonlySet<string> = new Set([
  'web_server',
  'mail_server',
  'vpn_gateway',
  'firewall',
  'jump_host',
]);
const STRANGER_SHARE = 0.4;

const blocked = (scene: LinuxScene): LinuxStep => {
  const { own, world, host } = scene;
  const { population } = world;
  const isStranger = IS_OUTSIDE.has(host.role) && own.chance(STRANGER_SHARE);
  if (isStranger) return tryPort(scene, population.outsider(scannerNumber(own)).ip);
  // Most of it is what monitoring, discovery and old configurations send.
  return tryPort(scene, own.pick(population.servers).ip);
};

/** An update of a package, as dpkg tells it. */
const update = ({ own, host }: LinuxScene): readonly LinuxStep[] => {
  const [name, before, version] = packageAt(own.next());
  const pid = linuxPid(own);
  let after = 0;
  return ['upgraded', 'configured', 'installed'].map((step) => {
    const facts = { name, before, version, step, pid };
    const made = one({ ...atHost(host), kind: 'update_package', facts }, after);
    after += seconds(own, 1.5, 0.5);
    return made;
  });
};

const SETTINGS = weighted([
  [60, 'packet_filter'],
  [25, 'audit_rule'],
  [15, 'promiscuous'],
] as const);

/** One thing that happens on a Linux server when nobody is looking. Intruders who have the server do the same. */
export const linuxDoing = (scene: LinuxScene): readonly LinuxStep[] => {
  const { own, world, host } = scene;
  switch (doingAt(own.next())) {
    case 'daemon':
      return [runDaemon(scene, daemonAt(own.next()))];
    case 'report':
      return [
        one({ ...atHost(host), kind: 'report_state', facts: { by: own.chance(0.8) ? 'daemon' : 'kernel' } }),
      ];
    case 'blocked':
      return [blocked(scene)];
    case 'update':
      return update(scene);
    case 'care': {
      const program = careAt(own.next());
      const opens =
        program.args === '/etc/shadow' ? [openFile(scene, '/etc/shadow', 'root', null, null, 3_000)] : [];
      return [runDaemon(scene, program), ...opens];
    }
    case 'connect':
      return [connectFromServer(scene)];
    case 'file':
      return [openFile(scene, fileAt(own.next()), own.chance(0.7) ? 'root' : 'app')];
    case 'job':
      return job(scene);
    case 'unit': {
      const facts = {
        unit: unitAt(own.next()),
        action: own.chance(0.5) ? 'started' : 'stopped',
        is_refused: own.chance(0.015),
      };
      return [one({ ...atHost(host), kind: 'change_unit', facts })];
    }
    case 'setup': {
      const facts = { setting: SETTINGS(own.next()), pid: linuxPid(own) };
      return [one({ ...atHost(host), kind: 'set_up_host', facts })];
    }
    case 'account': {
      const name = newAccount(own);
      const program = { account: 'root', parent_image: '/opt/agent/agentd', seconds: 0.4 };
      return [
        runDaemon(scene, { ...program, image: '/usr/sbin/useradd', args: `-m ${name}` }),
        changeLocally(scene, changeAt(own.next()), name, 'root', null, 60_000),
      ];
    }
    case 'visit':
      return visit(scene, toolVisitor(scene));
    case 'archive': {
      const servers = world.population.serversOf('file_server');
      const to = own.chance(0.5) ? own.pick(servers) : own.pick(ARCHIVE_NAMES);
      return archive(scene, own.chance(0.5) ? 'postgres' : 'root', to);
    }
  }
};
