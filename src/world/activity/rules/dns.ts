import type { KeyedDraws } from '../../draw.js';
import type { Activity } from '../kinds.js';
import { addressRecords, suffixedFacts } from '../lookups.js';
import type { CausalRule, CausalRules, Effect, Surroundings } from '../scribe.js';
import { askingProgram, clientPort, fact, fromOf, is, leadsTo } from './shared.js';

/** Where a client asks, and how long the resolver takes when it does not know the answer yet. */
const asked = (cause: Activity, world: Surroundings, own: KeyedDraws) => ({
  ip: fromOf(cause, world).ip,
  port: clientPort(own),
  resolver: own.pick(world.population.serversOf('dns_server')),
  ...askingProgram(cause),
  milliseconds: Math.round(own.lognormal(14, 0.9) * 1000) / 1000,
});

/** A question to the resolver, answered with the address that the act goes to. */
export const dnsOfPage = (cause: Activity, world: Surroundings, own: KeyedDraws): Effect => {
  const name = fact<string>(cause, 'name');
  const type = own.chance(0.7) ? 'A' : own.chance(0.6) ? 'AAAA' : 'HTTPS';
  return {
    facts: {
      ...{
        ...asked(cause, world, own),
        name,
        type,
        status: 'NOERROR',
        by: 'recursion',
        policy: null,
        zone: null,
      },
      ...addressRecords(world, name, type, fact<string>(cause, 'to_ip')),
    },
  };
};

const question: CausalRule['make'] = (cause, world, own, index) => {
  const given = index === 0 ? cause.facts : suffixedFacts(cause.facts, world.spec.organization.domain);
  const { is_suffixed: _, ...facts } = given;
  return { facts: { ...facts, ...asked(cause, world, own) } };
};

/** The zone of the organization has the addresses of the workstations that are on. */
const update =
  (action: 'add' | 'delete'): CausalRule['make'] =>
  (cause, world, own) => ({
    facts: {
      ...asked(cause, world, own),
      action,
      zone: world.spec.organization.domain,
      name: cause.host?.fqdn ?? '',
      address: cause.host?.ip ?? '',
      ttl: 1200,
    },
  });

/** What follows from questions to the resolver, and what its zones get told. */
export const DNS_RULES: CausalRules = {
  look_up: [leadsTo('dns_query', 6, 0.8, question, (cause) => (cause.facts['is_suffixed'] === true ? 2 : 1))],
};
export const SIGN_IN_UPDATE = leadsTo('dns_update', 3_000, 0.4, update('add'), is('is_online'));
export const SIGN_OUT_UPDATE = leadsTo('dns_update', 2_000, 0.4, update('delete'), is('is_online'));
