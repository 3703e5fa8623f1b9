import * as E from 'fp-ts/lib/Either.js';
import { reasonOf } from '../../domain/errors.js';
import { isJsonObject } from '../../domain/json.js';
import { MICROS_PER_MS } from '../../domain/time/micros.js';
import type { Clock } from '../../ports/clock.js';
import type { Files } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';
import type { Auth } from './auth.js';
import { hashPassword, makePasswordCheck } from './password.js';
import {
  makeSessions,
  type SavedSession,
  type SavedSessions,
  SESSION_LIMITS,
  type Sessions,
} from './sessions.js';

/** Interval of saving the last use of sessions; a crash shortens a session by at most that. */
const SAVE_USE_EVERY_MS = 60_000;
/** A clock that was set back further between two processes ends all sessions: their age is unknown. */
const MAX_SETBACK_MS = 10_000;
const MAX_FILE_BYTES = 65_536;
const UNSAVED = 'sessions cannot be saved: they end when the service restarts';
const KEY = /^[A-Za-z0-9+/]{43}=$/;

interface SessionStoreConfig {
  /** Only the owner can read its files. */
  readonly files: Pick<Files, 'readText' | 'replaceText' | 'makeDirectory'>;
  /** Absolute path. */
  readonly folder: string;
  readonly clock: Clock;
  readonly drawToken: () => string;
  readonly log: Log;
}

/** Keeps sessions across restarts while the credentials stay the same. */
export interface SessionStore {
  /** Sessions of these credentials; all others end. */
  readonly open: (auth: Auth) => Promise<Sessions>;
  readonly flush: () => Promise<void>;
}

/** The content of the file: no password, no session id, only hashes. */
interface Saved {
  /** scrypt of users, roles and passwords: a fast hash would let a thief of the file guess them. */
  readonly credentials: string;
  readonly saved_at_ms: number;
  readonly sessions: readonly SavedSession[];
}

const isSession = (value: unknown, saved_at_ms: number): value is SavedSession => {
  if (!isJsonObject(value)) return false;
  const { key, user, begun_ms, used_ms } = value;
  return (
    typeof user === 'string' &&
    typeof key === 'string' &&
    KEY.test(key) &&
    Number.isFinite(begun_ms) &&
    Number.isFinite(used_ms) &&
    Number(begun_ms) <= Number(used_ms) &&
    Number(used_ms) <= saved_at_ms
  );
};

const parsed = (text: string): Saved | null => {
  const value = E.tryCatch(
    () => JSON.parse(text) as unknown,
    () => null,
  );
  if (E.isLeft(value) || !isJsonObject(value.right)) return null;
  const { credentials, saved_at_ms, sessions } = value.right;
  if (typeof credentials !== 'string' || typeof saved_at_ms !== 'number' || !Array.isArray(sessions))
    return null;
  return sessions.every((one) => isSession(one, saved_at_ms)) ? { credentials, saved_at_ms, sessions } : null;
};

type Credentials = Extract<Auth, { readonly kind: 'accounts' }>;

/** JSON, so that no two lists of accounts give the same text. */
const textOf = ({ accounts }: Credentials): string =>
  JSON.stringify(accounts.map(({ user, role, password }) => [user, role, password]));

const isOf = async (saved: Saved, auth: Credentials): Promise<boolean> => {
  const check = makePasswordCheck(saved.credentials);
  return (
    E.isRight(check) &&
    saved.credentials.startsWith('scrypt$') &&
    (await check.right(textOf(auth))) === 'right'
  );
};

/** Runs one save at a time and never rejects; calls during a save share the next one. */
const oneAtATime = (run: () => Promise<void>, onThrown: (thrown: unknown) => void): (() => Promise<void>) => {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      running = run().catch(onThrown);
      return running;
    });
    return next;
  };
};

/** Reads and writes nothing before `open`. */
export const sessionStore = ({ files, folder, clock, drawToken, log }: SessionStoreConfig): SessionStore => {
  const file = `${folder}/sessions.json`;
  const wallMs = (): number => clock.now() / MICROS_PER_MS;
  let current: { readonly text: string; readonly sessions: SavedSessions; fingerprint: string } | null = null;
  let savedAtMs = Number.NEGATIVE_INFINITY;
  let hasWarned = false;

  const warn = (message: string, reason: string): void => {
    if (!hasWarned) log.write('warning', message, { reason });
    hasWarned = true;
  };

  const write = async (saved: Saved): Promise<void> => {
    const made = await files.makeDirectory(folder);
    const written = E.isLeft(made) ? made : await files.replaceText(file, `${JSON.stringify(saved)}\n`);
    if (E.isRight(written)) hasWarned = false;
    else warn(UNSAVED, written.left.message);
  };

  const save = oneAtATime(
    async () => {
      if (current === null) return;
      const kept = current;
      if (kept.fingerprint === '') kept.fingerprint = await hashPassword(kept.text, Buffer.from(drawToken()));
      savedAtMs = clock.monotonicMs();
      const sessions = kept.sessions.saved();
      await write({ credentials: kept.fingerprint, saved_at_ms: wallMs(), sessions });
    },
    (thrown) => warn(UNSAVED, reasonOf(thrown)),
  );

  const read = async (): Promise<Saved | null> => {
    const text = await files.readText(file, MAX_FILE_BYTES);
    if (E.isLeft(text)) {
      if (text.left.code !== 'not_found')
        warn('saved sessions cannot be read: all sessions end', text.left.message);
      return null;
    }
    return parsed(text.right);
  };

  const opened = (text: string, fingerprint: string, restored: readonly SavedSession[]): Sessions => {
    const sessions = makeSessions(clock, drawToken, SESSION_LIMITS, {
      restored,
      onUsed: () => {
        if (clock.monotonicMs() - savedAtMs >= SAVE_USE_EVERY_MS) void save();
      },
      onChanged: save,
    });
    current = { text, sessions, fingerprint };
    return sessions;
  };

  const open = async (auth: Auth): Promise<Sessions> => {
    const text = auth.kind === 'accounts' ? textOf(auth) : '';
    if (current !== null && current.text === text) return current.sessions;
    const saved = await read();
    // The check costs as much as a login; skip it without sessions.
    const hasSessions = saved !== null && saved.sessions.length > 0;
    const isKnown = hasSessions && auth.kind === 'accounts' && (await isOf(saved, auth));
    const isSetBack = saved !== null && wallMs() < saved.saved_at_ms - MAX_SETBACK_MS;
    const restored = isKnown && !isSetBack ? saved.sessions : [];
    const sessions = opened(text, isKnown ? saved.credentials : '', restored);
    // Credentials that changed and changed back open no old session.
    if (hasSessions && saved.sessions.length > restored.length) await save();
    return sessions;
  };

  return {
    open,
    flush: () => (current === null || current.sessions.size() === 0 ? Promise.resolve() : save()),
  };
};
