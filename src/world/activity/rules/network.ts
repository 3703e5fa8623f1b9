import type { KeyedDraws } from '../../draw.js';
import type { Activity } from '../kinds.js';
import type { CausalRules, Effect, Surroundings } from '../scribe.js';
import { dnsOfPage } from './dns.js';
import { accountOf, clientPort, fact, flow, fromOf, isNot, leadsTo, toServer } from './shared.js';
import { clientFacts } from './signOn.js';

const page = (cause: Activity, world: Surroundings, own: KeyedDraws): Effect =>
  flow(cause, world, own, {
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

/** What follows from what goes to the internet, comes from it, or passes the VPN. */
export const NETWORK_RULES: CausalRules = {
  browse: [
    leadsTo('dns_query', 12, 0.8, dnsOfPage, isNot('is_known')),
    leadsTo('connection', 160, 0.7, page),
  ],
  use_application: [
    leadsTo('dns_query', 12, 0.8, dnsOfPage, isNot('is_known')),
    leadsTo('sso_access', 700, 0.5, (cause, world) => ({
      facts: { application: fact<string>(cause, 'application'), ...clientFacts(cause, world) },
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
  receive_mail: [
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
      (cause, { population }) => ({
        host: population.serversOf('vpn_gateway')[0] ?? null,
        facts: { ip: fact<string>(cause, 'ip'), reason: 'bad_password', account: accountOf(cause) },
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
          ip: fact<string>(cause, 'ip'),
          assigned: cause.person?.vpn_ip ?? '',
          client: 'Spate Client 5.1',
          account: accountOf(cause),
        },
      }),
      (cause) => (cause.facts['is_refused'] === true ? 0 : 1),
    ),
  ],
  disconnect_vpn: [
    leadsTo('vpn_end', 300, 0.6, (cause, { population }, own) => ({
      host: population.serversOf('vpn_gateway')[0] ?? null,
      facts: {
        ip: fact<string>(cause, 'ip'),
        assigned: cause.person?.vpn_ip ?? '',
        seconds: fact<number>(cause, 'seconds'),
        bytes_out: Math.round(fact<number>(cause, 'seconds') * own.lognormal(900, 0.9)),
        bytes_in: Math.round(fact<number>(cause, 'seconds') * own.lognormal(7_000, 0.9)),
        reason: fact<string>(cause, 'reason'),
        account: accountOf(cause),
      },
    })),
  ],
  probe: [
    leadsTo('connection', 5, 0.5, (cause, { population, spec }, own) => ({
      host: population.serversOf('firewall')[0] ?? null,
      facts: {
        ip: fact<string>(cause, 'ip'),
        port: clientPort(own),
        zone: 'outside',
        to: null,
        to_ip: fact<string>(cause, 'to_ip'),
        to_port: fact<number>(cause, 'port'),
        to_name: null,
        to_zone: 'public',
        protocol: 'tcp',
        application: 'not-applicable',
        action: 'deny',
        bytes_out: own.integer(40, 64),
        bytes_in: 0,
        packets_out: 1,
        packets_in: 0,
        seconds: 0,
        domain: spec.organization.domain,
      },
    })),
  ],
};
