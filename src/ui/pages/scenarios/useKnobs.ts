import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { steadyKeys } from './patches.js';

/** Milliseconds between looks at the history of patches. */
const WATCH_MS = 3_000;

/** The last changes over the API, newest first. */
export const useHistoryOfGlobals = (name: string) =>
  useQuery({
    queryKey: ['patches', name],
    queryFn: () => call('readGlobalsHistory', { path: { name } }),
    refetchInterval: WATCH_MS,
  });

const storageKey = (name: string): string => `spate knobs ${name}`;

const stored = (name: string): ReadonlySet<string> => {
  try {
    const keys: unknown = JSON.parse(sessionStorage.getItem(storageKey(name)) ?? '[]');
    return new Set(Array.isArray(keys) ? keys.map(String) : []);
  } catch {
    return new Set();
  }
};

interface KnobKeys {
  /** False until it is known which keys are knobs. */
  readonly isKnown: boolean;
  readonly isKnob: (key: string) => boolean;
  /** The person has asked for a knob, also for a value that changes by itself. */
  readonly isAdded: (key: string) => boolean;
  readonly add: (key: string) => void;
}

/** Which globals have a knob: those that a client has set and nothing else has changed since, and those that the person adds. */
export const useKnobKeys = (name: string, globals: JsonObject | undefined): KnobKeys => {
  const history = useHistoryOfGlobals(name);
  const [added, setAdded] = useState(() => stored(name));
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => new Set());
  const patches = history.data;
  const found =
    patches === undefined || globals === undefined
      ? []
      : steadyKeys(patches, globals).filter((key) => !keys.has(key));
  const foundText = JSON.stringify(found);
  // One that is turned stays, though its next value is not in the history yet.
  useEffect(() => {
    const fresh = JSON.parse(foundText) as readonly string[];
    if (fresh.length > 0) setKeys((former) => new Set([...former, ...fresh]));
  }, [foundText]);
  const add = useCallback(
    (key: string) => {
      setAdded((former) => new Set([...former, key]));
      try {
        sessionStorage.setItem(storageKey(name), JSON.stringify([...stored(name), key]));
      } catch {
        // Without storage the knob lasts as long as the page.
      }
    },
    [name],
  );
  return {
    isKnown: !history.isPending,
    isKnob: (key) => keys.has(key) || found.includes(key),
    isAdded: (key) => added.has(key),
    add,
  };
};
