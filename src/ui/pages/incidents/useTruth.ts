import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import type { IncidentMemberStatus } from '../../../messages/incidents.js';
import { call } from '../../api/client.js';
import { link } from '../../api/live.js';
import {
  entityTexts,
  markIn,
  NO_TRUTH,
  searchFor,
  type TailedEvent,
  type TruthSoFar,
  withTruth,
} from './truth.js';
import type { Shown } from './useIncident.js';

const TRUTH_MS = 1_000;

/** The ground truth so far; it begins anew with each run. */
export const useTruth = ({ name, state, run, last, problem }: Shown) => {
  const client = useQueryClient();
  const key = ['incident', name, 'truth', run?.started_at ?? last?.at ?? ''];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: async () => {
      let truth = client.getQueryData<TruthSoFar>(key) ?? NO_TRUTH;
      for (let isMore = true; isMore; ) {
        const query = truth.next === null ? {} : { after: truth.next };
        const part = await call('readIncidentTruth', { path: { name }, query });
        truth = withTruth(truth, part);
        isMore = part.is_more;
      }
      return truth;
    },
    enabled: problem === null || state !== 'idle',
    placeholderData: (former) => former,
    refetchInterval: state === 'idle' ? false : TRUTH_MS,
  });
  return { truth: data ?? NO_TRUTH, error };
};

/** By their marks. */
export type TailedEvents = ReadonlyMap<string, TailedEvent>;

/** Events with a mark that a page keeps. */
const MAX_SEEN = 5_000;
/** A stream has room for eight searches, and other pages have theirs. */
const MAX_TEXTS = 6;
/** Events a second that each search may find. */
const SEEN_RATE = 100;

/** Events of the members that show an entity, by their marks, from now on; first those of the chosen one. */
export const useSeen = (
  name: string,
  members: readonly IncidentMemberStatus[],
  drawn: JsonObject,
  chosen: string,
): TailedEvents => {
  const client = useQueryClient();
  // Whoever comes back from the page of a member finds what was seen.
  const key = ['incident', name, 'seen'];
  const [seen, setSeen] = useState(
    () => client.getQueryData<TailedEvents>(key) ?? new Map<string, TailedEvent>(),
  );
  const keep = useEffectEvent((found: readonly TailedEvent[]) => {
    const known = new Map(client.getQueryData<TailedEvents>(key));
    for (const event of found) known.set(event.mark, event);
    for (const mark of [...known.keys()].slice(0, -MAX_SEEN)) known.delete(mark);
    client.setQueryData(key, known);
    setSeen(known);
  });
  const ids = members.flatMap(({ generator_id }) => generator_id ?? []);
  const texts = [...new Set([...entityTexts(drawn[chosen]), ...entityTexts(drawn)])].slice(0, MAX_TEXTS);
  const wanted = JSON.stringify({ ids, texts });
  useEffect(() => {
    const wish = JSON.parse(wanted) as { readonly ids: typeof ids; readonly texts: typeof texts };
    const stops = wish.texts.flatMap((text) =>
      wish.ids.map((id) =>
        link.tail({ id, rate: SEEN_RATE, find: searchFor(text) }, ({ events }) => {
          const found = events.flatMap((event) => {
            const mark = markIn(event.text);
            return mark === null ? [] : [{ mark, text: event.text, at_ms: performance.now() }];
          });
          if (found.length > 0) keep(found);
        }),
      ),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [wanted]);
  return seen;
};
