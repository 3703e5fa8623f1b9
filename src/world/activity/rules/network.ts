import { type KeyedDraws, weighted } from '../../draw.js';
import type { InternetAccess } from '../../population/entities.js';
import type { Activity } from '../kinds.js';
import type { CausalRules, Effect, Surroundings } from '../scribe.js';
import { vpnBytes } from '../vpn.js';
import { dnsOfPage } from './dns.js';
import { apart, CLIENT_CONNECTION, INCOMING_MAIL, TUNNEL } from './edge.js';
import {
  accountOf,
  clientPort,
  fact,
  flow,
  flowNumber,
  fromOf,
  isNot,
  leadsTo,
  sizes,
  toServer,
} from './shared.js';
import { accessFacts } from './signOn.js';

/** Share of the pages that a person or program sends a file to, and how much larger a file is than a page. */
const UPLOAD_SHARE = 0.03;
const UPLOAD_FACTOR = 30;
const BYTES_OF_AN_ANSWER = 3_000;

const page = (cause: Activity, world: Surroundings, own: KeyedDraws): Effect => {
  const { facts } = flow(cause, world, own, {
    to: null,
    to_ip: fact<string>(cause, 'to_ip'),
    to_port: 443,
    to_name: fact<string>(cause, 'name'),
    to_zone: 'outside',
    protocol: 'tcp',
    application: 'ssl',
    bytes_out: own.lognormal(4_000, 1),
    bytes_in: (cause.facts['bytes'] as number | undefined) ?? own.lognormal(60_000, 1.3),
    seconds: Math.min(50, own.lognormal(9, 1)),
  });
  if (cause.facts['is_upload'] !== true && !own.chance(UPLOAD_SHARE)) return { facts };
  const bytes_out = (facts['bytes_in'] as number) * UPLOAD_FACTOR;
  return { facts: { ...facts, ...sizes(bytes_out, Math.round(own.lognormal(BYTES_OF_AN_ANSWER, 0.6))) } };
};

const refusalAt = weighted([
  [62, 'bad_password'],
  [18, 'factor_timed_out'],
  [8, 'factor_denied'],
  [6, 'locked'],
  [6, 'certificate_expired'],
] as const);

const outsideOf = (cause: Activity) => ({
  ip: fact<string>(cause, 'ip'),
  access: fact<InternetAccess>(cause, 'access'),
});

/** What follows from what goes to the internet, comes from it, or passes the VPN. */
export const NETWORK_RULES: CausalRules = {
  browse: [
    leadsTo('dns_query', 12, 0.8, dnsOfPage, isNot('is_known')),
    leadsTo('connection', 160, 0.7, page),
  ],
  use_application: [
    leadsTo('dns_query', 12, 0.8, dnsOfPage, isNot('is_known')),
    leadsTo('sso_access', 700, 0.5, (cause, world) => ({
      facts: accessFacts(cause, world),
    })),
    leadsTo('connection', 160, 0.7, page),
  ],
  send_mail: [
    leadsTo('connection', 60, 0.6, (cause, world, own) =>
      toServer(
        cause,
        world,
        own,
        own.pick(world.population.serversOf('mail_server')),
        587,
        'smtp',
        [fact<number>(cause, 'bytes'), 900],
        own.exponential(2),
      ),
    ),
    leadsTo('message', 900, 0.6, (cause, world) => ({
      host: world.population.serversOf('mail_server')[0] ?? null,
      facts: {
        from: cause.person?.email ?? '',
        to: fact<string>(cause, 'to'),
        subject: fact<string>(cause, 'subject'),
        bytes: fact<number>(cause, 'bytes'),
        direction: 'outbound',
        verdict: 'delivered',
        ip: fromOf(cause, world).ip,
        name: cause.host?.fqdn ?? '',
        sort: null,
      },
    })),
  ],
  // What is numbered apart comes first: whoever looks at no mail is done before its steps.
  receive_mail: [
    INCOMING_MAIL,
    leadsTo('message', 400, 0.6, (cause, { population }) => ({
      host: population.serversOf('mail_server')[0] ?? null,
      facts: {
        from: fact<string>(cause, 'from'),
        to: cause.person?.email ?? fact<string>(cause, 'to'),
        subject: fact<string>(cause, 'subject'),
        bytes: fact<number>(cause, 'bytes'),
        direction: 'inbound',
        verdict: fact<string>(cause, 'verdict'),
        ip: fact<string>(cause, 'ip'),
        name: fact<string>(cause, 'name'),
        sort: fact<string>(cause, 'sort'),
      },
    })),
  ],
  connect_vpn: [
    leadsTo(
      'vpn_failed',
      4_000,
      0.4,
      (cause, { population }, own) => ({
        host: population.serversOf('vpn_gateway')[0] ?? null,
        facts: {
          ...outsideOf(cause),
          reason: cause.person === null ? fact<string>(cause, 'reason') : refusalAt(own.next()),
          account: accountOf(cause),
        },
      }),
      (cause) => fact<number>(cause, 'tries') - 1,
    ),
    leadsTo(
      'vpn_start',
      14_000,
      0.3,
      (cause, { population }) => ({
        host: population.serversOf('vpn_gateway')[0] ?? null,
        facts: {
          ...outsideOf(cause),
          assigned: cause.person?.vpn_ip ?? '',
          client: 'Spate Client 5.1',
          account: accountOf(cause),
        },
      }),
      (cause) => (cause.facts['is_refused'] === true ? 0 : 1),
    ),
    CLIENT_CONNECTION,
  ],
  vpn_start: [
    apart(
      leadsTo(
        'vpn_step',
        400,
        0.2,
        (cause, _, __, index) => ({
          facts: { ...cause.facts, step: index === 0 ? 'address' : 'accounting' },
        }),
        () => 2,
      ),
    ),
  ],
  vpn_end: [TUNNEL],
  disconnect_vpn: [
    leadsTo('vpn_end', 300, 0.6, (cause, { population, draws }) => ({
      host: population.serversOf('vpn_gateway')[0] ?? null,
      facts: {
        ...outsideOf(cause),
        assigned: cause.person?.vpn_ip ?? '',
        seconds: fact<number>(cause, 'seconds'),
        ...vpnBytes(
          draws,
          cause.session ?? '',
          fact<number>(cause, 'seconds'),
          cause.facts['is_heavy'] === true,
        ),
        reason: fact<string>(cause, 'reason'),
        account: accountOf(cause),
      },
    })),
  ],
  probe: [
    leadsTo('connection', 5, 0.5, (cause, { population, spec }, own) => ({
      host: population.serversOf('firewall')[0] ?? null,
      facts: {
        port: clientPort(own),
        to: null,
        to_ip: fact<string>(cause, 'to_ip'),
        to_port: fact<number>(cause, 'port'),
        to_name: null,
        to_zone: 'public',
        protocol: fact<string>(cause, 'protocol'),
        application: 'not-applicable',
        action: 'deny',
        bytes_out: own.integer(40, 64),
        bytes_in: 0,
        packets_out: 1,
        packets_in: 0,
        seconds: 0,
        domain: spec.organization.domain,
        ip: fact<string>(cause, 'ip'),
        zone: 'outside',
        edge: 'in',
        public_ip: null,
        image: null,
        pid: null,
        vpn_user: null,
        vpn_session: null,
        vpn_seconds: null,
        access: null,
        flow_id: flowNumber(own),
      },
    })),
  ],
};
