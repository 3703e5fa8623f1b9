import type { KeyedDraws } from '../../draw.js';
import type { InternetAccess, Site } from '../../population/entities.js';
import { siteAddress } from '../../population/population.js';
import type { Activity, ActivityFacts } from '../kinds.js';
import type { CausalRules, Surroundings } from '../scribe.js';
import { CLOUD_SIGN_IN } from './cloud.js';
import { fact, leadsTo, publicAddress } from './shared.js';

const OFFICE_PROVIDER = { provider: 'Harbor Office Networks', as_number: 64_510 };

/** The access by which the internet sees the cause: the person's own at home, else that of the site. */
export const accessOf = (
  cause: Pick<Activity, 'person' | 'host' | 'at'>,
  world: Surroundings,
): InternetAccess => {
  const { person, host } = cause;
  const ip = publicAddress(cause, world);
  if (person !== null && ip === person.home.ip) return person.home;
  const site: Site = person?.site ?? host?.site ?? (world.population.sites[0] as Site);
  const { city, country, latitude, longitude } = site;
  return {
    ip: siteAddress(world.population.sites, site),
    city,
    country,
    latitude,
    longitude,
    ...OFFICE_PROVIDER,
  };
};

/** Where a person is and what device is used, as the identity provider sees it. */
export const clientFacts = (cause: Activity, world: Surroundings): ActivityFacts => {
  const { facts, person } = cause;
  if (facts['access'] !== undefined) {
    const { access, agent, device, is_proxy, is_new } = facts as Record<string, string>;
    return {
      ip: fact<InternetAccess>(cause, 'access').ip,
      access,
      agent,
      device,
      is_proxy,
      is_new,
    } as ActivityFacts;
  }
  const access = accessOf(cause, world);
  const agent = person?.user_agent ?? '';
  return { ip: access.ip, access, agent, device: 'Computer', is_proxy: false, is_new: false };
};

/** What the identity provider learns when an application is opened. */
export const accessFacts = (cause: Activity, world: Surroundings): ActivityFacts => ({
  application: fact<string>(cause, 'application'),
  ...clientFacts(cause, world),
  opened_at: cause.at,
  answer: cause.facts['answer'] ?? null,
});

/** Applications that ask for a second factor again, that a policy decides about, and that get tokens. */
const ASKING: ReadonlySet<unknown> = new Set(['Finance Suite', 'People Suite', 'Cloud Console']);
const DECIDED: ReadonlySet<unknown> = new Set([...ASKING, 'Sales Cloud', 'Code Forge']);
const TOKENS: ReadonlySet<unknown> = new Set(['Help Desk', 'Code Forge', 'Big Files']);
const among =
  (names: ReadonlySet<unknown>, count = 1) =>
  ({ facts }: Activity): number =>
    names.has(facts['application']) ? count : 0;

const isSuccess = ({ facts }: Activity): boolean => facts['outcome'] === 'success';

/** A push is sent and then answered; a code is only checked. */
const rounds = ({ facts }: Activity): number =>
  facts['factor'] === null || facts['factor'] === undefined ? 0 : facts['factor'] === 'push' ? 2 : 1;

const answerOf = (own: KeyedDraws): string =>
  own.chance(0.94) ? 'accepted' : own.chance(0.6) ? 'denied' : 'timed_out';

const withClient = (cause: Activity, facts: ActivityFacts): { readonly facts: ActivityFacts } => {
  const { ip, access, agent, device, is_proxy, is_new } = cause.facts;
  return { facts: { ip, access, agent, device, is_proxy, is_new, ...facts } as ActivityFacts };
};

/** What follows from sign-ins at the identity provider, and from what is done there. */
export const SIGN_ON_RULES: CausalRules = {
  sign_on: [
    leadsTo('sso_login', 120, 0.5, (cause, world) => ({
      facts: {
        ...clientFacts(cause, world),
        outcome: fact<string>(cause, 'outcome'),
        reason: fact<string | null>(cause, 'reason'),
        factor: fact<string | null>(cause, 'factor'),
      },
    })),
  ],
  check_factor: [
    leadsTo(
      'sso_factor',
      (cause) => (cause.facts['factor'] === 'push' ? 3_000 : 200),
      0.5,
      (cause, world, _, index) => ({
        facts: {
          ...clientFacts(cause, world),
          factor: fact<string>(cause, 'factor'),
          step: index === 0 && cause.facts['factor'] === 'push' ? 'sent' : fact<string>(cause, 'answer'),
        },
      }),
      rounds,
    ),
  ],
  open_application: [
    leadsTo('sso_access', 700, 0.5, (cause, world) => ({
      facts: accessFacts(cause, world),
    })),
  ],
  sign_off: [leadsTo('sso_logout', 100, 0.5, (cause, world) => ({ facts: clientFacts(cause, world) }))],
  change_sign_on: [
    leadsTo('sso_changed', 80, 0.5, (cause, world) => {
      const { action, target, application, group, factor } = cause.facts;
      return {
        facts: { ...clientFacts(cause, world), action, target, application, group, factor } as ActivityFacts,
      };
    }),
  ],
  sso_login: [
    leadsTo(
      'sso_policy',
      250,
      0.4,
      (cause) => withClient(cause, { application: null, result: 'challenge' }),
      (cause) => (isSuccess(cause) ? 1 : 0),
    ),
    leadsTo(
      'sso_factor',
      4_000,
      0.4,
      (cause, _, own, index) =>
        withClient(cause, {
          factor: fact<string>(cause, 'factor'),
          step:
            index === 0 && cause.facts['factor'] === 'push'
              ? 'sent'
              : own.chance(0.98)
                ? 'accepted'
                : 'denied',
        }),
      (cause) => (isSuccess(cause) ? rounds(cause) : 0),
    ),
  ],
  sso_factor: [CLOUD_SIGN_IN],
  sso_access: [
    leadsTo(
      'sso_policy',
      40,
      0.5,
      (cause, _, own) =>
        withClient(cause, {
          application: fact<string>(cause, 'application'),
          result: own.chance(0.03) ? 'deny' : 'allow',
        }),
      among(DECIDED),
    ),
    leadsTo(
      'sso_factor',
      3_500,
      0.5,
      (cause, _, own, index) =>
        withClient(cause, {
          ...{
            factor: 'push',
            step: index === 0 ? 'sent' : (fact<string | null>(cause, 'answer') ?? answerOf(own)),
          },
          ...{ application: fact<string>(cause, 'application'), opened_at: fact<number>(cause, 'opened_at') },
        }),
      among(ASKING, 2),
    ),
    leadsTo(
      'sso_token',
      300,
      0.6,
      (cause, _, own) =>
        withClient(cause, {
          application: fact<string>(cause, 'application'),
          token: own.pick(['id', 'access', 'access', 'refresh']),
        }),
      among(TOKENS),
    ),
  ],
};
