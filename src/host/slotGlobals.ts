import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../domain/errors.js';
import { ENDED } from '../domain/waiting.js';
import type { Clock } from '../ports/clock.js';
import { type GlobalsOwners, type GlobalsText, linkAfter } from './globalsOwner.js';
import type { Run, Slot } from './slots.js';

/** How long an empty thread may take to give its globals back. */
const RELEASE_DEADLINE_MS = 2_000;

/** Moves globals of scenarios between their actors and the threads where the members run. */
export interface SlotGlobals {
  /** Brings the globals of the home scenario and copies of the others to the thread. */
  readonly bring: (slot: Slot, scenarios: readonly string[]) => Promise<Result<void>>;
  /** Ends the copies that only this run, already removed, has read. */
  readonly dropUnread: (slot: Slot, run: Run) => void;
  /** Asks the thread for its globals; resolves when all are back, or after the deadline. */
  readonly release: (slot: Slot) => Promise<void>;
  /** For a thread that is gone: its globals return to their last saved state. */
  readonly lose: (slot: Slot) => Promise<void>;
  readonly onChanged: (slot: Slot, scenario: string, state: GlobalsText) => void;
  readonly onReleased: (slot: Slot, scenario: string, last: GlobalsText) => void;
}

export const slotGlobals = (owners: GlobalsOwners, clock: Pick<Clock, 'sleepMs'>): SlotGlobals => {
  /** Scenarios with their globals on the way back from a thread. */
  const returning = new Map<string, Promise<void>>();

  const host = (slot: Slot, scenario: string): Promise<Result<void>> => {
    const arrive = async (): Promise<Result<void>> => {
      await returning.get(scenario);
      const link = linkAfter(async () => slot.hosted.get(scenario), slot.thread.linkTo(scenario));
      const lent = await owners.lend(scenario, link);
      if (E.isLeft(lent)) {
        slot.hosted.delete(scenario);
        return lent;
      }
      slot.thread.post({ type: 'owner.host', state: lent.right });
      return E.right(undefined);
    };
    const arrival = arrive();
    slot.hosted.set(scenario, arrival);
    return arrival;
  };

  const subscribe = (slot: Slot, scenario: string) => {
    const link = slot.thread.linkTo(scenario);
    const copy = { link, arrival: owners.subscribe(scenario, link) };
    slot.copies.set(scenario, copy);
    return copy;
  };

  const takeBack = async (slot: Slot, scenario: string, last: GlobalsText | null): Promise<void> => {
    await owners.giveBack(scenario, last);
    returning.delete(scenario);
    slot.onReturned.get(scenario)?.();
  };

  const isRead = (slot: Slot, scenario: string): boolean =>
    [...slot.runs.values()].some(({ subscriptions }) => subscriptions.includes(scenario));

  return {
    bring: async (slot, scenarios) => {
      const [home, ...others] = scenarios;
      if (home === undefined) return E.right(undefined);
      const hosted = await (slot.hosted.get(home) ?? host(slot, home));
      if (E.isLeft(hosted)) return hosted;
      for (const scenario of others) {
        const copy = slot.copies.get(scenario) ?? subscribe(slot, scenario);
        await copy.arrival;
      }
      return E.right(undefined);
    },
    dropUnread: (slot, { subscriptions }) => {
      for (const scenario of subscriptions) {
        const copy = slot.copies.get(scenario);
        if (copy === undefined || isRead(slot, scenario)) continue;
        slot.copies.delete(scenario);
        owners.unsubscribe(scenario, copy.link);
      }
    },
    release: (slot) => {
      const back = Promise.all(
        [...slot.hosted].map(([scenario, arrival]) => {
          const returned = new Promise<void>((resolve) => slot.onReturned.set(scenario, resolve));
          returning.set(scenario, returned);
          // Globals still on their way must arrive before they can be given back.
          void arrival.then(() => slot.thread.post({ type: 'owner.release', scenario }));
          return returned;
        }),
      );
      const answered = new AbortController();
      void back.then(() => answered.abort(ENDED));
      return clock.sleepMs(RELEASE_DEADLINE_MS, answered.signal);
    },
    lose: async (slot) => {
      const lost = [...slot.hosted.keys()];
      slot.hosted.clear();
      const back = Promise.all(lost.map((scenario) => takeBack(slot, scenario, null))).then(() => {});
      for (const scenario of lost) returning.set(scenario, back);
      await back;
    },
    onChanged: (slot, scenario, state) => {
      if (slot.hosted.has(scenario)) owners.noteChange(scenario, state);
    },
    onReleased: (slot, scenario, last) => {
      if (slot.hosted.delete(scenario)) void takeBack(slot, scenario, last);
    },
  };
};
