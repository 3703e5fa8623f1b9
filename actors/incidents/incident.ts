import * as E from 'fp-ts/lib/Either.js';
import type { IncidentFile } from '../../src/config/incidents/read.js';
import { failure, type Result } from '../../src/domain/errors.js';
import { durationSeconds, type Incident } from '../../src/domain/incidents/incident.js';
import type { JsonObject } from '../../src/domain/json.js';
import { utcText } from '../../src/domain/time/iso.js';
import { ENDED } from '../../src/domain/waiting.js';
import type {
  IncidentDetails,
  IncidentEnd,
  IncidentItem,
  IncidentRequests,
  IncidentRunSummary,
  IncidentTruth,
} from '../../src/messages/incidents.js';
import type { Request } from '../../src/messages/request.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Log } from '../../src/ports/log.js';
import { storeLogic } from '../stores/store.js';
import { assignAll, assignMembers, type MemberGenerators, prepare, release } from './members.js';
import {
  type ActiveRun,
  again,
  assignmentOf,
  from,
  incidentTimelineOf,
  isPaused,
  memberStates,
  msToEnd,
  paused,
  pausedAt,
  positionAt,
  resumed,
} from './run.js';

/** Incident files. None rejects. */
export interface IncidentFiles {
  readonly names: () => Promise<Result<readonly string[]>>;
  /** Returns the text of a file, or the error `not_found` or `unreadable`. */
  readonly text: (name: string) => Promise<Result<string>>;
  /** Returns the error `invalid`, with every problem by line and column, when the file cannot be used. */
  readonly read: (name: string, text: string) => Promise<Result<IncidentFile>>;
  readonly draw: (name: string, file: IncidentFile, seed: string) => Promise<Result<JsonObject>>;
  /** Ground truth that the members have written to files, from where `after` says. */
  readonly truth: (
    incident: Incident,
    members: readonly string[],
    after: string | null,
  ) => Promise<Result<IncidentTruth>>;
  readonly write: (name: string, text: string) => Promise<Result<void>>;
  readonly remove: (name: string) => Promise<Result<null>>;
  /** Notes when a run began, for a service that ends before it. Null once the run has ended. */
  readonly noteRun: (name: string, startedAt: string | null) => Promise<Result<void>>;
  /** When the noted run began. Null without one. */
  readonly notedRun: (name: string) => Promise<string | null>;
}

export interface IncidentsInput {
  readonly files: IncidentFiles;
  readonly generators: MemberGenerators;
  readonly clock: Pick<Clock, 'now' | 'sleepMs'>;
  readonly drawSeed: () => string;
  readonly log: Log;
  /** Why incidents cannot be started here. Null when they can. */
  readonly refusal: string | null;
}

interface OwnRequests {
  /** The end of a round is due. */
  'incidents.end': { payload: { readonly name: string }; answer: null };
}

export type IncidentMessage =
  | Exclude<Request<IncidentRequests>, { readonly type: 'incidents.list' }>
  | Request<OwnRequests>;

const summaryOf = ({ seed, startedAt, round, rounds }: ActiveRun): IncidentRunSummary => ({
  seed,
  started_at: utcText(startedAt),
  round,
  rounds,
});

type ShownFile = Pick<IncidentFile, 'incident' | 'members'>;

type Payload<K extends keyof IncidentRequests> = IncidentRequests[K]['payload'];

