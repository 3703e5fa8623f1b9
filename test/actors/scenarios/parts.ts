import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { scenarioLogic } from '../../../actors/scenarios/scenario.js';
import type { ScenarioMessage } from '../../../actors/scenarios/scenarios.js';
import { globalsFiles } from '../../../actors/scenarios/store.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import type { GlobalsChange, GlobalsView } from '../../../src/domain/globals/globals.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { type GlobalsText, globalsOwner, linkAfter, type OwnerLink } from '../../../src/host/globalsOwner.js';
import type { FromWorker, GlobalsAnswer, MovedGlobals, ToWorker } from '../../../src/host/protocol.js';

import type { GlobalsPatch, GlobalsState } from '../../../src/messages/scenarios.js';
import type { StateFiles } from '../../../src/ports/files.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { memoryLog } from '../../support/logs.js';

export const NAME = 'busy';
export const FOLDER = '/state/globals';

/** Messages between threads take a turn of the event loop, in order. */
const hop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const GONE = E.left(failure('unavailable', 'the thread has ended'));

/** The actor of one scenario over these files. */
export const makeScenario = (files: StateFiles) => {
  const { log, lines } = memoryLog();
  const actor = createActor(
    scenarioLogic({ name: NAME, store: globalsFiles(files, FOLDER), log, now: () => 0 }),
  ).start();
  const send = <A>(make: (reply: (answer: Result<A>) => void) => ScenarioMessage): Promise<Result<A>> =>
    new Promise((resolve) => actor.send(make(resolve)));
  return {
    log: lines,
    send,
    change: (change: GlobalsChange, if_match: string | null = null) =>
      send<{ readonly etag: string }>((reply) => ({
        type: 'globals.change',
        payload: { name: NAME, change, if_match, user: 'ann' },
        reply,
      })),
    patch: (values: JsonObject, if_match: string | null = null) =>
      send<{ readonly etag: string }>((reply) => ({
        type: 'globals.change',
        payload: { name: NAME, change: { kind: 'shallow', values }, if_match, user: 'ann' },
        reply,
      })),
    read: () => send<GlobalsState>((reply) => ({ type: 'globals.read', payload: { name: NAME }, reply })),
    history: () =>
      send<readonly GlobalsPatch[]>((reply) => ({ type: 'globals.history', payload: { name: NAME }, reply })),
    lend: (link: OwnerLink) =>
      send<MovedGlobals>((reply) => ({ type: 'globals_owner.lend', payload: { name: NAME, link }, reply })),
    giveBack: (last: GlobalsText | null) =>
      send<null>((reply) => ({ type: 'globals_owner.give_back', payload: { name: NAME, last }, reply })),
    noteChange: (state: GlobalsText) =>
      send<null>((reply) => ({ type: 'globals_owner.note_change', payload: { name: NAME, state }, reply })),
    subscribe: (link: OwnerLink) =>
      send<null>((reply) => ({ type: 'globals_owner.subscribe', payload: { name: NAME, link }, reply })),
    unsubscribe: (link: OwnerLink) =>
      send<null>((reply) => ({ type: 'globals_owner.unsubscribe', payload: { name: NAME, link }, reply })),
  };
};

type Scenario = ReturnType<typeof makeScenario>;

/** A link that keeps the replicas it is sent. */
export const replicaLink = () => {
  const states: MovedGlobals[] = [];
  const link: OwnerLink = {
    change: async () => GONE,
    read: async () => GONE,
    replicate: async (state) => void states.push(state),
  };
  return { link, states };
};

/** A thread that takes every change and shows the values of all of them, until it leaves. */
export const scriptedLink = () => {
  const numbers: number[] = [];
  let values: JsonObject = {};
  let isGone = false;
  const link: OwnerLink = {
    change: async (change, number) => {
      if (isGone) return GONE;
      numbers.push(number);
      if (change.kind === 'shallow') values = { ...values, ...change.values };
      return E.right({ etag: '"x"', text: null });
    },
    read: async () => (isGone ? GONE : E.right({ etag: '"x"', text: JSON.stringify(values) })),
    replicate: async () => {},
  };
  return {
    link,
    /** Numbers of the changes it took. */
    numbers,
    leave: () => {
      isGone = true;
    },
  };
};

/** A thread that owns the globals, with the real owner behind messages that take their time. */
export const makeThread = ({ lend, giveBack, noteChange }: Scenario) => {
  const clock = fakeClock();
  const { log } = memoryLog();
  const ending = new AbortController();
  const asked = new Map<number, (answer: Result<GlobalsAnswer>) => void>();
  let isDead = false;
  let requests = 0;
  let returned: () => void = () => {};

  const receive = (message: FromWorker): void => {
    if (message.type === 'globals.answer') {
      asked.get(message.request)?.(message.answer);
      asked.delete(message.request);
    }
    if (message.type === 'owner.changed') void noteChange(message);
    if (message.type === 'owner.released') void giveBack(message).then(returned);
  };
  const host = globalsOwner({
    post: (message) => void hop().then(() => receive(message)),
    clock,
    log,
    signal: ending.signal,
  });
  const post = (message: ToWorker): void =>
    void hop().then(() => {
      if (!isDead) host.handle(message as Parameters<typeof host.handle>[0]);
    });
  const request = (make: (request: number) => ToWorker): Promise<Result<GlobalsAnswer>> =>
    new Promise((resolve) => {
      if (isDead) return resolve(GONE);
      asked.set(++requests, resolve);
      post(make(requests));
    });
  const link: OwnerLink = {
    change: (change, number, if_match) =>
      request((id) => ({ type: 'globals.change', name: NAME, change, if_match, number, request: id })),
    read: () => request((id) => ({ type: 'globals.read', name: NAME, request: id })),
    replicate: async (state) => void (await request((id) => ({ type: 'owner.replica', state, request: id }))),
  };

  return {
    clock,
    link,
    /** Takes the globals; resolves when they are on their way to the thread. */
    take: () => {
      const taken: Promise<Result<MovedGlobals>> = lend(linkAfter(() => taken, link)).then((lent) => {
        if (lent._tag === 'Right') post({ type: 'owner.host', state: lent.right });
        return lent;
      });
      return taken;
    },
    /** What scripts of the scenario see; the globals must have arrived. */
    view: (): GlobalsView => host.viewOf([NAME]),
    /** What scripts of a generator see that only reads the scenario. */
    guestView: (): GlobalsView => host.viewOf(['home', NAME]),
    /** Lets a second pass on the thread, which reports changes of scripts. */
    save: () => clock.advanceMs(1_000),
    /** Gives the globals back; resolves when the scenario has them. */
    release: () =>
      new Promise<void>((resolve) => {
        returned = resolve;
        post({ type: 'owner.release', scenario: NAME });
      }),
    /** Dies; what it has posted still arrives. */
    die: async () => {
      isDead = true;
      ending.abort();
      await hop();
      for (const answer of asked.values()) answer(GONE);
      asked.clear();
      await giveBack(null);
    },
    /** Dies without a message, like a killed process. */
    vanish: () => {
      isDead = true;
      ending.abort();
    },
  };
};
