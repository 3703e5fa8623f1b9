import type { WorldHost } from '../../population/entities.js';
import { ridOfAccount } from '../accounts.js';
import type { Activity } from '../kinds.js';
import type { CausalRule, CausalRules, Surroundings } from '../scribe.js';
import {
  accountOf,
  clientPort,
  controllerOf,
  fact,
  flow,
  fromOf,
  fromOutside,
  identityOf,
  leadsTo,
  serviceRid,
} from './shared.js';

/** What the domain controller answers when a password is refused, by reason. */
const NTLM_STATUS: Readonly<Record<string, string>> = {
  bad_password: '0xc000006a',
  unknown_user: '0xc0000064',
  locked: '0xc0000234',
  disabled: '0xc0000072',
  expired: '0xc0000071',
};
export const ntlmStatus = ({ facts }: Activity): string =>
  NTLM_STATUS[String(facts['reason'])] ?? '0xc000006a';

/** The account that is changed, with the last part of its identifier. */
export const changedAccountOf = (cause: Activity, { population }: Surroundings) => {
  const target = fact<string>(cause, 'target');
  return { target, target_rid: ridOfAccount(population, target) };
};

/** Network logons with NTLM are checked by a domain controller. */
export const NTLM_CHECK: CausalRule = leadsTo(
  'ntlm',
  1,
  0.5,
  (cause, world, own) => ({
    host: controllerOf(world, own),
    facts: {
      account: accountOf(cause),
      workstation: (cause.facts['from'] as WorldHost | null)?.name ?? '',
      status: '0x0',
    },
  }),
  ({ facts, host }) => (facts['package'] === 'NTLM' && host?.os.family === 'windows' ? 1 : 0),
);

const REMOTE_DESKTOP = 3389;
const REMOTE_INTERACTIVE = 10;

/** The firewall lets a remote desktop through to the published server. */
const inbound =
  (server: string, seconds: number): CausalRule['make'] =>
  (cause, world, own) => {
    const to = fact<WorldHost>(cause, server);
    const { facts } = flow(cause, world, own, {
      ...{ to, to_ip: to.ip, to_port: REMOTE_DESKTOP, to_name: to.fqdn, to_zone: 'servers' },
      ...{ protocol: 'tcp', application: 'ms-rdp' },
      bytes_out: own.lognormal(3_000 * Math.sqrt(seconds), 0.8),
      bytes_in: own.lognormal(4_000 * Math.sqrt(seconds), 0.8),
      seconds: own.lognormal(seconds, 0.6),
    });
    return {
      host: world.population.serversOf('firewall')[0] ?? null,
      facts: fromOutside(facts, own, fact<string>(cause, 'ip')),
    };
  };

/** What follows from what a Windows domain does beside the work of its people. */
export const WINDOWS_RULES: CausalRules = {
  start_service: [
    leadsTo('logon', 15, 0.6, (cause) => ({
      facts: {
        type: 5,
        package: 'Negotiate',
        from: cause.host,
        ip: '127.0.0.1',
        port: 0,
        is_elevated: true,
        account: accountOf(cause),
        rid: 0,
      },
    })),
  ],
  request_ticket: [
    leadsTo('kerberos', 6, 0.6, (cause, world, own) => ({
      host: controllerOf(world, own),
      facts: {
        service: fact<string>(cause, 'service'),
        service_rid: serviceRid(cause, fact<boolean>(cause, 'is_first')),
        status: fact<string>(cause, 'status'),
        ...identityOf(cause, world),
        ip: fromOf(cause, world).ip,
        port: clientPort(own),
        from: cause.host,
        is_first: fact<boolean>(cause, 'is_first'),
      },
    })),
  ],
  mistype_password: [
    leadsTo('kerberos', 20, 0.4, (cause, world, own) => ({
      host: controllerOf(world, own),
      facts: {
        service: 'krbtgt',
        service_rid: serviceRid(cause, true),
        status: '0x18',
        ...identityOf(cause, world),
        ip: fromOf(cause, world).ip,
        port: clientPort(own),
        from: cause.host,
        is_first: true,
      },
    })),
    leadsTo('logon_failed', 45, 0.4, (cause, world) => ({
      facts: {
        reason: 'bad_password',
        type: fact<number>(cause, 'type'),
        package: 'Negotiate',
        from: cause.host,
        ip: '127.0.0.1',
        port: 0,
        ...identityOf(cause, world),
      },
    })),
  ],
  use_credentials: [
    leadsTo('explicit_logon', 5, 0.5, (cause, world) => ({
      facts: {
        target: fact<WorldHost>(cause, 'server'),
        program: fact<string>(cause, 'program'),
        ...identityOf(cause, world),
      },
    })),
    leadsTo('logon', 60, 0.5, (cause, world, own) => {
      const server = fact<WorldHost>(cause, 'server');
      const isHere = server === cause.host;
      return {
        host: server,
        session: fact<string>(cause, 'logon_id'),
        facts: {
          type: isHere ? 2 : 3,
          package: isHere ? 'Negotiate' : own.chance(0.86) ? 'Kerberos' : 'NTLM',
          from: cause.host,
          ip: isHere ? '127.0.0.1' : fromOf(cause, world).ip,
          port: isHere ? 0 : clientPort(own),
          is_elevated: true,
          ...identityOf(cause, world),
        },
      };
    }),
    leadsTo('logoff', 9_000, 0.7, (cause, world) => {
      const server = fact<WorldHost>(cause, 'server');
      return {
        host: server,
        session: fact<string>(cause, 'logon_id'),
        facts: { type: server === cause.host ? 2 : 3, ...identityOf(cause, world) },
      };
    }),
  ],
  try_remotely: [
    leadsTo('ntlm', 25, 0.5, (cause, world, own) => ({
      host: controllerOf(world, own),
      facts: {
        account: accountOf(cause),
        workstation: fact<string>(cause, 'workstation'),
        status: ntlmStatus(cause),
      },
    })),
    leadsTo('logon_failed', 40, 0.5, (cause, _, own) => ({
      host: fact<WorldHost>(cause, 'target'),
      facts: {
        reason: fact<string>(cause, 'reason'),
        type: 3,
        package: 'NTLM',
        from: null,
        workstation: fact<string>(cause, 'workstation'),
        ip: fact<string>(cause, 'ip'),
        port: clientPort(own),
        account: accountOf(cause),
      },
    })),
    leadsTo('connection', 900, 0.5, inbound('target', 1)),
  ],
  work_remotely: [
    leadsTo('logon', 120, 0.5, (cause, world, own) => ({
      host: fact<WorldHost>(cause, 'server'),
      session: fact<string>(cause, 'logon_id'),
      facts: {
        type: REMOTE_INTERACTIVE,
        package: 'Negotiate',
        from: null,
        ip: fact<string>(cause, 'ip'),
        port: clientPort(own),
        is_elevated: cause.person?.is_admin ?? false,
        ...identityOf(cause, world),
      },
    })),
  ],
  finish_remotely: [
    leadsTo('logoff', 200, 0.6, (cause, world) => ({
      host: fact<WorldHost>(cause, 'server'),
      session: fact<string>(cause, 'logon_id'),
      facts: { type: REMOTE_INTERACTIVE, ...identityOf(cause, world) },
    })),
    leadsTo('connection', 300, 0.6, inbound('server', 600)),
  ],
};
