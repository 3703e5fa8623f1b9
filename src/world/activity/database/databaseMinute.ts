import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import { gap } from '../gaps.js';
import type { ActivityFacts } from '../kinds.js';
import type { Scribe, Surroundings } from '../scribe.js';
import { type AddSteps, eachOfStaff, STRETCH, STRETCH_MINUTES, stepsByMinute } from '../stretches.js';
import { addressOfProgram, connectToDatabase, loadAt } from './clients.js';
import {
  DATABASE_PROGRAMS,
  type DatabaseClient,
  type DatabaseProgram,
  databaseClientOf,
} from './programs.js';
import { connectionSteps, type DatabaseStep, MAX_CONNECTION, refusedSteps, stepAct } from './sessions.js';
import { DATABASE_TABLES, DATABASES } from './statements.js';

/** Purposes of draws of the database. */
const WHY = {
  count: 500,
  staff: 501,
  stale: 502,
  audit: 503,
  upkeep: 504,
  checkpoint: 505,
  program: 510,
} as const;

/** So many people have the connections that are named for programs: a larger organization has more. */
export const USUAL_PEOPLE = 200;
/** Connections an hour of a person at work who uses the database. */
const STAFF_PER_HOUR = 1.5;
/** Share of the connections of people before which they mistype. */
const TYPO_SHARE = 0.15;

/** Somebody connects with a wrong password, again after some seconds. Returns the time after it. */
export const refuseLogin = (
  own: KeyedDraws,
  client: Pick<DatabaseClient, 'application' | 'user' | 'database'>,
  ip: string,
  at: Micros,
  add: AddSteps<DatabaseStep>,
  person: Person | null = null,
): Micros => {
  add(refusedSteps(own, connectToDatabase(own, client, ip, at), person));
  return at + MICROS_PER_SECOND + gap(own, 6, 0.6);
};

/** Connections of people at work, from their own computers. */
const staffStretch = (
  world: Surroundings,
  stretch: number,
  from: Micros,
  add: AddSteps<DatabaseStep>,
): void => {
  eachOfStaff(world, WHY.staff, STAFF_PER_HOUR, stretch, from, (own, began, who) => {
    let at = began;
    const client = databaseClientOf(who);
    const span = world.planAt(who, at)?.span;
    if (client === null || span === undefined || at < span[0] || at > span[1] - MAX_CONNECTION) return;
    const ip = world.addressOf(who, at)?.ip;
    if (ip === undefined) return;
    if (own.chance(TYPO_SHARE))
      for (let typos = own.integer(1, 2); typos > 0; typos--) at = refuseLogin(own, client, ip, at, add, who);
    add(connectionSteps(own, connectToDatabase(own, client, ip, at), client, who));
  });
};

/** Runs of a program with a schedule in a stretch: some seconds after the minute. */
const scheduledAt = (own: KeyedDraws, { schedule }: DatabaseProgram, from: Micros): readonly Micros[] => {
  if (schedule === null) return [];
  const [every, after] = schedule;
  const first = from / MICROS_PER_MINUTE;
  return Array.from({ length: STRETCH_MINUTES }, (_, index) => first + index)
    .filter((minute) => (minute - after) % every === 0)
    .map((minute) => minute * MICROS_PER_MINUTE + gap(own, 1.4, 0.5));
};

/** In some stretches a program has a password that was changed, and tries it until it gets the new one. */
const STALE_SHARE = 0.6;
/** In some stretches the organization tries whether accounts have weak passwords. */
const AUDIT_SHARE = 0.4;
const AUDITED = ['postgres', 'admin', 'root', ...DATABASE_PROGRAMS.map(({ user }) => user)];

const refusedStretch = (
  world: Surroundings,
  stretch: number,
  from: Micros,
  add: AddSteps<DatabaseStep>,
): void => {
  const { draws, population } = world;
  const own = draws.of(0, stretch, WHY.stale);
  if (own.chance(STALE_SHARE)) {
    const program = own.pick(DATABASE_PROGRAMS);
    const ip = addressOfProgram(world, program, own.word());
    let at = from + Math.floor(own.next() * STRETCH);
    for (let left = own.integer(4, 16); left > 0; left--) at = refuseLogin(own, program, ip, at, add);
    add(connectionSteps(own, connectToDatabase(own, program, ip, at), program));
  }
  const audit = draws.of(0, stretch, WHY.audit);
  const [host] = population.serversOf('jump_host');
  if (host === undefined || !audit.chance(AUDIT_SHARE)) return;
  let at = from + Math.floor(audit.next() * STRETCH);
  for (let left = audit.integer(10, 30); left > 0; left--) {
    const base = { application: '[unknown]', user: audit.pick(AUDITED), database: audit.pick(DATABASES) };
    at = refuseLogin(audit, base, host.ip, at, add);
  }
};

/** Connections of programs that begin in a stretch. */
const programStretch = (
  world: Surroundings,
  stretch: number,
  from: Micros,
  add: AddSteps<DatabaseStep>,
): void => {
  const scale = ((world.population.size / USUAL_PEOPLE) * STRETCH) / MICROS_PER_HOUR;
  const counts = world.draws.of(0, stretch, WHY.count);
  for (const [row, program] of DATABASE_PROGRAMS.entries()) {
    const write = (own: KeyedDraws, at: Micros): void => {
      const ip = addressOfProgram(world, program, own.word());
      add(connectionSteps(own, connectToDatabase(own, program, ip, at), program));
    };
    for (let index = 0, count = counts.poisson(program.perHour * scale); index < count; index++) {
      const own = world.draws.of(index, stretch, WHY.program + row);
      const at = from + Math.floor(own.next() * STRETCH);
      if (own.next() < loadAt(program, world, at)) write(own, at);
    }
    if (program.schedule === null) continue;
    const own = world.draws.of(0, stretch, WHY.program + row);
    for (const at of scheduledAt(own, program, from)) write(own, at);
  }
  refusedStretch(world, stretch, from, add);
};

