import type { WorldHost } from '../../population/entities.js';
import type { Activity } from '../kinds.js';
import type { CausalRule, CausalRules } from '../scribe.js';
import {
  accountOf,
  clientPort,
  controllerOf,
  fact,
  fromOf,
  identityOf,
  is,
  isNot,
  leadsTo,
  ticket,
  toServer,
} from './shared.js';
import { changedAccountOf, ntlmStatus } from './windows.js';

const serverIn = (cause: Activity): WorldHost => fact<WorldHost>(cause, 'server');

/** A session on the server that the act names. */
const sessionOn =
  (type: (cause: Activity) => number): CausalRule['make'] =>
  (cause, world, own) => {
    const isSsh = cause.facts['protocol'] === 'ssh';
    return {
      host: serverIn(cause),
      session: fact<string>(cause, 'logon_id'),
      facts: {
        type: type(cause),
        package: isSsh ? (cause.facts['method'] ?? 'publickey') : own.chance(0.86) ? 'Kerberos' : 'NTLM',
        from: cause.host,
        ip: fromOf(cause, world).ip,
        port: clientPort(own),
        is_elevated: cause.person?.is_admin ?? false,
        ...identityOf(cause, world),
      },
    };
  };

const PROTOCOL_PORTS: Readonly<Record<string, readonly [port: number, application: string]>> = {
  rdp: [3389, 'ms-rdp'],
  ssh: [22, 'ssh'],
  smb: [445, 'ms-ds-smbv3'],
  wmi: [135, 'msrpc'],
};

const LOGON_TYPES: Readonly<Record<string, number>> = { rdp: 10, ssh: 10 };
const NETWORK_LOGON = 3;
const sessionType = (cause: Activity): number =>
  LOGON_TYPES[String(cause.facts['protocol'])] ?? NETWORK_LOGON;

/** What follows from work on servers, with accounts, and with wrong passwords. */
export const SERVER_RULES: CausalRules = {
  use_share: [
    leadsTo(
      'kerberos',
      8,
      0.6,
      ticket((cause) => `cifs/${serverIn(cause).fqdn}`, false),
      isNot('has_ticket'),
    ),
    leadsTo('connection', 22, 0.6, (cause, world, own) =>
      toServer(cause, world, own, serverIn(cause), 445, 'ms-ds-smbv3', [3_000, 90_000], own.exponential(12)),
    ),
    leadsTo(
      'logon',
      45,
      0.5,
      sessionOn(() => NETWORK_LOGON),
    ),
    leadsTo('share_access', 600, 0.4, (cause, world, own) => ({
      host: serverIn(cause),
      session: fact<string>(cause, 'logon_id'),
      facts: {
        share: serverIn(cause).role === 'domain_controller' ? '\\\\*\\SYSVOL' : '\\\\*\\data',
        path: fact<string>(cause, 'path'),
        from: cause.host,
        ip: fromOf(cause, world).ip,
        port: clientPort(own),
        ...identityOf(cause, world),
      },
    })),
    leadsTo('logoff', 14_000, 0.6, (cause, world) => ({
      host: serverIn(cause),
      session: fact<string>(cause, 'logon_id'),
      facts: { type: NETWORK_LOGON, ...identityOf(cause, world) },
    })),
  ],
  administer: [
    leadsTo(
      'explicit_logon',
      5,
      0.5,
      (cause, world) => ({
        facts: {
          target: serverIn(cause),
          program: 'C:\\Windows\\System32\\wbem\\WMIC.exe',
          ...identityOf(cause, world),
        },
      }),
      (cause) => (cause.facts['protocol'] === 'wmi' ? 1 : 0),
    ),
    leadsTo(
      'kerberos',
      12,
      0.6,
      ticket((cause) => `host/${serverIn(cause).fqdn}`, false),
      (cause) => (serverIn(cause).os.family === 'windows' ? 1 : 0),
    ),
    leadsTo('connection', 30, 0.5, (cause, world, own) => {
      const [port, application] = PROTOCOL_PORTS[String(cause.facts['protocol'])] ?? [445, 'ms-ds-smbv3'];
      return toServer(
        cause,
        world,
        own,
        serverIn(cause),
        port,
        application,
        [40_000, 160_000],
        own.lognormal(300, 1),
      );
    }),
    leadsTo('logon', 90, 0.5, sessionOn(sessionType)),
  ],
  finish_work: [
    leadsTo('logoff', 200, 0.6, (cause, world) => ({
      host: serverIn(cause),
      session: fact<string>(cause, 'logon_id'),
      facts: { type: sessionType(cause), ...identityOf(cause, world), ip: fromOf(cause, world).ip },
    })),
  ],
  change_account: [
    leadsTo(
      'account_changed',
      40,
      0.5,
      (cause, world, own) => ({
        host: controllerOf(world, own),
        facts: {
          action: fact<string>(cause, 'action'),
          ...changedAccountOf(cause, world),
          ...identityOf(cause, world),
        },
      }),
      (cause) => (cause.facts['group'] === null ? 1 : 0),
    ),
    leadsTo(
      'group_changed',
      40,
      0.5,
      (cause, world, own) => ({
        host: controllerOf(world, own),
        facts: {
          action: fact<string>(cause, 'action'),
          ...changedAccountOf(cause, world),
          group: fact<string>(cause, 'group'),
          ...identityOf(cause, world),
        },
      }),
      (cause) => (cause.facts['group'] === null ? 0 : 1),
    ),
  ],
  try_password: [
    leadsTo('ntlm', 25, 0.5, (cause, world, own) => ({
      host: controllerOf(world, own),
      facts: { account: accountOf(cause), workstation: cause.host?.name ?? '', status: ntlmStatus(cause) },
    })),
    leadsTo('logon_failed', 40, 0.5, (cause, world, own) => ({
      host: fact<WorldHost>(cause, 'target'),
      facts: {
        reason: fact<string>(cause, 'reason'),
        type: fact<number>(cause, 'type'),
        package: 'NTLM',
        from: cause.host,
        ip: fromOf(cause, world).ip,
        port: clientPort(own),
        account: accountOf(cause),
      },
    })),
    leadsTo(
      'locked_out',
      60,
      0.4,
      (cause, world, own) => ({
        host: controllerOf(world, own),
        facts: { ...identityOf(cause, world), from: cause.host },
      }),
      is('locks'),
    ),
  ],
};