/** One incident: its file, and the run under way. `wake` sends it a message. */
export const makeIncident = (
  name: string,
  input: IncidentsInput,
  wake: (message: IncidentMessage) => void,
) => {
  const { files, generators, clock } = input;
  const log = input.log.with({ incident: name });
  let active: ActiveRun | null = null;
  let last: IncidentEnd | null = null;
  let timer = new AbortController();

  const progress = (): Pick<IncidentItem, 'state' | 'position'> =>
    active === null
      ? { state: 'idle', position: null }
      : {
          state: isPaused(active) ? 'paused' : 'running',
          position: positionAt(active, clock.now()),
        };

  /** Ends the wait for the former end; a paused run has none. */
  const awaitEnd = (): void => {
    timer.abort(ENDED);
    timer = new AbortController();
    const { signal } = timer;
    if (active === null || isPaused(active)) return;
    void clock.sleepMs(msToEnd(active, clock.now()), signal).then(() => {
      if (!signal.aborted) wake({ type: 'incidents.end', payload: { name }, reply: () => {} });
    });
  };

  const load = async (): Promise<Result<IncidentFile>> => {
    const text = await files.text(name);
    return E.isLeft(text) ? text : files.read(name, text.right);
  };

  const item = async (): Promise<Result<IncidentItem>> => {
    const text = await files.text(name);
    if (E.isLeft(text)) return text;
    return E.right(itemOf(await files.read(name, text.right)));
  };

  const note = async (startedAt: string | null): Promise<void> => {
    const noted = await files.noteRun(name, startedAt);
    if (E.isLeft(noted)) log.write('warning', `the run is not noted: ${noted.left.message}`);
  };

  /** How the last run ended. A run that is noted and not under way was cut off. */
  const lastEnd = async (): Promise<IncidentEnd | null> => {
    if (last !== null || active !== null) return last;
    const at = await files.notedRun(name);
    return at === null ? null : { at, outcome: 'cut_off', reason: null };
  };

  /** What is under way, whatever has become of the file meanwhile. Null when nothing is. */
  const shownRun = (): ShownFile | null =>
    active && { incident: active.incident, members: active.members.map(({ member }) => member) };

  /** Null when nothing is under way and the file is invalid. */
  const shownOf = (read: Result<IncidentFile>): ShownFile | null =>
    shownRun() ?? (E.isLeft(read) ? null : read.right);

  const itemOf = (read: Result<IncidentFile>): IncidentItem => ({
    name,
    summary: E.isLeft(read) ? null : read.right.summary,
    duration: shownOf(read)?.incident.duration ?? null,
    ...progress(),
    problem: E.isLeft(read) ? read.left.message : null,
  });

  const details = async ({ seed }: Payload<'incidents.read'>): Promise<Result<IncidentDetails>> => {
    const text = await files.text(name);
    // Its file may have gone while it is under way.
    if (E.isLeft(text) && active === null) return text;
    const read = E.isLeft(text) ? text : await files.read(name, text.right);
    const canDraw = active === null && seed !== null && E.isRight(read);
    const drawn = canDraw ? await files.draw(name, read.right, seed) : E.right(null);
    if (E.isLeft(drawn)) return drawn;
    const shown = shownOf(read);
    const base = {
      ...itemOf(read),
      text: E.isLeft(text) ? '' : text.right,
      entities: active?.drawn ?? drawn.right,
      run: active && summaryOf(active),
      last: await lastEnd(),
    };
    if (shown === null) return E.right({ ...base, timeline: [], members: [] });
    const members = await memberStates(shown, generators);
    return E.right({ ...base, timeline: incidentTimelineOf(shown.incident), members });
  };

  const truth = async ({ after }: Payload<'incidents.truth'>): Promise<Result<IncidentTruth>> => {
    const shown = shownRun();
    const read: Result<ShownFile> = shown === null ? await load() : E.right(shown);
    if (E.isLeft(read)) return read;
    const { incident, members } = read.right;
    return files.truth(
      incident,
      members.map((member) => member.name),
      after,
    );
  };

  const begin = async ({
    seed: given,
    rounds,
  }: Payload<'incidents.start'>): Promise<Result<IncidentRunSummary>> => {
    if (input.refusal !== null) return E.left(failure('wrong_state', input.refusal));
    if (active !== null)
      return E.left(failure('wrong_state', `incident "${name}" is under way: stop it first`));
    const read = await load();
    if (E.isLeft(read)) return read;
    const seed = given ?? input.drawSeed();
    const drawn = await files.draw(name, read.right, seed);
    if (E.isLeft(drawn)) return drawn;
    const { incident, members } = read.right;
    const assigned = await assignMembers(name, members, generators);
    if (E.isLeft(assigned)) return assigned;
    const prepared = await prepare(assigned.right, generators);
    const now = clock.now();
    const opening: ActiveRun = from(
      {
        incident,
        drawn: drawn.right,
        members: assigned.right,
        seed,
        startedAt: now,
        round: 1,
        rounds,
        start: now,
        range: { from: 0, to: incident.duration },
      },
      0,
      now,
    );
    const begun = E.isLeft(prepared)
      ? prepared
      : await assignAll(assigned.right, assignmentOf(opening), generators);
    if (E.isLeft(begun)) {
      await release(assigned.right, generators, log);
      return begun;
    }
    active = opening;
    awaitEnd();
    await note(utcText(now));
    log.write('info', 'incident begins', { seed, rounds });
    return E.right(summaryOf(opening));
  };

  /** After an error, members that could be reached have the change, and the incident counts it. */
  const change = async (next: ActiveRun): Promise<Result<null>> => {
    active = next;
    awaitEnd();
    return assignAll(next.members, assignmentOf(next), generators);
  };

  const underWay = (): Result<ActiveRun> =>
    E.fromNullable(failure('wrong_state', `incident "${name}" is not under way: start it first`))(active);

  const pause = async (): Promise<Result<null>> => {
    const now = underWay();
    if (E.isLeft(now)) return now;
    if (isPaused(now.right)) return E.right(null);
    const next = paused(now.right, clock.now());
    if (!isPaused(next)) return E.left(failure('wrong_state', `incident "${name}" is at its end`));
    return change(next);
  };

  const resume = async (): Promise<Result<null>> => {
    const now = underWay();
    if (E.isLeft(now)) return now;
    return isPaused(now.right) ? change(resumed(now.right, clock.now())) : E.right(null);
  };

  const jump = async ({ to }: Payload<'incidents.jump'>): Promise<Result<null>> => {
    const now = underWay();
    if (E.isLeft(now)) return now;
    const { incident } = now.right;
    const seconds = incident.phases.find((phase) => phase.name === to)?.at ?? durationSeconds(to);
    if (seconds === null)
      return E.left(
        failure('not_found', `incident "${name}" has no phase "${to}", and that is no duration such as 8m`),
      );
    if (seconds >= incident.duration)
      return E.left(failure('wrong_state', `incident "${name}" ends after ${incident.duration} s`));
    return change((isPaused(now.right) ? pausedAt : from)(now.right, seconds, clock.now()));
  };

  const end = async (outcome: IncidentEnd['outcome']): Promise<Result<null>> => {
    const now = underWay();
    if (E.isLeft(now)) return now;
    timer.abort(ENDED);
    const released = await release(now.right.members, generators, log);
    active = null;
    await note(null);
    last = {
      at: utcText(clock.now()),
      outcome,
      reason: E.isLeft(released) ? released.left.message : null,
    };
    log.write('info', 'incident has ended', { outcome });
    return E.right(null);
  };

  const endRound = async (): Promise<Result<null>> => {
    if (active === null || isPaused(active)) return E.right(null);
    // A jump may have come before it.
    if (msToEnd(active, clock.now()) > 0) {
      awaitEnd();
      return E.right(null);
    }
    if (active.round >= active.rounds) return end('finished');
    return change(again(active, clock.now()));
  };

  const write = async ({ text }: Payload<'incidents.write'>): Promise<Result<null>> => {
    const read = await files.read(name, text);
    if (E.isLeft(read)) return read;
    return E.map(() => null)(await files.write(name, text));
  };

  const remove = async (): Promise<Result<null>> =>
    active === null
      ? files.remove(name)
      : E.left(failure('wrong_state', `incident "${name}" is under way: stop it first`));

  const answer = async (message: IncidentMessage): Promise<void> => {
    switch (message.type) {
      case 'incidents.read':
        return message.reply(await details(message.payload));
      case 'incidents.truth':
        return message.reply(await truth(message.payload));
      case 'incidents.start':
        return message.reply(await begin(message.payload));
      case 'incidents.pause':
        return message.reply(await pause());
      case 'incidents.resume':
        return message.reply(await resume());
      case 'incidents.jump':
        return message.reply(await jump(message.payload));
      case 'incidents.stop':
        return message.reply(await end('stopped'));
      case 'incidents.write':
        return message.reply(await write(message.payload));
      case 'incidents.delete':
        return message.reply(await remove());
      case 'incidents.end':
        return message.reply(await endRound());
    }
  };

  return {
    item,
    /** Reads do not wait for a start under way. */
    logic: storeLogic<IncidentMessage>(answer, (message) =>
      message.type === 'incidents.read' || message.type === 'incidents.truth'
        ? answer(message).then(() => true)
        : null,
    ),
    close: () => timer.abort(ENDED),
  };
};
