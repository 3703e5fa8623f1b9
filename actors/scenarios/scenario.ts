import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../src/domain/errors.js';
import { type Changes, type GlobalsChange, parseChanges } from '../../src/domain/globals/globals.js';
import {
  changeOwnedGlobals,
  makeOwnedGlobals,
  type OwnedGlobals,
  ownedGlobalsText,
  readOwnedGlobals,
} from '../../src/domain/globals/owned.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import { utcText } from '../../src/domain/time/iso.js';
import type { Micros } from '../../src/domain/time/micros.js';
import type { GlobalsText, OwnerLink } from '../../src/host/globalsOwner.js';
import type { GlobalsAnswer, MovedGlobals } from '../../src/host/protocol.js';
import type { GlobalsPatch, GlobalsState, ScenarioRequests } from '../../src/messages/scenarios.js';
import type { Log } from '../../src/ports/log.js';
import { storeLogic } from '../stores/store.js';
import type { ScenarioMessage } from './scenarios.js';
import { type GlobalsStore, latestGlobals, latestNumber, type SavedGlobals } from './store.js';

interface ScenarioOptions {
  readonly name: string;
  readonly store: GlobalsStore;
  readonly log: Log;
  readonly now: () => Micros;
}

/** Patches of the history. */
const MAX_PATCHES = 50;

/** The globals owner: a thread that has the globals; unreachable once it gives them back or has died. */
interface Loan {
  readonly link: OwnerLink;
  isReachable: boolean;
}

/** Globals of a scenario as they are on the disk and, while no thread owns them, here. */
interface State {
  readonly options: ScenarioOptions;
  saved: SavedGlobals;
  held: OwnedGlobals | null;
  loan: Loan | null;
  /** Each number is used once, even if its change fails: a saved state names the last change it includes. */
  lastNumber: number;
  readonly replicas: Set<OwnerLink>;
  /** Newest first. */
  patches: readonly GlobalsPatch[];
}

const loadState = async (options: ScenarioOptions): Promise<Result<State>> =>
  E.map(
    (saved: SavedGlobals): State => ({
      options,
      saved,
      held: null,
      loan: null,
      lastNumber: latestNumber(saved),
      replicas: new Set(),
      patches: [],
    }),
  )(await options.store.load(options.name));

/** The globals while no thread owns them; rebuilt from the saved state after its thread died. */
const heldGlobals = (state: State): OwnedGlobals => {
  state.held ??= makeOwnedGlobals(state.options.name, latestGlobals(state.saved), latestNumber(state.saved));
  return state.held;
};

/** Answer of the globals owner; `null` without such a thread, or when it cannot answer any more. */
const askThread = async (
  { loan }: State,
  request: (link: OwnerLink) => Promise<Result<GlobalsAnswer>>,
): Promise<Result<GlobalsAnswer> | null> => {
  if (loan === null || !loan.isReachable) return null;
  const answer = await request(loan.link);
  if (E.isRight(answer) || answer.left.code !== 'unavailable') return answer;
  loan.isReachable = false;
  return null;
};

const readText = async (state: State): Promise<{ readonly etag: string; readonly text: string }> => {
  const answer =
    (await askThread(state, (link) => link.read())) ?? E.right(readOwnedGlobals(heldGlobals(state)));
  if (E.isLeft(answer) || answer.right.text === null) return readOwnedGlobals(heldGlobals(state));
  const { etag, text } = answer.right;
  return { etag, text };
};

const parsed = ({ etag, text }: { readonly etag: string; readonly text: string }): GlobalsState => ({
  etag,
  globals: JSON.parse(text) as JsonObject,
});

const movedState = async (state: State): Promise<MovedGlobals> => {
  const { globals } = parsed(await readText(state));
  return { scenario: state.options.name, values: globals, changeNumber: latestNumber(state.saved) };
};

const pushReplicas = async (state: State): Promise<void> => {
  if (state.replicas.size === 0) return;
  const current = await movedState(state);
  await Promise.all([...state.replicas].map((link) => link.replicate(current)));
};

const save = async (state: State, { text, changeNumber }: GlobalsText): Promise<void> => {
  const { store, name, log } = state.options;
  const written = await store.save(name, state.saved, { text, changeNumber });
  if (E.isLeft(written)) {
    log.write('error', 'globals could not be saved', { scenario: name, reason: written.left.message });
  }
  state.saved = E.getOrElse(() => ({ ...state.saved, text, changeNumber }))(written);
};

const isJournalLong = ({ saved, options }: State): boolean =>
  saved.journalLength > options.store.max_journal.length ||
  saved.journal.length >= options.store.max_journal.entries;

/** Replaces a long journal with a save, unless a thread is giving back globals with changes of its own. */
const saveWhole = async (state: State): Promise<void> => {
  const { text } = await readText(state);
  if (state.loan?.isReachable === false) return;
  await save(state, { text, changeNumber: latestNumber(state.saved) });
};

/** Takes the state that a thread reports; one without changes that are saved already is older than the save. */
const takeReport = async (state: State, reported: GlobalsText): Promise<void> => {
  if (reported.changeNumber >= state.saved.changeNumber) await save(state, reported);
  // Globals that were rebuilt here in the meantime lack the reported changes.
  state.held = null;
};

const KINDS = {
  shallow: 'patch',
  rfc7386: 'merge_patch',
  replace: 'replace',
  delete_key: 'delete_key',
} as const;