/** Tables that are vacuumed or analyzed in a minute. */
const TABLES_PER_MINUTE = 3;
/** The server writes what changed within five minutes, spread over nine tenths of them. */
const CHECKPOINT_SECONDS = 269;
const CHECKPOINTER_PID = 1_207;
/** The server starts again once in so much time. */
const UPTIME = 30 * MICROS_PER_DAY;
/** Bytes of changes a second. */
const WAL_PER_SECOND = 180_000;

const upkeepFacts = (own: KeyedDraws, at: Micros, given: ActivityFacts): ActivityFacts => ({
  by: 'autovacuum worker',
  pid: own.integer(1_300, 4_194_303),
  line: 1,
  seconds: 0,
  table: null,
  oid: null,
  table_rows: 0,
  table_pages: 0,
  reason: 'autovacuum',
  pages: 0,
  tuples: 0,
  buffers: 0,
  milliseconds: 0,
  wal: Math.floor(at / MICROS_PER_SECOND) * WAL_PER_SECOND,
  ...given,
});

/** The checkpoint of a stretch: begin and end, and what it writes. */
const checkpointOf = (world: Surroundings, stretch: number) => {
  const own = world.draws.of(0, stretch, WHY.checkpoint);
  const reason = own.chance(0.89) ? 'time' : own.chance(0.9) ? 'wal' : 'immediate force wait';
  const begin = stretch * STRETCH + Math.round(own.lognormal(18, 0.02) * MICROS_PER_SECOND);
  const end = begin + Math.round(own.lognormal(CHECKPOINT_SECONDS, 0.003) * MICROS_PER_SECOND);
  const buffers = Math.round(own.lognormal(1_100, 0.5));
  return { own, begin, end, reason, buffers };
};

/** What the database does for itself in a minute: checkpoints, and care for its tables. */
const upkeepMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  const [host = null] = world.population.serversOf('database_server');
  const write = (at: Micros, facts: ActivityFacts): void =>
    scribe.act({ kind: 'keep_database', at, person: null, host, session: null, facts, truth: null });
  const now = Math.floor(from / STRETCH);
  const isNow = (at: Micros): boolean => at >= from && at < from + MICROS_PER_MINUTE;
  for (const stretch of [now - 1, now]) {
    const { own, begin, end, reason, buffers } = checkpointOf(world, stretch);
    const since = Math.floor(from / UPTIME) * UPTIME;
    const line = 1 + 2 * (stretch - since / STRETCH);
    const base = { by: 'checkpointer', pid: CHECKPOINTER_PID, reason };
    const age = (at: Micros): number => (at - since) / MICROS_PER_SECOND;
    if (isNow(begin)) {
      const given = { ...base, action: 'checkpoint-starting', line, seconds: age(begin) };
      write(begin, upkeepFacts(own, begin, given));
    }
    const milliseconds = (end - begin) / MICROS_PER_MS;
    if (isNow(end)) {
      const given = { ...base, action: 'checkpoint-complete', line: line + 1, seconds: age(end) };
      write(end, upkeepFacts(own, end, { ...given, buffers, milliseconds }));
    }
  }
  const own = world.draws.of(0, from, WHY.upkeep);
  for (let count = own.poisson(TABLES_PER_MINUTE); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const { name, oid, rows, pages } = own.pick(DATABASE_TABLES);
    const scanned = 1 + Math.floor(pages * own.next() * 0.3);
    const milliseconds = Math.round(own.lognormal(scanned * 0.6 + 20, 0.6));
    write(
      at,
      upkeepFacts(own, at, {
        action: own.chance(0.56) ? 'autovacuum-vacuum' : 'autovacuum-analyze',
        ...{ table: name, oid, table_rows: rows, table_pages: pages, pages: scanned },
        tuples: Math.floor(rows * own.next() * 0.1),
        buffers: scanned * 2,
        ...{ milliseconds, seconds: milliseconds / 1_000 },
      }),
    );
  }
};

/** The database of the organization. The function writes the lines of a minute; with `isStaffOnly`, those of people, whose numbers come first. */
export const databaseOf = (
  world: Surroundings,
): ((scribe: Scribe, from: Micros, isStaffOnly: boolean) => void) => {
  const staff = stepsByMinute<DatabaseStep>(MAX_CONNECTION, (...given) => staffStretch(world, ...given));
  const programs = stepsByMinute<DatabaseStep>(MAX_CONNECTION, (...given) => programStretch(world, ...given));
  return (scribe, from, isStaffOnly) => {
    if (!scribe.isWanted('use_database', 'keep_database')) return;
    scribe.from('database');
    const [host = null] = world.population.serversOf('database_server');
    const minute = from / MICROS_PER_MINUTE;
    for (const of of isStaffOnly ? [staff] : [staff, programs])
      of(minute, (step) => scribe.act(stepAct(host, step)));
    if (!isStaffOnly) upkeepMinute(scribe, world, from);
  };
};
