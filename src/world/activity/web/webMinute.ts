import { MICROS_PER_HOUR, MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import { accessOf } from '../rules/signOn.js';
import type { Act, Scribe, Surroundings } from '../scribe.js';
import { type AddSteps, eachOfStaff, STRETCH, stepsByMinute } from '../stretches.js';
import { officeBrowser } from './agents.js';
import { PROGRAM_VISITS, watchMinute } from './programs.js';
import { makeVisit, stepActs, type WebStep } from './requests.js';
import { browserVisit, MAX_VISIT, visitorSteps } from './visitors.js';
import type { WebVisit } from './webVisit.js';

/** Purposes of draws of the web site. */
const WHY = { count: 480, visitor: 481, staff: 482, program: 484, watch: 489 } as const;

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

/**
 * How many visits of each row of `PROGRAM_VISITS` come in everyday life at a moment with one visit of a browser.
 */
export const programsForVisit = (longitude: number, at: Micros): readonly number[] => {
  const share = shareOfVisitors(longitude, at);
  return PROGRAM_VISITS.map(
    ({ perHour, byDay }) => (perHour * (byDay ? dayShare(share) : 1)) / (VISITS_PER_HOUR * share),
  );
};

/** The share of the most visits of programs that come more by day. */
const dayShare = (share: number): number => 0.4 + 0.6 * share;

const staffVisit = (world: Surroundings, own: KeyedDraws, person: Person, at: Micros): WebVisit => {
  const access = accessOf({ at, person, host: person.workstation }, world);
  return makeVisit(own, at, 'visitor', access, officeBrowser(person.user_agent), '2.0');
};

/** Visits of people of the organization that begin in a stretch. */
const staffStretch = (world: Surroundings, stretch: number, from: Micros, add: AddSteps<WebStep>): void => {
  eachOfStaff(world, WHY.staff, STAFF_PER_HOUR, stretch, from, (own, at, who) => {
    const span = world.planAt(who, at)?.span;
    if (span === undefined || at < span[0] || at >= span[1]) return;
    add(visitorSteps(world, own, staffVisit(world, own, who, at), at, who));
  });
};

/** Visits from outside that begin in a stretch. */
const outsideStretch = (world: Surroundings, stretch: number, from: Micros, add: AddSteps<WebStep>): void => {
  const { size, sites } = world.population;
  const scale = ((size / USUAL_PEOPLE) * STRETCH) / MICROS_PER_HOUR;
  const longitude = sites[0]?.longitude ?? 0;
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
      if (byDay && own.next() >= dayShare(shareOfVisitors(longitude, at))) continue;
      add(steps(world, own, at));
    }
};

/**
 * The web site of the organization. The function writes the requests of a minute. `isStaffOnly`: only those of people of
 * the organization, whose numbers come first.
 */
export const webSite = (
  world: Surroundings,
): ((scribe: Scribe, from: Micros, isStaffOnly: boolean) => void) => {
  const staff = stepsByMinute<WebStep>(MAX_VISIT, (...given) => staffStretch(world, ...given));
  const outside = stepsByMinute<WebStep>(MAX_VISIT, (...given) => outsideStretch(world, ...given));
  return (scribe, from, isStaffOnly) => {
    if (!scribe.isWanted('request_web')) return;
    scribe.from('web');
    const minute = from / MICROS_PER_MINUTE;
    const write = (act: Act): void => scribe.act(act);
    for (const of of isStaffOnly ? [staff] : [staff, outside])
      of(minute, (step) => stepActs(world, step, write));
    if (!isStaffOnly) watchMinute(world, world.draws.of(0, minute, WHY.watch), from, write);
  };
};
