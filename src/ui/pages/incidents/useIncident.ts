import { useReducedMotion } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { IncidentDetails } from '../../../messages/incidents.js';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { tellDone, tellError } from '../../parts/notes.js';
import { writeDraft } from '../workbench/drafts.js';
import { type IncidentLook, positionNow } from './position.js';

const LOOK_MS = 1_000;
/** Others may start an incident. */
const IDLE_LOOK_MS = 5_000;

const INCIDENTS_KEY = ['incidents'];
const keyOf = (name: string): readonly string[] => ['incident', name];

type State = IncidentDetails['state'];

/** Incidents under way are looked at once a second, while the page is visible. */
const pauseOf = (states: readonly State[]): number =>
  states.some((state) => state !== 'idle') ? LOOK_MS : IDLE_LOOK_MS;

export const useIncidents = () =>
  useQuery({
    queryKey: INCIDENTS_KEY,
    queryFn: async () => {
      const incidents = await call('listIncidents');
      return { incidents, at_ms: performance.now() };
    },
    refetchInterval: ({ state }) => pauseOf((state.data?.incidents ?? []).map((one) => one.state)),
  });

export type Shown = IncidentDetails & IncidentLook;

export const useIncident = (name: string) =>
  useQuery({
    queryKey: keyOf(name),
    queryFn: async (): Promise<Shown> => {
      const incident = await call('readIncident', { path: { name } });
      return { ...incident, at_ms: performance.now() };
    },
    refetchInterval: ({ state }) => pauseOf(state.data === undefined ? [] : [state.data.state]),
  });

/** The entities that a seed draws for an idle incident. `text`: the file; another one may draw others. */
export const useDraw = (name: string, seed: string, text: string) =>
  useQuery({
    queryKey: [...keyOf(name), 'draw', seed, text],
    queryFn: async () => (await call('readIncident', { path: { name }, query: { seed } })).entities,
    enabled: seed !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (former) => former,
  });

/** The line moves this often. */
const TICK_MS = 250;

/** Seconds after the start, moving between looks; `null` while idle. */
export const usePosition = (look: IncidentLook): number | null => {
  const tick_ms = useReducedMotion() ? LOOK_MS : TICK_MS;
  const [now_ms, setNow] = useState(() => performance.now());
  const isMoving = look.state === 'running';
  useEffect(() => {
    if (!isMoving) return;
    const ticking = setInterval(() => setNow(performance.now()), tick_ms);
    return () => clearInterval(ticking);
  }, [isMoving, tick_ms]);
  return positionNow(look, now_ms);
};

export type IncidentOrder =
  | { readonly kind: 'start'; readonly seed: string; readonly rounds: number }
  | { readonly kind: 'pause' | 'resume' | 'stop' | 'delete' }
  /** Seconds after the start. */
  | { readonly kind: 'jump'; readonly to: number };

const send = async (name: string, order: IncidentOrder): Promise<void> => {
  const path = { name };
  switch (order.kind) {
    case 'start': {
      const { seed, rounds } = order;
      await call('startIncident', { path, query: { rounds, ...(seed === '' ? {} : { seed }) } });
      return;
    }
    case 'pause':
      await call('pauseIncident', { path });
      return;
    case 'resume':
      await call('resumeIncident', { path });
      return;
    case 'stop':
      await call('stopIncident', { path });
      return;
    case 'jump':
      await call('jumpInIncident', { path, query: { to: `${order.to}s` } });
      return;
    case 'delete':
      await call('deleteIncident', { path });
      dropDraft(name);
  }
};

const DONE: Readonly<Record<IncidentOrder['kind'], string | null>> = {
  start: 'started',
  pause: null,
  resume: null,
  jump: null,
  stop: 'stopped',
  delete: 'deleted',
};

/** Members that could be reached may have followed. */
const FAILED: Readonly<Record<IncidentOrder['kind'], string>> = {
  start: 'Start of',
  pause: 'Pause of',
  resume: 'Resumption of',
  jump: 'Jump in',
  stop: 'Stop of',
  delete: 'Deletion of',
};

/** Steers an incident and says what came of it. */
export const useOrder = (name: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (order: IncidentOrder) => send(name, order),
    onSuccess: (_, { kind }) => {
      if (DONE[kind] !== null) tellDone(`${name} ${DONE[kind]}.`);
    },
    onError: (error, { kind }) => tellError(`${FAILED[kind]} ${name} failed`, error),
    onSettled: async (_, error, { kind }) => {
      void client.invalidateQueries({ queryKey: INCIDENTS_KEY });
      const isGone = kind === 'delete' && error === null;
      if (!isGone) await client.invalidateQueries({ queryKey: keyOf(name), exact: true });
    },
  });
};

/** Writes the file of an incident. */
export const useWrite = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, text }: { readonly name: string; readonly text: string }) =>
      call('writeIncident', { path: { name }, body: { text } }),
    onSuccess: async (_, { name }) => {
      void client.invalidateQueries({ queryKey: INCIDENTS_KEY });
      await client.invalidateQueries({ queryKey: keyOf(name), exact: true });
    },
  });
};

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

/** Where drafts of incident files are stored; no directory of a generator has this name. */
export const DRAFTS = 'incidents:';

export const fileOf = (name: string): string => `${name}.yml`;

/** Forgets what was typed into a file that is deleted. */
const dropDraft = (name: string): void => {
  writeDraft(localStorage, DRAFTS, fileOf(name), null);
};
