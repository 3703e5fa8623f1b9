import { assign, createActor, setup } from 'xstate';

/**
 * - `waiting`: for the watches, for what it ran to be at rest, or for the end of another daemon of its name; it has no session
 * - `joining`: its session is valid; it takes nothing before it was seen for three beats
 * - `returning`: as `joining`, but it follows a former session of its own and takes what that one held
 * - `member`: it takes what it should have, and gives away what has moved
 * - `draining`: people empty it; it gives its tasks away in turn
 * - `isolated`: no beat was accepted for two thirds of a lease, and what runs goes on (`on_isolation: continue`)
 * - `leaving`: it gives back everything at once, then withdraws its document and is `gone`
 */
export type LifeState =
  | 'waiting'
  | 'joining'
  | 'returning'
  | 'member'
  | 'draining'
  | 'isolated'
  | 'leaving'
  | 'withdrawing'
  | 'gone';

type LifeEvent =
  /** A beat was accepted less than two thirds of a lease ago. */
  | { readonly type: 'heard'; readonly isFollowing: boolean }
  /** The node has been seen for three beats; `unsteady`: no longer, because its document was removed. */
  | { readonly type: 'steady' | 'unsteady' }
  /** No beat was accepted for two thirds of a lease. */
  | { readonly type: 'deadline' }
  /** Another daemon has taken the name of the node. */
  | { readonly type: 'replaced' }
  /** Orders of people. */
  | { readonly type: 'drain' | 'resume' | 'leave' }
  /** Nothing is held any more; `left`: the document is withdrawn, or there is none; `kept`: it could not be withdrawn. */
  | { readonly type: 'emptied' | 'left' | 'kept' };

interface LifeContext {
  readonly continues: boolean;
  readonly isDrained: boolean;
  readonly isolations: number;
}

/** What a node in a state takes and gives back. */
export interface Conduct {
  /** Tasks to take: none, those that a former session of this node held, or those that it should have. */
  readonly taking: 'none' | 'former' | 'owned';
  /** Tasks to give back: all at once, all by `moves`, those that have moved by `moves`, or none that it may hold. */
  readonly givingBack: 'all' | 'some' | 'moved' | 'none';
  readonly mayWrite: boolean;
}

const CONDUCT: Readonly<Record<LifeState, Conduct>> = {
  waiting: { taking: 'none', givingBack: 'moved', mayWrite: true },
  joining: { taking: 'none', givingBack: 'moved', mayWrite: true },
  returning: { taking: 'former', givingBack: 'none', mayWrite: true },
  member: { taking: 'owned', givingBack: 'moved', mayWrite: true },
  draining: { taking: 'none', givingBack: 'some', mayWrite: true },
  isolated: { taking: 'none', givingBack: 'moved', mayWrite: false },
  leaving: { taking: 'none', givingBack: 'all', mayWrite: true },
  withdrawing: { taking: 'none', givingBack: 'all', mayWrite: true },
  gone: { taking: 'none', givingBack: 'all', mayWrite: false },
};

const entered = [
  { guard: 'isDrained', target: 'draining' },
  { guard: 'isFollowing', target: 'returning' },
  { target: 'joining' },
] as const;

/** Transitions of every state with a valid session. */
const inSession = {
  deadline: [
    { guard: 'continues', target: 'isolated', actions: 'countIsolation' },
    { target: 'waiting', actions: 'countIsolation' },
  ],
  replaced: 'waiting',
  drain: { target: 'draining', actions: 'noteDrain' },
} as const;

const lifeMachine = setup({
  types: {
    context: {} as LifeContext,
    events: {} as LifeEvent,
    input: {} as { readonly continues: boolean },
  },
  actions: {
    countIsolation: assign({ isolations: ({ context }) => context.isolations + 1 }),
    noteDrain: assign({ isDrained: true }),
    noteResume: assign({ isDrained: false }),
  },
  guards: {
    isDrained: ({ context }) => context.isDrained,
    isFollowing: ({ event }) => 'isFollowing' in event && event.isFollowing,
    continues: ({ context }) => context.continues,
  },
}).createMachine({
  id: 'node of a cluster',
  context: ({ input }) => ({ ...input, isDrained: false, isolations: 0 }),
  initial: 'waiting',
  on: {
    drain: { actions: 'noteDrain' },
    resume: { actions: 'noteResume' },
    leave: { target: '.leaving' },
  },
  states: {
    waiting: { on: { heard: entered } },
    joining: { on: { ...inSession, steady: 'member' } },
    returning: { on: { ...inSession, steady: 'member' } },
    member: { on: { ...inSession, unsteady: 'joining' } },
    draining: { on: { ...inSession, resume: { target: 'joining', actions: 'noteResume' } } },
    isolated: { on: { heard: entered, replaced: 'waiting' } },
    leaving: {
      on: {
        leave: {},
        deadline: { actions: 'countIsolation' },
        emptied: 'withdrawing',
        left: 'gone',
      },
    },
    withdrawing: { on: { leave: {}, left: 'gone', kept: 'leaving' } },
    gone: { on: { leave: {} } },
  },
});

/** The state of one node. */
export const makeLife = (continues: boolean) => {
  // Several events a second: the pure `transition` would make an actor for each of them.
  const actor = createActor(lifeMachine, { input: { continues } }).start();
  const state = (): LifeState => actor.getSnapshot().value;
  return {
    state,
    conduct: (): Conduct => CONDUCT[state()],
    /** People empty the node, or it leaves: it is no candidate for tasks. */
    isGivingBack: (): boolean =>
      actor.getSnapshot().context.isDrained || CONDUCT[state()].givingBack === 'all',
    isolations: (): number => actor.getSnapshot().context.isolations,
    send: (event: LifeEvent): void => actor.send(event),
  };
};