/** A change that changed nothing is not noted. */
const notePatch = (
  state: State,
  changes: Changes,
  { number, change, user }: Pick<GlobalsPatch, 'number' | 'user'> & { readonly change: GlobalsChange },
): void => {
  if (changes.keys.length === 0) return;
  const at = utcText(state.options.now());
  const patch: GlobalsPatch = { number, at, user, kind: KINDS[change.kind], ...changes };
  state.patches = [patch, ...state.patches].slice(0, MAX_PATCHES);
};

const answered = (
  answer: Result<GlobalsAnswer>,
): Result<{ readonly etag: string; readonly changes: Changes }> =>
  E.map(({ etag, text }: GlobalsAnswer) => ({
    etag,
    changes: (text === null ? null : parseChanges(text)) ?? { keys: [], more_keys: 0 },
  }))(answer);

/** Applies a change, writes it to the journal and brings it to all replicas before it answers. */
const changeGlobals = async (
  state: State,
  { change, if_match, user }: ScenarioRequests['globals.change']['payload'],
): Promise<Result<{ readonly etag: string }>> => {
  const { store, name } = state.options;
  const number = ++state.lastNumber;
  const answer = await askThread(state, (link) => link.change(change, number, if_match));
  const changed =
    answer === null ? changeOwnedGlobals(heldGlobals(state), change, number, if_match) : answered(answer);
  if (E.isLeft(changed)) return changed;
  const journalled = await store.append(name, state.saved, { number, change });
  if (E.isLeft(journalled)) {
    state.held = null;
    if (state.loan?.isReachable !== true) return journalled;
    notePatch(state, changed.right.changes, { number, change, user });
    // Scripts on the thread may have read it, so it cannot be undone.
    const reason = `the change is in force but may not survive a restart: ${journalled.left.message}`;
    return E.left({ ...journalled.left, message: reason });
  }
  state.saved = journalled.right;
  notePatch(state, changed.right.changes, { number, change, user });
  if (isJournalLong(state)) await saveWhole(state);
  await pushReplicas(state);
  return E.right({ etag: changed.right.etag });
};

const lend = (state: State, link: OwnerLink): Result<MovedGlobals> => {
  const scenario = state.options.name;
  if (state.loan?.isReachable === true) {
    return E.left(failure('bug', `the globals of scenario "${scenario}" are on another thread already`));
  }
  const owned = heldGlobals(state);
  state.held = null;
  state.loan = { link, isReachable: true };
  const values = JSON.parse(ownedGlobalsText(owned).text) as JsonObject;
  return E.right({ scenario, values, changeNumber: owned.changeNumber });
};

const valueAt = (
  { globals, etag }: GlobalsState,
  { name, key }: { readonly name: string; readonly key: string },
): Result<{ readonly value: Json; readonly etag: string }> =>
  Object.hasOwn(globals, key)
    ? E.right({ value: globals[key] ?? null, etag })
    : E.left(failure('not_found', `the globals of scenario "${name}" have no key "${key}"`));

const handle = async (state: State, message: ScenarioMessage): Promise<void> => {
  switch (message.type) {
    case 'globals.change':
      return message.reply(await changeGlobals(state, message.payload));
    case 'globals.history':
      return message.reply(E.right(state.patches));
    case 'globals.read':
      return message.reply(E.right(parsed(await readText(state))));
    case 'globals.read_key':
      return message.reply(valueAt(parsed(await readText(state)), message.payload));
    case 'globals_owner.lend':
      return message.reply(lend(state, message.payload.link));
    case 'globals_owner.is_lent':
      return message.reply(E.right(state.loan !== null));
    case 'globals_owner.give_back':
      state.loan = null;
      if (message.payload.last !== null) await takeReport(state, message.payload.last);
      message.reply(E.right(null));
      return pushReplicas(state);
    case 'globals_owner.note_change':
      await takeReport(state, message.payload.state);
      message.reply(E.right(null));
      return pushReplicas(state);
    case 'globals_owner.subscribe':
      state.replicas.add(message.payload.link);
      await message.payload.link.replicate(await movedState(state));
      return message.reply(E.right(null));
    case 'globals_owner.unsubscribe':
      state.replicas.delete(message.payload.link);
      return message.reply(E.right(null));
  }
};

/** Threads answer in order, so a read need not wait for the journal of a change. False: no answer any more. */
const readFromThread = async (
  message: Extract<ScenarioMessage, { type: 'globals.read' | 'globals.read_key' }>,
  link: OwnerLink,
): Promise<boolean> => {
  const answer = await link.read();
  if (E.isLeft(answer) || answer.right.text === null) return false;
  const { etag, text } = answer.right;
  const globals = parsed({ etag, text });
  if (message.type === 'globals.read') message.reply(E.right(globals));
  else message.reply(valueAt(globals, message.payload));
  return true;
};

/** The globals of a scenario are here, or lent to the thread where members run. Messages take turns. */
export const scenarioLogic = (options: ScenarioOptions) => {
  let state: State | null = null;
  return storeLogic<ScenarioMessage>(
    async (message) => {
      const loaded = state === null ? await loadState(options) : E.right(state);
      if (E.isLeft(loaded)) {
        const refuse: (answer: Result<never>) => void = message.reply;
        return refuse(loaded);
      }
      state = loaded.right;
      return handle(state, message);
    },
    (message) => {
      const loan = state?.loan;
      const isRead = message.type === 'globals.read' || message.type === 'globals.read_key';
      return isRead && loan?.isReachable === true ? readFromThread(message, loan.link) : null;
    },
  );
};
