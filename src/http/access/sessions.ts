import { MICROS_PER_MS } from '../../domain/time/micros.js';
import type { Clock } from '../../ports/clock.js';
import { digest } from './password.js';

interface SessionLimits {
  /** A session ends after this time without a request. */
  readonly idle_ms: number;
  /** Every session ends after this time. */
  readonly absolute_ms: number;
  /** Maximum number; a new session ends the one that was idle longest. */
  readonly max_sessions: number;
}

export const SESSION_LIMITS: SessionLimits = {
  idle_ms: 3_600_000,
  absolute_ms: 12 * 3_600_000,
  max_sessions: 100,
};

/** Sessions of the users of one `server.auth`. */
export interface Sessions {
  /** Starts a session of a user and returns its id, of which only a hash is stored. */
  readonly begin: (user: string) => string;
  /** Whether the session is alive; the call counts as a use. */
  readonly use: (id: string) => boolean;
  /** The user of a session that is alive. Null when there is none. */
  readonly userOf: (id: string) => string | null;
  /** Calls the listener once, when the session is over: at once if it is already. Returns how to stop listening. */
  readonly onOver: (id: string, listener: () => void) => () => void;
  /** Ends a session; resolves when that is saved. */
  readonly end: (id: string) => Promise<void>;
  /** Number of sessions. */
  readonly size: () => number;
}

/** A stored session. Uses the wall clock, because only that survives a process. */
export interface SavedSession {
  readonly key: string;
  readonly user: string;
  readonly begun_ms: number;
  readonly used_ms: number;
}

export interface SavedSessions extends Sessions {
  /** In the order of last use; no clock change makes a session younger. */
  readonly saved: () => readonly SavedSession[];
}

/** Storage of sessions; without it, they live in memory. */
interface SessionSaving {
  readonly restored: readonly SavedSession[];
  readonly onUsed: () => void;
  /** Resolves once the change is saved. */
  readonly onChanged: () => Promise<void>;
}

const IN_MEMORY: SessionSaving = { restored: [], onUsed: () => {}, onChanged: async () => {} };

interface Moment {
  readonly monotonic_ms: number;
  readonly wall_ms: number;
}

interface Session {
  readonly user: string;
  readonly begun: Moment;
  readonly used: Moment;
}

/** Ids are hashed, so that a memory dump opens no session. */
export const makeSessions = (
  clock: Clock,
  drawToken: () => string,
  limits: SessionLimits = SESSION_LIMITS,
  saving: SessionSaving = IN_MEMORY,
): SavedSessions => {
  /** In the order of last use. */
  const sessions = new Map<string, Session>();
  const now = (): Moment => ({
    monotonic_ms: clock.monotonicMs(),
    wall_ms: clock.now() / MICROS_PER_MS,
  });
  /** The longer time of two clocks: one stops while the machine sleeps, the other can be set back. */
  const since = (then: Moment, at: Moment): number =>
    Math.max(at.monotonic_ms - then.monotonic_ms, at.wall_ms - then.wall_ms);
  const isOver = ({ begun, used }: Session, at: Moment): boolean =>
    since(begun, at) >= limits.absolute_ms || since(used, at) >= limits.idle_ms;
  const keyOf = (id: string): string => digest(id).toString('base64');

  /** Listeners by session, with the timer that looks for its expiry. */
  const watched = new Map<string, { readonly listeners: Set<() => void>; cancel: () => void }>();

  /** Removes a session and tells its listeners. False if there was none. */
  const finish = (key: string): boolean => {
    const wasThere = sessions.delete(key);
    const { listeners, cancel } = watched.get(key) ?? { listeners: [], cancel: () => {} };
    watched.delete(key);
    cancel();
    for (const listener of listeners) listener();
    return wasThere;
  };

  const leftMs = ({ begun, used }: Session, at: Moment): number =>
    Math.min(limits.absolute_ms - since(begun, at), limits.idle_ms - since(used, at));

  const watch = (key: string): void => {
    const watching = watched.get(key);
    if (watching === undefined) return;
    const session = sessions.get(key);
    const left_ms = session === undefined ? 0 : leftMs(session, now());
    if (left_ms <= 0) finish(key);
    else watching.cancel = clock.after(left_ms, () => watch(key));
  };

  const clear = (at: Moment): void => {
    for (const [key, session] of sessions) if (isOver(session, at)) finish(key);
    for (const key of sessions.keys()) {
      if (sessions.size < limits.max_sessions) return;
      finish(key);
    }
  };

  /** A moment of a former process, equally long ago on both clocks. */
  const restored = (wall_ms: number, at: Moment): Moment => ({
    wall_ms,
    monotonic_ms: at.monotonic_ms - (at.wall_ms - wall_ms),
  });
  const started = now();
  for (const { key, user, begun_ms, used_ms } of saving.restored)
    sessions.set(key, { user, begun: restored(begun_ms, started), used: restored(used_ms, started) });

  return {
    begin: (user) => {
      const at = now();
      clear(at);
      const id = drawToken();
      sessions.set(keyOf(id), { user, begun: at, used: at });
      void saving.onChanged();
      return id;
    },
    use: (id) => {
      const key = keyOf(id);
      const session = sessions.get(key);
      if (session === undefined) return false;
      const at = now();
      if (isOver(session, at)) {
        finish(key);
        return false;
      }
      sessions.delete(key);
      sessions.set(key, { ...session, used: at });
      saving.onUsed();
      return true;
    },
    userOf: (id) => sessions.get(keyOf(id))?.user ?? null,
    onOver: (id, listener) => {
      const key = keyOf(id);
      const watching = watched.get(key) ?? { listeners: new Set(), cancel: () => {} };
      watching.listeners.add(listener);
      const isFirst = !watched.has(key);
      watched.set(key, watching);
      if (isFirst) watch(key);
      return () => {
        watching.listeners.delete(listener);
        if (watching.listeners.size > 0 || watched.get(key) !== watching) return;
        watching.cancel();
        watched.delete(key);
      };
    },
    end: async (id) => {
      if (finish(keyOf(id))) await saving.onChanged();
    },
    size: () => sessions.size,
    saved: () => {
      const at = now();
      return [...sessions]
        .filter(([, session]) => !isOver(session, at))
        .map(([key, { user, begun, used }]) => ({
          key,
          user,
          begun_ms: at.wall_ms - since(begun, at),
          used_ms: at.wall_ms - since(used, at),
        }));
    },
  };
};

const SESSION_COOKIE = 'session_id';

/** Cookies of the name that are tried: another service of the same domain may set one too. */
const MAX_COOKIES = 4;

/** The session cookies of a `Cookie` header (RFC 6265, 5.4), in the order of the client. */
export const sessionIdsOf = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => /^\s*([^=\s]+)\s*=\s*"?([A-Za-z0-9_-]*)"?\s*$/.exec(pair))
    .flatMap((match) => (match?.[1] === SESSION_COOKIE ? [match[2] ?? ''] : []))
    .slice(0, MAX_COOKIES);

const attributes = (isSecure: boolean): string =>
  `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** Starts a session; the browser keeps the cookie until it is closed. */
export const sessionCookie = (id: string, isSecure: boolean): string =>
  `${SESSION_COOKIE}=${id}; ${attributes(isSecure)}`;

export const endedCookie = (isSecure: boolean): string =>
  `${SESSION_COOKIE}=; Max-Age=0; ${attributes(isSecure)}`;
