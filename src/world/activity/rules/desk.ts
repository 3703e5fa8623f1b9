import { processId } from '../../schedule/day.js';
import type { Activity } from '../kinds.js';
import { EXPLORER, type RunnableProgram, USERINIT } from '../programs.js';
import type { CausalRules } from '../scribe.js';
import { SIGN_IN_UPDATE, SIGN_OUT_UPDATE } from './dns.js';
import { LINUX_LOGOFF, LINUX_LOGON } from './linux.js';
import { accountOf, fact, identityOf, is, leadsTo, ticket } from './shared.js';
import { clientFacts } from './signOn.js';
import { NTLM_CHECK } from './windows.js';

const isOnWindows = ({ host }: Activity): number => (host?.os.family === 'windows' ? 1 : 0);

/** Facts of a program that runs. Read by name where most activities of a world are made: `fact` is slower. */
const programOf = ({ facts }: Activity) =>
  facts as unknown as RunnableProgram & {
    readonly pid: number;
    readonly parent_image: string;
    readonly parent_pid: number;
  };

const IN_A_PROFILE = /^(?:[A-Z]:|\/)/;
const writtenPath = (cause: Activity): string => {
  const path = String(programOf(cause).writes);
  return IN_A_PROFILE.test(path) ? path : `C:\\Users\\${cause.person?.user ?? 'Default'}\\${path}`;
};

const processFacts = (cause: Activity) => {
  const { image, pid } = programOf(cause);
  return { image, pid, account: accountOf(cause) };
};

/** What follows from what people do at their screens, and from programs. */
export const DESK_RULES: CausalRules = {
  sign_in: [
    leadsTo(
      'logon_failed',
      2_600,
      0.3,
      (cause, _, __) => ({
        facts: {
          reason: 'bad_password',
          type: fact<number>(cause, 'type'),
          package: 'Negotiate',
          from: cause.host,
          ip: '127.0.0.1',
          port: 0,
          account: accountOf(cause),
        },
      }),
      (cause) => fact<number>(cause, 'typos'),
    ),
    leadsTo(
      'kerberos',
      14_000,
      0.2,
      ticket(() => 'krbtgt', true),
      is('is_online'),
    ),
    leadsTo('logon', 14_200, 0.15, (cause, world) => ({
      facts: {
        type: fact<number>(cause, 'type'),
        package: fact<string>(cause, 'package'),
        from: cause.host,
        ip: '127.0.0.1',
        port: 0,
        is_elevated: cause.person?.is_admin ?? false,
        ...identityOf(cause, world),
      },
    })),
    leadsTo('process_start', 16_000, 0.2, (cause, _, own) => ({
      facts: {
        image: EXPLORER.image,
        command_line: EXPLORER.image,
        pid: fact<number>(cause, 'pid'),
        parent_image: USERINIT,
        parent_pid: processId(own),
        parent_command_line: USERINIT,
        account: accountOf(cause),
      },
    })),
    leadsTo('sso_login', 26_000, 0.3, (cause, world, own) => ({
      facts: {
        ...clientFacts(cause, world),
        outcome: 'success',
        reason: null,
        factor: own.chance(0.8) ? 'push' : 'code',
      },
    })),
    SIGN_IN_UPDATE,
  ],
  sign_out: [
    leadsTo('sso_logout', 100, 0.5, (cause, world) => ({ facts: clientFacts(cause, world) })),
    leadsTo('process_end', 300, 0.5, (cause) => ({
      facts: {
        image: EXPLORER.image,
        pid: fact<number>(cause, 'pid'),
        exit_code: '0x1',
        account: accountOf(cause),
      },
    })),
    leadsTo('logoff', 1_500, 0.4, (cause, world) => ({
      facts: { type: fact<number>(cause, 'type'), ...identityOf(cause, world) },
    })),
    SIGN_OUT_UPDATE,
  ],
  unlock: [
    leadsTo(
      'kerberos',
      900,
      0.3,
      ticket(() => 'krbtgt', true),
      is('is_online'),
    ),
    leadsTo('logon', 1_000, 0.3, (cause, world) => ({
      facts: {
        type: 7,
        package: fact<string>(cause, 'package'),
        from: cause.host,
        ip: '127.0.0.1',
        port: 0,
        is_elevated: cause.person?.is_admin ?? false,
        ...identityOf(cause, world),
      },
      session: fact<string>(cause, 'logon_id'),
    })),
    leadsTo('logoff', 2_500, 0.4, (cause, world) => ({
      facts: { type: 7, ...identityOf(cause, world) },
      session: fact<string>(cause, 'logon_id'),
    })),
  ],
  logon: [
    leadsTo(
      'special_privileges',
      1,
      0.5,
      (cause, world) => ({ facts: identityOf(cause, world) }),
      (cause) => (cause.facts['is_elevated'] === true && isOnWindows(cause) === 1 ? 1 : 0),
    ),
    LINUX_LOGON,
    NTLM_CHECK,
  ],
  logoff: [LINUX_LOGOFF],
  run_program: [
    leadsTo('process_start', 1, 0.5, (cause) => {
      const { image, pid, command_line, parent_image, parent_pid } = programOf(cause);
      return {
        facts: {
          image,
          pid,
          account: accountOf(cause),
          command_line,
          parent_image,
          parent_pid,
          parent_command_line: parent_image,
        },
      };
    }),
    leadsTo(
      'library_loaded',
      25,
      0.5,
      (cause, _, __, index) => ({
        facts: { ...processFacts(cause), path: programOf(cause).libraries[index] ?? '' },
      }),
      (cause) => (isOnWindows(cause) === 1 ? programOf(cause).libraries.length : 0),
    ),
    leadsTo(
      'file_created',
      120,
      0.9,
      (cause) => ({ facts: { ...processFacts(cause), path: writtenPath(cause) } }),
      (cause) => (programOf(cause).writes === null ? 0 : 1),
    ),
    // Programs write beside a file, and remove what is no longer needed.
    leadsTo(
      'file_removed',
      900,
      0.8,
      (cause) => ({ facts: { ...processFacts(cause), path: `${writtenPath(cause)}.tmp` } }),
      (cause) => (programOf(cause).writes === null || programOf(cause).seconds === null ? 0 : 1),
    ),
    leadsTo(
      'registry_set',
      80,
      0.9,
      (cause) => ({
        facts: { ...processFacts(cause), key: String(programOf(cause).key), value: 'Binary Data' },
      }),
      (cause) => (programOf(cause).key === null ? 0 : 1),
    ),
    leadsTo(
      'process_end',
      (cause) => (programOf(cause).seconds ?? 0) * 1_000,
      0.6,
      (cause) => ({ facts: { ...processFacts(cause), exit_code: '0x0' } }),
      (cause) => (programOf(cause).seconds === null ? 0 : 1),
    ),
  ],
  close_program: [
    leadsTo('process_end', 200, 0.6, (cause) => ({ facts: { ...processFacts(cause), exit_code: '0x0' } })),
  ],
};
