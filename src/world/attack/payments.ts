import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { CLERKS, type PayClerk, payEstateOf, someCard } from '../activity/payments/estate.js';
import { payAct } from '../activity/payments/facts.js';
import {
  cardTester,
  doesBegin,
  isClerk,
  mostOften,
  PAY_HABITS,
  type PayHabit,
  serveShoppers,
  sitAtDashboard,
  tellHabit,
} from '../activity/payments/habits.js';
import { PAY_SITTINGS_PER_HOUR, staffClerk } from '../activity/payments/paymentsMinute.js';
import { meetTrouble, type PayScene, tryCards } from '../activity/payments/plans.js';
import { acquirerAt } from '../activity/payments/shops.js';
import { type PayStep, PayWriter, settlePayments, tellPayment } from '../activity/payments/steps.js';
import type { Surroundings } from '../activity/scribe.js';
import type { Person } from '../population/entities.js';
import { CAMPAIGN_MINUTES } from './names.js';
import { type CampaignScene, type Recipe, shareOfPeople } from './scene.js';

/** Purposes of draws of what attacks do besides their own steps, by attack. */
const WHY = { card_testing: 620, outage: 621, refund_fraud: 622 } as const;
type PayAttack = keyof typeof WHY;

/** Within so much time a campaign begins all that it does: as long as campaigns are apart, so that the time tells nothing. */
const BUSY = CAMPAIGN_MINUTES * MICROS_PER_MINUTE;
const CAMPAIGNS_PER_DAY = MICROS_PER_DAY / BUSY;
/** What a campaign does besides its own steps, relative to all that others do in that time: less in a large organization. */
const SHARE_OF_ALL = 0.085;
const MOST_PEOPLE = 450;
/** Share of the records of a campaign that are about what it is for. */
const AIMED_SHARE: Readonly<Record<PayAttack, number>> = {
  card_testing: 0.22,
  outage: 0.3,
  refund_fraud: 0.19,
};

type Aim = readonly [phase: string, technique: string];

const shareAt = ({ population }: Surroundings): number =>
  SHARE_OF_ALL * Math.min(1, MOST_PEOPLE / population.size);

/** A campaign has whole numbers of things that are close to their means. */
const rounded = (mean: number, drawn: number): number => Math.floor(mean + drawn);

/** Numbers of draws of a habit come after each other. */
const DRAWS_PER_HABIT = 1_000_000;

/** Begins a habit as often as others do, within a campaign. */
const beginHabit = (
  world: Surroundings,
  why: number,
  campaign: number,
  row: number,
  write: (habit: PayHabit, scene: PayScene) => void,
): void => {
  const habit = PAY_HABITS[row] as PayHabit;
  const first = row * DRAWS_PER_HABIT;
  const mean = mostOften(world, habit, BUSY) * shareAt(world);
  const count = rounded(mean, world.draws.of(first, campaign, why).next());
  for (let index = 1; index <= count; index++) {
    const own = world.draws.of(first + index, campaign, why);
    const at = campaign * BUSY + Math.floor(((index - own.next()) / count) * BUSY);
    if (doesBegin(world, habit, own, at)) write(habit, { world, estate: payEstateOf(world), own, at });
  }
};

/** What others do, too, in the shares of that hour, and what is settled of the same attack of the day before. */
const blendIn = (
  scene: CampaignScene,
  attack: PayAttack,
  play: (steps: readonly PayStep[]) => void,
): void => {
  const { world, own, from } = scene;
  const estate = payEstateOf(world);
  const why = WHY[attack];
  const campaign = Math.floor(from / BUSY);
  for (const [row, { plans }] of PAY_HABITS.entries()) {
    beginHabit(world, why, campaign, row, (habit, one) => {
      const writer = new PayWriter(one.own, estate, one.at);
      tellHabit(habit, writer, one, habit.plans?.(one) ?? null);
      play(writer.steps);
    });
    if (plans === null) continue;
    beginHabit(world, why, campaign - CAMPAIGNS_PER_DAY, row, (_habit, one) => {
      const made = plans(one);
      const writer = new PayWriter(one.own, estate, one.at + MICROS_PER_DAY);
      settlePayments(writer, made);
      play(writer.steps);
    });
  }
  const { size } = world.population;
  const atWork = shareOfPeople(scene, (person) => staffClerk(world, person, from) !== null);
  const mean = ((size * PAY_SITTINGS_PER_HOUR * BUSY) / MICROS_PER_HOUR) * atWork * shareAt(world);
  for (let left = rounded(mean, own.next()); left > 0; left--) {
    const at = sometime(scene);
    const person = scene.somebody(isClerk);
    const clerk = staffClerk(world, person, at);
    if (clerk === null) continue;
    const writer = new PayWriter(own, estate, at, person);
    sitAtDashboard(writer, { world, estate, own, at }, clerk);
    play(writer.steps);
  }
};

