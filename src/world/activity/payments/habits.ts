import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  type Micros,
} from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import { scannerNumber } from '../../population/population.js';
import { humanGap } from '../gaps.js';
import type { Surroundings } from '../scribe.js';
import { somePlace } from '../web/visitors.js';
import { shareOfVisitors } from '../web/webMinute.js';
import { CLERKS, type PayClerk, payEstateOf, someCard } from './estate.js';
import { buy, meetTrouble, type PayPlan, type PayScene, tryCards } from './plans.js';
import { acquirerAt, DEPENDENCIES, problemAt } from './shops.js';
import { asked, NO_DETAILS, type PayWriter, readPayment, settledAt, tellPayment, tellShop } from './steps.js';

/** Purposes of draws: how often something begins, and one for each habit from the second on. */
const WHY = { count: 603, habit: 610 } as const;

/** So many people have the payments that are named below: a larger organization has more. */
const USUAL_PEOPLE = 200;
/** Shops are in many countries: by night, some sell on. */
const LEAST_LOAD = 0.22;

/** The share of the most payments that come at a moment. */
const payLoadAt = ({ population }: Surroundings, at: Micros): number =>
  LEAST_LOAD + (1 - LEAST_LOAD) * shareOfVisitors(population.sites[0]?.longitude ?? 0, at);

/** A payment of the last days that was captured; a mean age in days. Null when none is found soon. */
const pastPayment = ({ world, own, at }: PayScene, days: number): PayPlan | null => {
  for (let tries = 0; tries < 5; tries++) {
    const age = Math.min(30, own.exponential(days)) * MICROS_PER_DAY + 3 * MICROS_PER_MINUTE;
    const minute = Math.floor((at - age) / MICROS_PER_MINUTE);
    const count = beginsIn(world, 0, minute);
    if (count === 0) continue;
    const plan = begun(world, 0, minute, own.integer(0, count - 1))?.plans?.at(-1);
    if (plan?.ending === 'captured' && plan.endedAt < at) return plan;
  }
  return null;
};

const refundReason = weighted([
  [62, 'returned_goods'],
  [8, 'duplicate'],
  [15, 'not_delivered'],
  [12, 'goodwill'],
  [3, 'fraudulent'],
] as const);

/** Some refunds go to another card: that which paid is gone. */
const OTHER_CARD_SHARE = 0.06;
const PARTIAL_SHARE = 0.25;

/** Who refunds: a clerk in the dashboard, or the shop over the API; and where to, when it is one card for all. */
interface Refunder {
  readonly clerk: PayClerk | null;
  readonly destination: string | null;
}

export const refund = (
  writer: PayWriter,
  plan: PayPlan,
  at: Micros,
  { clerk, destination }: Refunder,
): void => {
  const { own } = writer;
  const { payment, row } = plan;
  const { amount, card } = payment;
  const part = 0.1 + 0.8 * own.next();
  const other = own.chance(OTHER_CARD_SHARE) ? someCard(own, card.country).fingerprint : card.fingerprint;
  const request = writer.request();
  const given = {
    ...asked(payment, clerk),
    status: 201,
    origin: at > settledAt(plan) ? 'settled' : 'captured',
    amount: own.chance(PARTIAL_SHARE) ? Math.max(1, Math.floor(amount * part)) : amount,
    reason: refundReason(own.next()),
    destination: destination ?? other,
  };
  const event = 'payment.refunded';
  const parent = writer.tell(at, event, 'payments-api', request, 74, payment, 'refunded', given);
  tellShop(writer, row, payment, 'refunded', at, { trace: request.trace, parent });
};

/** Somebody looks at payments in the dashboard one after another, and refunds some. */
export const serveShoppers = (
  writer: PayWriter,
  scene: PayScene,
  refunder: Refunder & { readonly clerk: PayClerk },
  cases: number,
  refunded: number,
): void => {
  const { own } = scene;
  let { at } = scene;
  for (let left = cases; left > 0; left--) {
    const plan = pastPayment(scene, 5);
    if (plan === null) continue;
    const state = at > settledAt(plan) ? 'settled' : 'captured';
    readPayment(writer, plan.payment, state, at, refunder.clerk);
    at += humanGap(own);
    if (own.chance(refunded)) refund(writer, plan, at, refunder);
    at += humanGap(own);
  }
};

/** Cases of a clerk at once: sometimes many, such as all buyers of something that is recalled, sometimes to one card. */
export const sitAtDashboard = (writer: PayWriter, scene: PayScene, clerk: PayClerk): void => {
  const { own } = scene;
  const isMany = own.chance(0.1);
  const destination = own.chance(0.06) ? someCard(own, 'DE').fingerprint : null;
  serveShoppers(
    writer,
    scene,
    { clerk, destination },
    isMany ? own.integer(6, 12) : own.integer(1, 4),
    isMany ? 0.9 : 0.55,
  );
};

