import { MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import type { ActivityFacts } from '../kinds.js';
import type { Scribe, Surroundings } from '../scribe.js';
import { type MailSender, type MailSort, mailSubject, senderOf } from './senders.js';

/** Purposes of draws: how many messages come in a minute, and one of them. */
const WHY = { minute: 460, message: 461 } as const;

interface SortRate {
  readonly sort: MailSort;
  /** Messages an hour and person when all work. */
  readonly per_hour: number;
  /** Share of them when nobody does. */
  readonly idle: number;
}

/** What comes from outside. Letters follow the hours of the organization, and what nobody wants comes at any time. */
const RATES: readonly SortRate[] = [
  { sort: 'business', per_hour: 1.5, idle: 0.06 },
  { sort: 'notice', per_hour: 0.9, idle: 0.35 },
  { sort: 'bulk', per_hour: 0.6, idle: 0.4 },
  { sort: 'spam', per_hour: 3.1, idle: 0.85 },
  { sort: 'lure', per_hour: 0.8, idle: 0.7 },
  { sort: 'stray', per_hour: 0.35, idle: 0.9 },
];

const BYTES: Readonly<Record<MailSort, readonly [median: number, sigma: number]>> = {
  business: [22_000, 1.4],
  notice: [12_000, 0.9],
  bulk: [34_000, 0.8],
  spam: [9_000, 0.9],
  lure: [14_000, 1],
  stray: [8_000, 0.9],
};

const VERDICTS = {
  wanted: weighted([
    [985, 'delivered'],
    [5, 'spam'],
    [7, 'virus'],
    [3, 'rejected'],
  ] as const),
  spam: weighted([
    [9, 'delivered'],
    [33, 'spam'],
    [2, 'virus'],
    [56, 'rejected'],
  ] as const),
  lure: weighted([
    [44, 'delivered'],
    [24, 'spam'],
    [6, 'virus'],
    [26, 'rejected'],
  ] as const),
};

const verdictFor = (own: KeyedDraws, sort: MailSort): string => {
  if (sort === 'stray') return 'rejected';
  return VERDICTS[sort === 'spam' || sort === 'lure' ? sort : 'wanted'](own.next());
};

/** What who attacks decides of a message. */
export interface GivenMail {
  readonly sender?: MailSender;
  readonly subject?: string;
  readonly verdict?: string;
}

/** A message from outside. Who attacks gives the sender, the subject or what becomes of it. */
export const mailFromOutside = (
  world: Surroundings,
  own: KeyedDraws,
  sort: MailSort,
  given: GivenMail = {},
): ActivityFacts => {
  const [median, sigma] = BYTES[sort];
  const { from, ip, name } = given.sender ?? senderOf(world, own, sort);
  return {
    ...{ from, subject: given.subject ?? mailSubject(own, sort) },
    ...{ bytes: Math.round(own.lognormal(median, sigma)), ip, name },
    ...{ verdict: given.verdict ?? verdictFor(own, sort), sort },
  };
};

/** A mailbox that is not there, or is somebody else's. */
const strayRecipient = ({ spec }: Surroundings, own: KeyedDraws): string =>
  own.chance(0.75)
    ? `${own.pick(['info', 'sales', 'admin', 'office', 'hr'])}${own.integer(1, 99)}@${spec.organization.domain}`
    : `guest${own.integer(1, 999)}@example.org`;

const hourly = ({ per_hour, idle }: SortRate, activeShare: number): number =>
  per_hour * (idle + (1 - idle) * activeShare);

/** The sorts of what comes from outside to mailboxes that are there, in their shares when a share of all people works. */
export const sortsOfMail = (activeShare: number): ((drawn: number) => MailSort) =>
  weighted(
    RATES.filter(({ sort }) => sort !== 'stray').map(
      (rate) => [hourly(rate, activeShare), rate.sort] as const,
    ),
  );

/** Messages a minute and person, when a share of all people works. */
export const mailsPerMinute = (activeShare: number): number =>
  RATES.reduce((sum, rate) => sum + hourly(rate, activeShare), 0) / 60;

/** Writes the mail that comes from outside in a minute. */
export const mailMinute = (scribe: Scribe, world: Surroundings, from: Micros, activeShare: number): void => {
  if (!scribe.isWanted('receive_mail')) return;
  const { draws, population } = world;
  scribe.from('mails');
  for (const [number, rate] of RATES.entries()) {
    const { sort } = rate;
    const mean = (population.size * hourly(rate, activeShare)) / 60;
    const count = draws.of(number, from, WHY.minute).poisson(mean);
    for (let index = 0; index < count; index++) {
      const own = draws.of(number, from + index, WHY.message);
      const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
      const person = population.person(own.integer(0, population.size - 1));
      const facts = mailFromOutside(world, own, sort);
      const all = sort === 'stray' ? { ...facts, to: strayRecipient(world, own) } : facts;
      const who = sort === 'stray' ? null : person;
      scribe.act({
        person: who,
        host: null,
        session: null,
        kind: 'receive_mail',
        at,
        facts: all,
        truth: null,
      });
    }
  }
};
