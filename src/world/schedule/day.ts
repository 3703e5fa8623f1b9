import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  type Micros,
} from '../../domain/time/micros.js';
import type { Zone } from '../../domain/time/zone.js';
import { type DrawSource, type KeyedDraws, weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import type { Population } from '../population/population.js';
import type { WorldSpec } from '../spec.js';

/** Purposes of draws, beside those of the population. */
const WHY_DAY = 16;

/** From, to. */
export type ActiveSpan = readonly [from: Micros, to: Micros];

/** Work on a server: a session there. */
export interface ServerWork {
  readonly server: WorldHost;
  readonly protocol: 'rdp' | 'ssh' | 'wmi' | 'smb';
  readonly span: ActiveSpan;
}

/** A program that runs for long. */
export interface LongProgram {
  readonly program: number;
  readonly span: ActiveSpan;
}

/** What a person does on a day, in outline: who is where, and what lasts longer than a minute. */
export interface DayPlan {
  /** Local day, counted from 1970. */
  readonly day: number;
  readonly where: 'office' | 'home';
  /** From the sign-in to the sign-out. */
  readonly span: ActiveSpan;
  /** Screens that are locked: lunch and breaks. */
  readonly locks: readonly ActiveSpan[];
  readonly vpn: readonly ActiveSpan[];
  readonly work: readonly ServerWork[];
  readonly programs: readonly LongProgram[];
  /** When something of this begins or ends, in minutes from 1970: all other minutes have only what people do in between. */
  readonly minutes: ReadonlySet<number>;
  /** Passwords mistyped before the sign-in. */
  readonly typos: number;
  /** Number of the session at the workstation. */
  readonly logon_id: string;
  /** Process ids of the desktop and of the long-running programs. */
  readonly explorer_pid: number;
  readonly pids: readonly number[];
}

/** Number of long-running programs a person may have, by number: mail, browser, chat, documents, an editor. The browser that Windows starts has the number after them. */
export const LONG_PROGRAMS = 5;

const PEOPLE = { start_hour: 8.7, start_sd: 0.7, length_h: 8.6, length_sd: 0.7, holiday_share: 0.08 };
const TYPO_SHARE = 0.05;
const MIDNIGHT_GUARD_MS = MICROS_PER_MINUTE;

/** Process ids of Windows are multiples of four. */
export const processId = (own: KeyedDraws): number => own.integer(250, 7_000) * 4;

/** Number of a logon session on a host. */
export const logonId = (own: KeyedDraws): string => `0x${own.integer(0x20_0000, 0xffff_ffff).toString(16)}`;

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Whether a person is at the screen: the desktop is there half a minute after the sign-in, and is locked in breaks. */
export const isAtScreen = ({ span, locks }: DayPlan, at: Micros): boolean =>
  at >= span[0] + 30 * MICROS_PER_SECOND &&
  at < span[1] &&
  !locks.some(([away, back]) => at >= away && at < back);

/** The plan of a day, or null when the person does not work. Computed at its first use, and kept for two days. */
export type PlanOf = (person: Person, day: number) => DayPlan | null;

export const dayPlans = (
  spec: WorldSpec,
  population: Population,
  draws: DrawSource,
  zoneOf: (person: Person) => Zone,
): PlanOf => {
  const kept = new Map<number, [DayPlan | null, DayPlan | null, number, number]>();
  return (person, day) => {
    const known = kept.get(person.number);
    if (known !== undefined) {
      if (known[2] === day) return known[0];
      if (known[3] === day) return known[1];
    }
    const plan = planOf(spec, population, draws.of(person.number, day, WHY_DAY), zoneOf(person), person, day);
    kept.set(person.number, [plan, known?.[0] ?? null, day, known?.[2] ?? Number.NaN]);
    return plan;
  };
};

/** 0 is Monday: 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

const planOf = (
  spec: WorldSpec,
  population: Population,
  own: KeyedDraws,
  zone: Zone,
  person: Person,
  day: number,
): DayPlan | null => {
  const isWeekend = weekdayOf(day) >= 5;
  if (!own.chance(isWeekend ? spec.weekend_share : 1 - PEOPLE.holiday_share)) return null;
  const where = own.chance(isWeekend ? 1 : spec.home_share) ? 'home' : 'office';
  const start_h = between(PEOPLE.start_hour + PEOPLE.start_sd * own.normal() + (isWeekend ? 2 : 0), 5, 14);
  const length_h = between(PEOPLE.length_h + PEOPLE.length_sd * own.normal(), 2, 12) * (isWeekend ? 0.3 : 1);
  const midnight = day * MICROS_PER_DAY;
  const from = zone.instantOf(midnight + Math.round(start_h * MICROS_PER_HOUR));
  const to = Math.min(
    from + Math.round(length_h * MICROS_PER_HOUR),
    zone.instantOf(midnight + MICROS_PER_DAY) - MIDNIGHT_GUARD_MS,
  );
  const span: ActiveSpan = [from, to];
  const locks = locksOf(own, span, zone, midnight);
  const vpn = where === 'home' ? vpnOf(own, span) : [];
  const work = person.is_engineer || person.is_admin ? workOf(own, population, span, locks, person) : [];
  const programsOfDay = programsOf(own, span, person);
  const typos = own.chance(TYPO_SHARE) ? 1 + Math.min(4, Math.floor(own.exponential(0.7))) : 0;
  const logon_id = logonId(own);
  const explorer_pid = processId(own);
  const pids = Array.from({ length: LONG_PROGRAMS + 1 }, () => processId(own));
  const browserFrom = from + Math.round((20 + own.exponential(6)) * MICROS_PER_SECOND);
  const browser: LongProgram = { program: LONG_PROGRAMS, span: [browserFrom, to - MICROS_PER_SECOND] };
  const programs = [...programsOfDay, ...(browserFrom < to - MICROS_PER_MINUTE ? [browser] : [])];
  const spans = [span, ...locks, ...vpn, ...work.map((one) => one.span), ...programs.map((one) => one.span)];
  return {
    day,
    where,
    span,
    locks,
    vpn,
    work,
    programs,
    minutes: new Set(spans.flat().map((at) => Math.floor(at / MICROS_PER_MINUTE))),
    typos,
    logon_id,
    explorer_pid,
    pids,
  };
};

/** Lunch, and breaks about every two hours. */
const locksOf = (
  own: KeyedDraws,
  [from, to]: ActiveSpan,
  zone: Zone,
  midnight: number,
): readonly ActiveSpan[] => {
  const locks: ActiveSpan[] = [];
  let at = from + Math.round(own.exponential(100 * MICROS_PER_MINUTE)) + 20 * MICROS_PER_MINUTE;
  const noon = zone.instantOf(midnight + Math.round((11.8 + 1.2 * own.next()) * MICROS_PER_HOUR));
  let hadLunch = noon < from;
  while (at < to - 10 * MICROS_PER_MINUTE) {
    const isLunch = !hadLunch && at >= noon - 40 * MICROS_PER_MINUTE;
    const begin = isLunch ? Math.max(at, noon) : at;
    hadLunch ||= isLunch;
    const length = Math.round(own.lognormal(isLunch ? 42 : 7, 0.35) * MICROS_PER_MINUTE);
    if (begin + length > to - 5 * MICROS_PER_MINUTE) break;
    locks.push([begin, begin + length]);
    at = begin + length + 10 * MICROS_PER_MINUTE + Math.round(own.exponential(90 * MICROS_PER_MINUTE));
  }
  return locks;
};

/** The VPN comes up after the sign-in; once or twice a day the line drops. */
const vpnOf = (own: KeyedDraws, [from, to]: ActiveSpan): readonly ActiveSpan[] => {
  const spans: ActiveSpan[] = [];
  let begin = from + Math.round(own.lognormal(70, 0.4) * MICROS_PER_SECOND);
  while (begin < to - MICROS_PER_MINUTE) {
    const length = Math.round(own.lognormal(300, 0.7) * MICROS_PER_MINUTE);
    const end = Math.min(begin + length, to - Math.round((5 + own.exponential(20)) * MICROS_PER_SECOND));
    if (end > begin) spans.push([begin, end]);
    begin = Math.max(begin, end) + Math.round(own.lognormal(45, 0.8) * MICROS_PER_SECOND);
  }
  return spans;
};

/** How administrators reach Windows: a desktop, a remote shell, or a share. */
const remoteAt = weighted([
  [45, 'rdp'],
  [40, 'wmi'],
  [15, 'smb'],
] as const);

const WORK_PER_DAY = { admin: 5, engineer: 2.5 };

const workOf = (
  own: KeyedDraws,
  population: Population,
  [from, to]: ActiveSpan,
  locks: readonly ActiveSpan[],
  person: Person,
): readonly ServerWork[] => {
  const work: ServerWork[] = [];
  const count = own.poisson(person.is_admin ? WORK_PER_DAY.admin : WORK_PER_DAY.engineer);
  for (let index = 0; index < count; index++) {
    const server = own.pick(population.servers);
    const begin = from + Math.round((0.03 + 0.9 * own.next()) * (to - from));
    const end = Math.min(
      begin + Math.round(own.lognormal(11, 0.8) * MICROS_PER_MINUTE),
      to - MICROS_PER_MINUTE,
    );
    const isAway = locks.some(([away, back]) => begin < back && end > away);
    if (end - begin < 2 * MICROS_PER_MINUTE || isAway) continue;
    work.push({
      server,
      protocol: server.os.family === 'windows' ? remoteAt(own.next()) : 'ssh',
      span: [begin, end],
    });
  }
  return work.toSorted((a, b) => a.span[0] - b.span[0]);
};

const programsOf = (own: KeyedDraws, [from, to]: ActiveSpan, person: Person): readonly LongProgram[] => {
  const programs: LongProgram[] = [];
  for (let program = 0; program < LONG_PROGRAMS; program++) {
    const isUsed = program < 3 || (program === 4 ? person.is_engineer : own.chance(0.7));
    const begin = from + Math.round(own.lognormal(program < 3 ? 120 : 1_800, 0.8) * MICROS_PER_SECOND);
    const isClosed = own.chance(0.4);
    const end = isClosed ? begin + Math.round(own.lognormal(150, 0.9) * MICROS_PER_MINUTE) : to;
    const last = Math.min(end, to - Math.round((1 + own.exponential(4)) * MICROS_PER_SECOND));
    if (isUsed && last > begin) programs.push({ program, span: [begin, last] });
  }
  return programs;
};