const sometime = ({ from, own }: CampaignScene): Micros =>
  Math.floor(from / BUSY) * BUSY + Math.floor(own.next() * BUSY);

/** Blends in, then goes on with what the attack is about until it is a share of the campaign. */
const attackWith = (
  scene: CampaignScene,
  attack: PayAttack,
  usual: Aim,
  write: (one: PayScene) => PayWriter,
  aimOf: (step: PayStep) => Aim,
): void => {
  const { world, own } = scene;
  let blended = 0;
  blendIn(scene, attack, (steps) => {
    blended += steps.length;
    for (const step of steps) scene.step(...usual, payAct(step));
  });
  const estate = payEstateOf(world);
  const share = AIMED_SHARE[attack];
  const wanted = (blended * share) / (1 - share);
  for (let done = 0; done < wanted; ) {
    const { steps } = write({ world, estate, own, at: sometime(scene) });
    for (const step of steps) scene.step(...aimOf(step), payAct(step));
    done += Math.max(1, steps.length);
  }
};

const writing = ({ own, estate, at }: PayScene, plans: Parameters<typeof settlePayments>[1]): PayWriter => {
  const writer = new PayWriter(own, estate, at);
  for (const plan of plans) tellPayment(writer, plan);
  return writer;
};

const ADDRESSES = 6;
const AGENTS = 3;
/** Amounts that are tried are below. */
const SMALL = 200;

/** An account of the dashboard that was stolen: of the call center, or of somebody at work. */
const stolenClerk = ({
  world,
  own,
  from,
  somebody,
}: CampaignScene): { readonly clerk: PayClerk; readonly person: Person | null } => {
  const person = own.chance(0.5) ? somebody(isClerk) : null;
  const staff = person === null ? null : staffClerk(world, person, from);
  const clerk = payEstateOf(world).clerk(own.integer(0, CLERKS - 1));
  return staff === null ? { clerk, person: null } : { clerk: staff, person };
};

/** Attacks on payments. All of their steps are such that normal traffic has, too. */
export const PAYMENT_RECIPES = {
  card_testing: {
    summary:
      'From six addresses, stolen cards are tried with small amounts at many shops, then used for more, in between usual purchases.',
    acts: ['pay', 'serve_payments'],
    write: (scene) => {
      const { world, own } = scene;
      const estate = payEstateOf(world);
      const accesses = Array.from({ length: ADDRESSES }, () =>
        cardTester({ world, own, estate, at: scene.from }),
      );
      attackWith(
        scene,
        'card_testing',
        ['buy', 'T1657'],
        (one) =>
          writing(one, tryCards(one, { access: own.pick(accesses), tries: own.integer(3, 9), pause: 12 })),
        ({ payment }) => ((payment?.amount ?? 0) < SMALL ? ['test', 'T1110.004'] : ['buy', 'T1657']),
      );
    },
  },
  outage: {
    summary:
      'An acquirer does not answer again and again: circuits of pods open, payments fail or go to another acquirer, until it recovers.',
    acts: ['pay', 'serve_payments'],
    write: (scene) => {
      const { own } = scene;
      const acquirer = acquirerAt(own.next());
      attackWith(
        scene,
        'outage',
        ['load', 'T1499.003'],
        (one) => writing(one, meetTrouble(one, acquirer, own.integer(3, 8))),
        ({ event }) => (event.startsWith('dependency.') ? ['fail', 'T1499'] : ['load', 'T1499.003']),
      );
    },
  },
  refund_fraud: {
    summary:
      'With three accounts of the dashboard, payments of many customers are looked at and refunded to one card, in between usual work.',
    acts: ['pay', 'serve_payments'],
    write: (scene) => {
      const { own, world } = scene;
      const thieves = Array.from({ length: AGENTS }, () => stolenClerk(scene));
      const destination = someCard(own, 'DE').fingerprint;
      attackWith(
        scene,
        'refund_fraud',
        ['use', 'T1078'],
        (one) => {
          const { clerk, person } = own.pick(thieves);
          const writer = new PayWriter(own, payEstateOf(world), one.at, person);
          serveShoppers(writer, one, { clerk, destination }, own.integer(3, 8), 0.95);
          return writer;
        },
        ({ event }) => (event === 'payment.read' ? ['look', 'T1213'] : ['refund', 'T1657']),
      );
    },
  },
} satisfies Readonly<Record<PayAttack, Recipe>>;
