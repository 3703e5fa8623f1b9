import {
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person, WorldHost } from '../../population/entities.js';
import type { ActivityFacts } from '../kinds.js';
import type { Act } from '../scribe.js';
import type { DatabaseConnection } from './connection.js';
import { faultAt, INJECTED, INJECTED_READS, LOCK_LINES } from './faults.js';
import type { DatabaseClient, DatabaseJob } from './programs.js';
import { type DatabaseLine, SESSION_LINES, STATEMENTS, type StatementBook } from './statements.js';

/** A connection that lasts longer goes on as another one. */
export const MAX_CONNECTION = 12 * MICROS_PER_MINUTE;

/** A line that the database writes about a connection. What only decorates it follows from the key when its minute is made. */
export interface DatabaseStep {
  readonly connection: DatabaseConnection;
  readonly at: Micros;
  /** Number of the line in the connection, from 1. */
  readonly number: number;
  readonly line: DatabaseLine;
  readonly ms: number;
  readonly key: number;
  readonly person: Person | null;
}

/** Writes the lines of a connection, one after another. A class, because a connection remembers how far it is. */
class Writer {
  readonly steps: DatabaseStep[] = [];

  constructor(
    private readonly own: KeyedDraws,
    readonly connection: DatabaseConnection,
    private readonly person: Person | null,
    private at: Micros = connection.began,
  ) {}

  /** A line is written when what it tells of is over. `whole` is the time that it tells, if it began before. */
  write(line: DatabaseLine, ms: number, whole = ms): void {
    const { connection, person, own } = this;
    this.at += Math.round(ms * MICROS_PER_MS);
    const number = this.steps.length + 1;
    this.steps.push({ connection, at: this.at, number, line, ms: whole, key: own.word(), person });
  }

  /** A line after another one of the same job. */
  next(line: DatabaseLine, ms: number, whole = ms): void {
    this.wait(this.own.exponential(0.0015));
    this.write(line, ms, whole);
  }

  wait(seconds: number): void {
    this.at += Math.round(seconds * MICROS_PER_SECOND) + 1;
  }

  hasTime(ms: number): boolean {
    return this.at + ms * MICROS_PER_MS < this.connection.began + MAX_CONNECTION - MICROS_PER_SECOND;
  }
}

const SIGMA = 0.6;
/** The time that a statement takes, in milliseconds. */
const tookMs = (own: KeyedDraws, { ms }: DatabaseLine): number => own.lognormal(ms, SIGMA) + 0.01;

const MAX_WAIT_MS = 60_000;
/** Locks that are waited for are told of after so long. */
const DEADLOCK_MS = 1_000;

/** Does a job. Returns whether the connection stays. */
const work = (writer: Writer, own: KeyedDraws, book: StatementBook, job: DatabaseJob): boolean => {
  const run = (line: DatabaseLine): void => writer.next(line, tookMs(own, line));
  switch (job) {
    case 'read':
      run(own.pick(book.reads));
      return true;
    case 'prepared':
      for (let count = own.integer(1, 3); count > 0; count--) run(own.pick(book.prepared));
      return true;
    case 'write':
      run(own.pick(book.writes));
      return true;
    case 'transaction':
      run(SESSION_LINES.begin);
      for (let count = own.integer(1, 3); count > 0; count--)
        run(own.pick(own.chance(0.6) ? book.writes : book.reads));
      run(own.chance(0.94) ? SESSION_LINES.commit : SESSION_LINES.rollback);
      return true;
    case 'slow': {
      const line = own.pick(book.slow);
      const ms = 1_000 + tookMs(own, line);
      const spills = own.chance(0.3);
      if (!writer.hasTime(ms)) return false;
      // The file is told of when it is removed, right before the statement.
      if (spills) writer.next(SESSION_LINES.spilled, ms);
      writer.next(line, spills ? 0.05 : ms, ms);
      return true;
    }
    case 'copy':
      return copy(writer, own, book);
    case 'fault': {
      const line = faultAt(own.next());
      run(line);
      return line.severity !== 'FATAL';
    }
    case 'lock': {
      const wait = Math.min(MAX_WAIT_MS, own.lognormal(1_500, 1.2));
      if (!writer.hasTime(DEADLOCK_MS + wait)) return false;
      const isDeadlock = own.chance(0.2);
      if (isDeadlock) {
        writer.next(LOCK_LINES.deadlock, DEADLOCK_MS);
        return true;
      }
      writer.next(LOCK_LINES.waiting, DEADLOCK_MS);
      writer.write(LOCK_LINES.acquired, wait, DEADLOCK_MS + wait);
      writer.write(LOCK_LINES.done, 0.2, DEADLOCK_MS + wait + 0.2);
      return true;
    }
    case 'catalog':
      run(own.pick(book.catalog));
      return true;
    case 'injected':
      run(own.pick(own.chance(0.35) ? INJECTED_READS : INJECTED));
      return true;
  }
};

/** Copies a whole table, unless the connection ends before. */
const copy = (writer: Writer, own: KeyedDraws, book: StatementBook): boolean => {
  const line = own.pick(book.copies);
  const ms = tookMs(own, line);
  if (!writer.hasTime(ms)) return false;
  writer.next(line, ms);
  return true;
};

