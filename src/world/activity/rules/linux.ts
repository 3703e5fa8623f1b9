import type { KeyedDraws } from '../../draw.js';
import type { WorldHost } from '../../population/entities.js';
import type { Activity } from '../kinds.js';
import type { CausalRules, Effect, Surroundings } from '../scribe.js';
import { accountOf, clientPort, fact, flow, fromOf, fromOutside, leadsTo, toServer } from './shared.js';

/** What sshd and PAM write of a session after they have checked who it is. */
const SSH_STEPS = ['key', 'cipher', 'account', 'credentials', 'login_id', 'open', 'login'];
const LOGOFF_STEPS = ['dispose', 'removed'];
const SUDO_STEPS = ['open', 'close'];
const JOB_STEPS = ['credentials', 'login_id', 'open'];

const isOnLinux = ({ host }: Activity): boolean => host?.os.family === 'linux';

const SSH_PORT = 22;

/** Strangers come from their own address. */
const overSsh = (cause: Activity, world: Surroundings, own: KeyedDraws): Effect => {
  const from_ip = fact<string | null>(cause, 'from_ip');
  const server = fact<WorldHost>(cause, 'server');
  const effect = toServer(cause, world, own, server, SSH_PORT, 'ssh', [2_000, 2_600], own.lognormal(3, 0.5));
  return from_ip === null ? effect : { ...effect, facts: fromOutside(effect.facts, own, from_ip) };
};

/** The steps of a session come in a row. */
const EVENLY = 0.02;

/** What follows from a logon on Linux, beside what follows from one on Windows. */
export const LINUX_LOGON = leadsTo(
  'session_step',
  6,
  EVENLY,
  (cause, _, __, index) => ({
    facts: {
      ...{ step: SSH_STEPS[index] as string, program: 'sshd', account: accountOf(cause), pid: null },
      ...{ ip: fact<string>(cause, 'ip'), port: fact<number>(cause, 'port') },
    },
  }),
  (cause) => (isOnLinux(cause) ? SSH_STEPS.length : 0),
);

/** What follows from a logoff on Linux. */
export const LINUX_LOGOFF = leadsTo(
  'session_step',
  3,
  EVENLY,
  (cause, _, __, index) => ({
    facts: {
      ...{ step: LOGOFF_STEPS[index] as string, program: 'sshd', account: accountOf(cause), pid: null },
      ...{ ip: (cause.facts['ip'] as string | undefined) ?? null, port: null },
    },
  }),
  (cause) => (isOnLinux(cause) ? LOGOFF_STEPS.length : 0),
);

const ofJob = (cause: Activity, step: string): Effect => ({
  facts: {
    ...{ step, program: 'cron', account: accountOf(cause), pid: fact<number>(cause, 'pid') },
    ...{ ip: null, port: null },
  },
});

/** What follows from what happens on Linux servers. */
export const LINUX_RULES: CausalRules = {
  try_ssh: [
    leadsTo('connection', 4, 0.5, overSsh),
    leadsTo('logon_failed', 900, 0.4, (cause, world, own) => ({
      host: fact<WorldHost>(cause, 'server'),
      facts: {
        ...{ reason: fact<string>(cause, 'reason'), type: 10, package: 'password', from: cause.host },
        ip: fact<string | null>(cause, 'from_ip') ?? fromOf(cause, world).ip,
        port: clientPort(own),
        account: accountOf(cause),
      },
    })),
  ],
  run_job: [
    leadsTo(
      'session_step',
      2,
      EVENLY,
      (cause, _, __, index) => ofJob(cause, JOB_STEPS[index] as string),
      () => JOB_STEPS.length,
    ),
  ],
  finish_job: [leadsTo('session_step', 2, EVENLY, (cause) => ofJob(cause, 'close'))],
  use_sudo: [
    leadsTo(
      'session_step',
      70,
      EVENLY,
      (cause, _, __, index) => ({
        facts: {
          ...{
            step: SUDO_STEPS[index] as string,
            program: fact<string>(cause, 'by'),
            account: accountOf(cause),
          },
          ...{ pid: fact<number>(cause, 'pid'), ip: null, port: null },
        },
      }),
      (cause) => (cause.facts['refusal'] === null ? SUDO_STEPS.length : 0),
    ),
  ],
  reach_server: [
    leadsTo('connection', 60, 0.6, (cause, world, own) =>
      flow(cause, world, own, {
        ...{ to: fact<WorldHost | null>(cause, 'to'), to_ip: fact<string>(cause, 'to_ip') },
        ...{ to_port: fact<number>(cause, 'port'), to_name: fact<string>(cause, 'to_name') },
        to_zone: cause.facts['to'] === null ? 'outside' : 'servers',
        ...{ protocol: 'tcp', application: fact<string>(cause, 'application') },
        ...{ bytes_out: fact<number>(cause, 'bytes_out'), bytes_in: own.lognormal(9_000, 1.3) },
        seconds: Math.min(50, own.lognormal(4, 1)),
      }),
    ),
  ],
};
