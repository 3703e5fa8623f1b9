import { MICROS_PER_DAY, MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import type { Scribe, Surroundings } from '../scribe.js';
import { type AddSteps, eachOfStaff, stepsByMinute } from '../stretches.js';
import { payEstateOf } from './estate.js';
import { payAct } from './facts.js';
import { beginsIn, begun, isClerk, PAY_HABITS, sitAtDashboard, tellHabit } from './habits.js';
import { MAX_PAYMENT } from './plans.js';
import { type PayStep, PayWriter, settlePayments } from './steps.js';

/** Purpose of draws of people of the organization. */
const WHY_STAFF = 604;
/** Sittings an hour of a person at work who looks after payments. */
export const PAY_SITTINGS_PER_HOUR = 1.6;
const MINUTES_PER_DAY = MICROS_PER_DAY / MICROS_PER_MINUTE;

/** The clerk that a person is from now until a sitting is over. Null when they do not work, or at something else. */
export const staffClerk = (
  world: Surroundings,
  who: Person,
  at: Micros,
): { user: string; ip: string } | null => {
  if (!isClerk(who)) return null;
  const span = world.planAt(who, at)?.span;
  if (span === undefined || at < span[0] || at > span[1] - MAX_PAYMENT) return null;
  const ip = world.addressOf(who, at)?.ip;
  return ip === undefined ? null : { user: who.user, ip };
};

/** People of the organization at the dashboard. */
const staffMinute = (world: Surroundings, minute: number, from: Micros, add: AddSteps<PayStep>): void => {
  const estate = payEstateOf(world);
  const begin = (own: KeyedDraws, at: Micros, who: Person): void => {
    const clerk = staffClerk(world, who, at);
    if (clerk === null) return;
    const writer = new PayWriter(own, estate, at, who);
    sitAtDashboard(writer, { world, estate, own, at }, clerk);
    add(writer.steps);
  };
  eachOfStaff(world, WHY_STAFF, PAY_SITTINGS_PER_HOUR, minute, from, begin, MICROS_PER_MINUTE);
};

/** All else that begins in a minute, and what is settled of the same minute of the day before. */
const habitMinute = (world: Surroundings, minute: number, _from: Micros, add: AddSteps<PayStep>): void => {
  const estate = payEstateOf(world);
  for (const [row, habit] of PAY_HABITS.entries()) {
    for (let index = 0, count = beginsIn(world, row, minute); index < count; index++) {
      const found = begun(world, row, minute, index);
      if (found === null) continue;
      const { scene, plans } = found;
      const writer = new PayWriter(scene.own, estate, scene.at);
      tellHabit(habit, writer, scene, plans);
      add(writer.steps);
    }
    if (habit.plans === null) continue;
    const before = minute - MINUTES_PER_DAY;
    for (let index = 0, count = beginsIn(world, row, before); index < count; index++) {
      const found = begun(world, row, before, index);
      if (found === null || found.plans === null) continue;
      const { own, at } = found.scene;
      const writer = new PayWriter(own, estate, at + MICROS_PER_DAY);
      settlePayments(writer, found.plans);
      add(writer.steps);
    }
  }
};

/** The payments of the organization. The function writes the records of a minute; with `isStaffOnly`, those of people, whose numbers come first. */
export const paymentsOf = (
  world: Surroundings,
): ((scribe: Scribe, from: Micros, isStaffOnly: boolean) => void) => {
  const staff = stepsByMinute<PayStep>(MAX_PAYMENT, (...given) => staffMinute(world, ...given), 1);
  const others = stepsByMinute<PayStep>(MAX_PAYMENT, (...given) => habitMinute(world, ...given), 1);
  return (scribe, from, isStaffOnly) => {
    if (!scribe.isWanted('pay', 'serve_payments')) return;
    scribe.from('payments');
    const minute = from / MICROS_PER_MINUTE;
    for (const of of isStaffOnly ? [staff] : [staff, others]) of(minute, (step) => scribe.act(payAct(step)));
  };
};
