import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { weighted } from '../../draw.js';
import type { Person, WorldHost } from '../../population/entities.js';
import { logonId, processId } from '../../schedule/day.js';
import { SESSION_TOOLS, SHELL, SUDO_COMMANDS, TOOL_ACCOUNTS, WATCHED_FILES } from './programs.js';
import {
  changeLocally,
  type LinuxScene,
  type LinuxStep,
  linuxPid,
  newAccount,
  one,
  openFile,
  programOnLinux,
  seconds,
} from './steps.js';

const toolAt = weighted(SESSION_TOOLS);
const sudoAt = weighted(SUDO_COMMANDS);
const fileAt = weighted(WATCHED_FILES);

/** What is done to accounts of a server. */
export const changeAt = weighted([
  [24, 'created'],
  [16, 'removed'],
  [30, 'password_changed'],
  [12, 'group_created'],
  [20, 'changed'],
] as const);

/** Who is in a session, on which server. */
export interface LinuxSession {
  readonly session: string;
  readonly account: string;
  readonly person: Person | null;
  readonly parent_pid: number;
}

const inSessionAt = weighted([
  [50, 'program'],
  [30, 'sudo'],
  [20, 'file'],
  [4, 'account'],
] as const);

/** Runs a command as root, or becomes root: most may, some mistype, and some have no right to. `luck` is below 1. */
export const becomeRoot = (
  { own, host }: LinuxScene,
  { session, account, person, parent_pid }: LinuxSession,
  by: 'sudo' | 'su',
  luck: number,
  after: Micros,
): LinuxStep => {
  const command = by === 'su' ? '/bin/bash' : sudoAt(own.next());
  const refusal = luck < 0.1 ? 'not_allowed' : luck < 0.16 ? 'bad_password' : null;
  const facts = { command, by, refusal: by === 'su' && refusal !== null ? 'bad_password' : refusal, account };
  const ids = { pid: linuxPid(own), parent_pid };
  return one({ person, host, session, kind: 'use_sudo', facts: { ...facts, ...ids } }, after);
};

/** One thing that is done in a session. */
export const inSession = (scene: LinuxScene, of: LinuxSession, after: Micros): LinuxStep => {
  const { own, host } = scene;
  const { session, account, person, parent_pid } = of;
  const base = { person, host, session };
  const does = inSessionAt(own.next());
  switch (does) {
    case 'program': {
      const [image, args, life] = toolAt(own.next());
      const facts = programOnLinux(own, image, args, life, { parent_image: SHELL, parent_pid }, account);
      return one({ ...base, kind: 'run_program', facts }, after);
    }
    case 'sudo':
      return becomeRoot(scene, of, own.chance(0.2) ? 'su' : 'sudo', own.next(), after);
    case 'file':
      return openFile(scene, fileAt(own.next()), own.chance(0.6) ? 'root' : account, session, account, after);
    case 'account':
      return changeLocally(scene, changeAt(own.next()), newAccount(own), account, session, after);
  }
};

/** Who comes by SSH, from where and how. */
export interface LinuxVisitor {
  readonly from: WorldHost;
  readonly account: string;
  readonly method: 'publickey' | 'password';
  readonly person: Person | null;
}

const LONGEST_VISIT = 40;

/** A session over SSH that is over within a minute. */
export const visit = (scene: LinuxScene, visitor: LinuxVisitor): readonly LinuxStep[] => {
  const { own, host } = scene;
  const { from, account, method, person } = visitor;
  const logon_id = logonId(own);
  const facts = { server: host, protocol: 'ssh', logon_id, account, method };
  const base = { person, host: from, session: null };
  const length = Math.min(LONGEST_VISIT * MICROS_PER_SECOND, seconds(own, 16, 0.6));
  const of = { session: logon_id, account, person, parent_pid: processId(own) };
  const times = Array.from({ length: own.integer(2, 5) }, () => 0.1 + 0.85 * own.next()).toSorted(
    (a, b) => a - b,
  );
  return [
    one({ ...base, kind: 'administer', facts }),
    ...times.map((share) => inSession(scene, of, MICROS_PER_SECOND + Math.floor(share * length))),
    one({ ...base, kind: 'finish_work', facts }, MICROS_PER_SECOND + length),
  ];
};

const VISITORS = weighted([
  [44, TOOL_ACCOUNTS.config],
  [26, TOOL_ACCOUNTS.monitor],
  [18, TOOL_ACCOUNTS.backup],
  [12, TOOL_ACCOUNTS.scan],
] as const);

/** Tools that sign in on many servers: most with a key, a scanner and old backups with a password. */
export const toolVisitor = ({ own, world: { population } }: LinuxScene): LinuxVisitor => {
  const account = VISITORS(own.next());
  const method = account === TOOL_ACCOUNTS.scan || own.chance(0.2) ? 'password' : 'publickey';
  const role = account === TOOL_ACCOUNTS.config ? 'build_server' : 'jump_host';
  // Backups are asked for by whoever needs them.
  const from = account === TOOL_ACCOUNTS.backup ? population.servers : population.serversOf(role);
  return { from: own.pick(from), account, method, person: null };
};