/** What somebody else does in a connection, after a share of its jobs. */
export interface AimedWork {
  readonly share: number;
  readonly line: (own: KeyedDraws) => DatabaseLine;
}

/** All lines of a connection: those of its client, and of who uses it, too. */
export const connectionSteps = (
  own: KeyedDraws,
  connection: DatabaseConnection,
  { jobs, pause, habit }: DatabaseClient,
  person: Person | null = null,
  aimed: AimedWork | null = null,
): readonly DatabaseStep[] => {
  const writer = new Writer(own, connection, person);
  const book = STATEMENTS[connection.database];
  writer.write(SESSION_LINES.connected, 0);
  writer.next(SESSION_LINES.authorized, own.lognormal(6, 0.5));
  let isOpen = true;
  for (let left = Math.max(1, Math.round(own.lognormal(...jobs))); isOpen && left > 0; left--) {
    writer.wait(own.lognormal(...pause));
    isOpen = writer.hasTime(0) && work(writer, own, book, habit(own.next()));
    if (!isOpen || aimed === null || !own.chance(aimed.share)) continue;
    const line = aimed.line(own);
    const ms = tookMs(own, line);
    if (writer.hasTime(ms)) writer.next(line, ms);
  }
  writer.next(SESSION_LINES.disconnected, own.exponential(2));
  return writer.steps;
};

/** Somebody uses a password that is wrong: the database ends the connection. */
export const refusedSteps = (
  own: KeyedDraws,
  connection: DatabaseConnection,
  person: Person | null = null,
): readonly DatabaseStep[] => {
  const writer = new Writer(own, connection, person);
  writer.write(SESSION_LINES.connected, 0);
  writer.next(SESSION_LINES.refused, own.lognormal(6, 0.5));
  return writer.steps;
};

/** A number from a key: two purposes of one key give unrelated ones. */
const drawnFrom = (key: number, purpose: number, below: number): number =>
  Math.floor(((Math.imul(key ^ purpose, 0x9e37_79b1) >>> 0) / 0x1_0000_0000) * below);

const PREPARED_NAMES = [
  ...['<unnamed>', '<unnamed>', '<unnamed>', '<unnamed>', '<unnamed>', 'S_1', 'S_2'],
  ...['S_3', 'S_7', 'pdo_stmt_00000004'],
];
const PREPARED_STEPS = [...Array.from({ length: 22 }, () => 'execute'), 'bind', 'bind', 'parse'];
const LOCK_MODES = [
  ...['ShareLock', 'ShareLock', 'ShareLock', 'ExclusiveLock'],
  ...['RowExclusiveLock', 'AccessExclusiveLock'],
];
/** Transactions have numbers that go up: one in so many microseconds. */
const MICROS_PER_TRANSACTION = 400 * MICROS_PER_MS;

/** Statements that need a number of a transaction. */
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

/** One literal for all lines of connections: they have one shape, which is read fastest. */
const lineFacts = ({ connection, at, number, line, ms, key }: DatabaseStep): ActivityFacts => {
  const id = String(1_000 + drawnFrom(key, 1, 989_000));
  const { action, statement, detail, rows } = line;
  const isPrepared = action === 'prepared-execute';
  const isLock = action.startsWith('lock-');
  const step = isPrepared ? (PREPARED_STEPS[drawnFrom(key, 2, PREPARED_STEPS.length)] ?? null) : null;
  return {
    connection,
    action: step === null ? action : `prepared-${step}`,
    line: number,
    seconds: (at - connection.began) / MICROS_PER_SECOND,
    severity: line.severity,
    code: line.code,
    condition: line.condition,
    text: line.text,
    detail: detail === null ? null : detail.replaceAll('{id}', id),
    hint: line.hint,
    statement: statement === null ? null : statement.length === 1 ? (statement[0] ?? '') : statement.join(id),
    tag: line.tag,
    query_id: line.query_id,
    step,
    name: isPrepared ? (PREPARED_NAMES[drawnFrom(key, 3, PREPARED_NAMES.length)] ?? null) : null,
    milliseconds: Math.round(ms * 1_000) / 1_000,
    rows: Math.round(rows * (0.2 + drawnFrom(key, 4, 1_600) / 1_000)),
    bytes: action === 'temporary-file' ? Math.round(ms * (4_000 + drawnFrom(key, 5, 30_000))) : 0,
    holder: isLock ? 1_300 + drawnFrom(key, 6, 4_192_000) : null,
    mode: isLock ? (LOCK_MODES[drawnFrom(key, 7, LOCK_MODES.length)] ?? null) : null,
    transaction: isLock || CHANGES.has(line.tag) ? Math.floor(at / MICROS_PER_TRANSACTION) % 2 ** 31 : null,
  };
};

/** A line of the log as an act at the server of the database. */
export const stepAct = (host: WorldHost | null, step: DatabaseStep): Act => ({
  kind: 'use_database',
  at: step.at,
  person: step.person,
  host,
  session: step.connection.id,
  facts: lineFacts(step),
  truth: null,
});
