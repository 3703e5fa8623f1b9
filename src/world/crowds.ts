import type { DatabaseConnection } from './activity/database/connection.js';
import { DATABASE_PROGRAMS } from './activity/database/programs.js';
import type { Activity, ActivityFacts, ActivityKind, ShownFrom } from './activity/kinds.js';
import type { Payment } from './activity/payments/payment.js';
import type { WebVisit } from './activity/web/webVisit.js';
import { textNumber } from './draw.js';

const ADDRESS_FACTOR = 31;
/** Multiples of it modulo 1 lie evenly, however many there are: so a share of 30 people is that share of them. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A share above 0. */
const evenly = (number: number): number => 1 - ((number * GOLDEN) % 1);
const shareOfText = (text: string): number => evenly(textNumber(text, ADDRESS_FACTOR));

const FOR_VISITORS = new Set(
  DATABASE_PROGRAMS.filter(({ load }) => load === 'visitors').map(({ application }) => application),
);

/** For acts at servers, whose visitor from outside it is of; null for those of nobody outside. */
const VISITORS: Readonly<Partial<Record<ActivityKind, (facts: ActivityFacts) => string | null>>> = {
  request_web: ({ visit }) => ((visit as WebVisit).sort === 'monitor' ? null : (visit as WebVisit).ip),
  use_database: ({ connection }) => {
    const { application, id } = connection as DatabaseConnection;
    return FOR_VISITORS.has(application) ? id : null;
  },
  pay: ({ payment }) => (payment as Payment).id,
};

/**
 * Of which crowd an act is, and from which share of it on the act is shown. It depends on the person or the address alone,
 * so that all sources show the same ones.
 */
export const shownFrom = ({
  kind,
  person,
  host,
  facts,
  truth,
}: Pick<Activity, 'kind' | 'person' | 'host' | 'facts' | 'truth'>): ShownFrom | null => {
  if (truth !== null) return null;
  const user = person ?? (host?.role === 'workstation' ? host : null);
  if (user !== null) return { crowd: 'people', share: evenly(user.number) };
  const visitorOf = VISITORS[kind];
  const address = visitorOf !== undefined ? visitorOf(facts) : host === null ? facts['ip'] : null;
  if (typeof address !== 'string') return null;
  // Who is at the office and has no workstation is there with the people.
  const crowd = facts['zone'] === 'office' ? 'people' : 'outside';
  return { crowd, share: shareOfText(address) };
};