/** Something that begins again and again: payments, of which all is decided when they begin, or records. */
export interface PayHabit {
  /** How often an hour when most shoppers come, in an organization of the usual size. */
  readonly perHour: number;
  readonly load: 'shoppers' | 'steady';
  readonly plans: ((scene: PayScene) => readonly PayPlan[]) | null;
  readonly write: ((writer: PayWriter, scene: PayScene) => void) | null;
}

const paying = (perHour: number, plans: NonNullable<PayHabit['plans']>): PayHabit => ({
  ...{ perHour, load: 'shoppers', plans, write: null },
});
const telling = (
  perHour: number,
  load: PayHabit['load'],
  write: NonNullable<PayHabit['write']>,
): PayHabit => ({ perHour, load, plans: null, write });

const ACTIONS = weighted([
  [60, ''],
  [20, '/capture'],
  [14, '/refunds'],
  [6, '/cancel'],
] as const);

/** Somebody who tries cards: a stranger who comes again, or somebody at home. */
export const cardTester = ({ world, own }: PayScene) =>
  own.chance(0.5) ? world.population.outsider(scannerNumber(own)) : somePlace(world, own);

/** What begins at all times; payments first. */
export const PAY_HABITS: readonly PayHabit[] = [
  paying(4_300, buy),
  paying(26, (scene) =>
    tryCards(scene, { access: cardTester(scene), tries: scene.own.integer(3, 9), pause: 12 }),
  ),
  paying(12, (scene) => meetTrouble(scene, acquirerAt(scene.own.next()), scene.own.integer(3, 8))),
  telling(360, 'shoppers', (writer, scene) => {
    const plan = pastPayment(scene, 5);
    if (plan !== null) refund(writer, plan, scene.at, { clerk: null, destination: null });
  }),
  telling(60, 'shoppers', (writer, scene) => {
    sitAtDashboard(writer, scene, scene.estate.clerk(scene.own.integer(0, CLERKS - 1)));
  }),
  telling(900, 'shoppers', (writer, scene) => {
    const plan = pastPayment(scene, 0.8);
    if (plan === null) return;
    readPayment(writer, plan.payment, scene.at > settledAt(plan) ? 'settled' : 'captured', scene.at);
  }),
  telling(900, 'shoppers', (writer, { own, estate, at }) => {
    const [status, reason, code, message] = problemAt(own.next());
    const { shop } = own.pick(estate.shops);
    const asking = { shop, ip: shop.ip, agent: own.pick(shop.agents), route: ACTIONS(own.next()) };
    const given = { ...NO_DETAILS, status, reason, code, message, ...asking };
    writer.tell(at, 'request.refused', 'payments-api', writer.request(), 7.4, null, '', given);
  }),
  telling(1_100, 'steady', (writer, { own, estate, at }) => {
    const given = { ...NO_DETAILS, acquirer: own.pick(DEPENDENCIES), isOdd: own.chance(0.06) };
    writer.tell(at, 'dependency.checked', own.pick(estate.pods), writer.request(), 16, null, '', given);
  }),
];

/** How many times a habit may begin in a time, on average, were it the hour with most shoppers. */
export const mostOften = ({ population }: Surroundings, { perHour }: PayHabit, time: Micros): number =>
  (perHour * population.size * time) / (USUAL_PEOPLE * MICROS_PER_HOUR);

/** Whether something that may begin at a moment does. */
export const doesBegin = (world: Surroundings, { load }: PayHabit, own: KeyedDraws, at: Micros): boolean =>
  load === 'steady' || own.next() < payLoadAt(world, at);

/** How many times a habit may begin in a minute. */
export const beginsIn = (world: Surroundings, row: number, minute: number): number =>
  world.draws
    .of(row, minute, WHY.count)
    .poisson(mostOften(world, PAY_HABITS[row] as PayHabit, MICROS_PER_MINUTE));

/** What begins in a minute under a number, with its payments. Null when nothing does. */
export const begun = (
  world: Surroundings,
  row: number,
  minute: number,
  index: number,
): { readonly scene: PayScene; readonly plans: readonly PayPlan[] | null } | null => {
  const habit = PAY_HABITS[row] as PayHabit;
  const own = world.draws.of(index, minute, WHY.habit + row);
  const at = minute * MICROS_PER_MINUTE + Math.floor(own.next() * MICROS_PER_MINUTE);
  if (!doesBegin(world, habit, own, at)) return null;
  const scene: PayScene = { world, estate: payEstateOf(world), own, at };
  return { scene, plans: habit.plans === null ? null : habit.plans(scene) };
};

/** Tells of something that has begun. */
export const tellHabit = (
  habit: PayHabit,
  writer: PayWriter,
  scene: PayScene,
  plans: readonly PayPlan[] | null,
): void => {
  for (const plan of plans ?? []) tellPayment(writer, plan);
  habit.write?.(writer, scene);
};

/** Whether somebody of the organization looks after payments: some of those who write no software. */
export const isClerk = ({ is_engineer, number }: Person): boolean => !is_engineer && number % 4 === 0;
