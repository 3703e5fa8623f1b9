import type { WorldActivity, WorldContents, WorldDay, WorldPeople } from '../../../domain/worlds/reports.js';
import { type CallParts, call } from '../../api/client.js';

/** Worlds answer with the text of a thread, so the route table has no types for it. */
interface Answers {
  readonly readWorld: WorldContents;
  readonly readWorldActivity: WorldActivity;
  readonly listWorldPeople: WorldPeople;
  readonly readWorldDay: WorldDay;
}

export const askWorld = <I extends keyof Answers>(id: I, parts: CallParts<I>): Promise<Answers[I]> =>
  call(id, parts) as Promise<unknown> as Promise<Answers[I]>;

export const worldHref = (name: string): string => `/worlds/${encodeURIComponent(name)}`;
