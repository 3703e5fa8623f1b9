import { MICROS_PER_HOUR, MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import { rememberLast } from '../../remember.js';
import { accessOf } from '../rules/signOn.js';
import type { Act, Scribe, Surroundings } from '../scribe.js';
import { officeBrowser } from './agents.js';
import { PROGRAM_VISITS, watchMinute } from './programs.js';
import { makeVisit, stepActs, type WebStep } from './requests.js';
import { browserVisit, MAX_VISIT, visitorSteps } from './visitors.js';
import type { WebVisit } from './webVisit.js';

/** Purposes of draws of the web site. */
const WHY = { count: 480, visitor: 481, staff: 482, program: 484, watch: 489 } as const;

/** Visits that begin in a stretch of time are drawn together. */
const STRETCH_MINUTES = 5;
const STRETCH = STRETCH_MINUTES * MICROS_PER_MINUTE;
/** Stretches whose visits may still go on. */
const GOING_ON = Math.ceil(MAX_VISIT / STRETCH);

/** So many people have the visitors that are named below: the site of a larger organization has more. */
const USUAL_PEOPLE = 200;
/** Visits an hour when most come. */
const VISITS_PER_HOUR = 2_000;
/** Visits an hour of a person at work. */
const STAFF_PER_HOUR = 0.12;

/** The share of the most visitors that come at a moment: few at night, most in the evening, more at the end of the week. */
export const shareOfVisitors = (longitude: number, at: Micros): number => {
  const hours = at / MICROS_PER_HOUR + longitude / 15;
  const wave = (period: number, top: number): number => Math.cos((2 * Math.PI * (hours - top)) / period);
  // 1970 began on a Thursday: its fourth day was a Sunday.
  const week = 1 + 0.1 * wave(168, 3 * 24 + 14);
  return ((0.62 + 0.4 * wave(24, 17) + 0.12 * wave(12, 20.5)) * week) / 1.16;
};

const staffVisit = (world: Surroundings, own: KeyedDraws, person: Person, at: Micros): WebVisit => {
  const cause = { at, person, host: person.workstation, facts: {}, session: null, cause: null, truth: null };
  const access = accessOf({ ...cause, id: 0, kind: 'request_web' }, world);
  return makeVisit(own, at, 'visitor', access, officeBrowser(person.user_agent), '2.0');
};

/** Steps by the minute in which they are, counted from the beginning of the stretch. */
type Stretch = readonly (readonly WebStep[])[];

const byMinute = (from: Micros, write: (add: (steps: readonly WebStep[]) => void) => void): Stretch => {
  const minutes: WebStep[][] = Array.from({ length: (GOING_ON + 1) * STRETCH_MINUTES }, () => []);
  write((steps) => {
    for (const step of steps) minutes[Math.floor((step.at - from) / MICROS_PER_MINUTE)]?.push(step);
  });
  return minutes;
};

/** Visits of people of the organization that begin in a stretch. */
const staffStretch = (world: Surroundings, stretch: number): Stretch => {
  const from = stretch * STRETCH;
  return byMinute(from, (add) => {
    const own = world.draws.of(0, stretch, WHY.staff);
    const { size, person } = world.population;
    const count = own.poisson((size * STAFF_PER_HOUR * STRETCH) / MICROS_PER_HOUR);
    for (let index = 1; index <= count; index++) {
      const each = world.draws.of(index, stretch, WHY.staff);
      const at = from + Math.floor(each.next() * STRETCH);
      const who = person(each.integer(0, size - 1));
      const span = world.planAt(who, at)?.span;
      if (span === undefined || at < span[0] || at >= span[1]) continue;
      add(visitorSteps(world, each, staffVisit(world, each, who, at), at, who));
    }
  });
};

/** Visits from outside that begin in a stretch. */
const outsideStretch = (world: Surroundings, stretch: number): Stretch => {
  const from = stretch * STRETCH;
  const { size, sites } = world.population;
  const scale = ((size / USUAL_PEOPLE) * STRETCH) / MICROS_PER_HOUR;
  const longitude = sites[0]?.longitude ?? 0;
  return byMinute(from, (add) => {
    const counts = world.draws.of(0, stretch, WHY.count);
    for (let index = 0, count = counts.poisson(VISITS_PER_HOUR * scale); index < count; index++) {
      const own = world.draws.of(index, stretch, WHY.visitor);
      const at = from + Math.floor(own.next() * STRETCH);
      if (own.next() >= shareOfVisitors(longitude, at)) continue;
      add(visitorSteps(world, own, browserVisit(world, own, at), at));
    }
    for (const [row, { perHour, byDay, steps }] of PROGRAM_VISITS.entries())
      for (let index = 0, count = counts.poisson(perHour * scale); index < count; index++) {
        const own = world.draws.of(index, stretch, WHY.program + row);
        const at = from + Math.floor(own.next() * STRETCH);
        if (byDay && own.next() >= 0.4 + 0.6 * shareOfVisitors(longitude, at)) continue;
        add(steps(world, own, at));
      }
  });
};

/**
 * The web site of the organization. The function writes the requests of a minute. `isStaffOnly`: only those of people of
 * the organization, whose numbers come first.
 */
export const webSite = (
  world: Surroundings,
): ((scribe: Scribe, from: Micros, isStaffOnly: boolean) => void) => {
  const remember = (make: (world: Surroundings, stretch: number) => Stretch) =>
    rememberLast(
      (stretch) => make(world, stretch),
      () => 0,
      GOING_ON + 3,
    ).of;
  const staff = remember(staffStretch);
  const outside = remember(outsideStretch);
  return (scribe, from, isStaffOnly) => {
    if (!scribe.isWanted('request_web')) return;
    scribe.from('web');
    const minute = from / MICROS_PER_MINUTE;
    const write = (act: Act): void => scribe.act(act);
    const now = Math.floor(minute / STRETCH_MINUTES);
    for (const of of isStaffOnly ? [staff] : [staff, outside])
      for (let stretch = now - GOING_ON; stretch <= now; stretch++)
        for (const step of of(stretch)[minute - stretch * STRETCH_MINUTES] ?? [])
          stepActs(world, step, write);
    if (!isStaffOnly) watchMinute(world, world.draws.of(0, minute, WHY.watch), from, write);
  };
};
