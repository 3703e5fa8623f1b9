import * as E from 'fp-ts/lib/Either.js';
import type { NewEntry, StartupContext } from '../../src/config/startup/entry.js';
import { loadStartup } from '../../src/config/startup/startup.js';
import {
  changeStartup,
  MAX_STARTUP_BYTES,
  openStartup,
  type StartupText,
} from '../../src/config/startup/text.js';
import { failure, type Result, type SpateError } from '../../src/domain/errors.js';
import type { GenerationParams, StartupEntry, StartupList } from '../../src/domain/generator.js';
import type { Request } from '../../src/messages/request.js';
import type {
  MembershipRequests,
  Scenario,
  StartupListRequests,
  StartupRequests,
} from '../../src/messages/startup.js';
import type { Files } from '../../src/ports/files.js';
import {
  entryEtag,
  invalidEntry,
  isNewPath,
  noEntry,
  type Plan,
  planBulkDelete,
  planCreate,
  planDelete,
  planDeleteScenario,
  planJoin,
  planLeave,
  planRename,
  planRenameScenario,
  planReplace,
  shownEntry,
} from './startupPlans.js';
import { storeLogic } from './store.js';

type Text<A> = Result<A> | Promise<Result<A>>;

export interface StartupTexts {
  readonly load: (...args: Parameters<typeof loadStartup>) => Text<StartupList>;
  readonly open: (...args: Parameters<typeof openStartup>) => Text<StartupText>;
  readonly change: (...args: Parameters<typeof changeStartup>) => Text<StartupText>;
}

const AT_ONCE: StartupTexts = { load: loadStartup, open: openStartup, change: changeStartup };

export interface StartupFiles extends Pick<Files, 'readText'> {
  /** `text` was made of `was`. Returns the error `precondition_failed` when the text is another one by now. */
  readonly replaceText: (path: string, text: string, was: string) => Promise<Result<void>>;
}

export interface StartupOptions {
  readonly files: StartupFiles;
  readonly file: string;
  readonly context: StartupContext;
  /** Returns an error when links lead the config path out of the generators directory. The file need not exist. */
  readonly checkPath: (path: string) => Promise<Result<unknown>>;
  /** Returns an error when nothing reads a parameter of an entry; a config that cannot be read is no error. */
  readonly checkParams: (entry: StartupEntry) => Promise<Result<unknown>>;
  readonly texts?: StartupTexts;
  /** Called whenever entries were read or changed. */
  readonly onEntries: (list: Pick<StartupList, 'entries' | 'rejected'>) => void;
  /** Running generators with the scenarios they joined. */
  readonly running: () => ReadonlyMap<string, readonly string[]>;
}

type StartupMessage = Request<StartupRequests> | Request<StartupListRequests> | Request<MembershipRequests>;

type StartupRead = Extract<
  StartupMessage,
  {
    readonly type:
      | 'startup.entries'
      | 'startup.invalid'
      | 'startup.read'
      | 'scenarios.list'
      | 'scenarios.read';
  }
>;

const READS: ReadonlySet<string> = new Set<StartupRead['type']>([
  'startup.entries',
  'startup.invalid',
  'startup.read',
  'scenarios.list',
  'scenarios.read',
]);

const isRead = (request: StartupMessage): request is StartupRead => READS.has(request.type);

const unusable = (error: SpateError): SpateError =>
  failure('unreadable', `the startup file cannot be used: ${error.message}`);

const unchanged = (error: SpateError): SpateError =>
  failure('unreadable', `the startup file is invalid and was not changed: ${error.message}`);

/** Tries of a change, while other nodes of a cluster change the list. */
const MAX_TRIES = 20;

type Seen = Pick<StartupList, 'entries' | 'rejected'>;

/** The startup file, read before each answer and change because people edit it too. */
const startupFile = ({ files, file, context, onEntries, texts = AT_ONCE }: StartupOptions) => {
  /** The file as last read or changed; most reads find the same text. */
  let known: (Seen & { readonly text: string; readonly by: GenerationParams }) | null = null;
  const note = (text: string, { entries, rejected }: Seen): void => {
    known = { text, by: context.generation, entries, rejected };
    onEntries({ entries, rejected });
  };

  /** The known list, if the file and the defaults have not changed. */
  const unlessChanged = async (): Promise<Seen | null> => {
    const text = await files.readText(file, MAX_STARTUP_BYTES);
    return E.isRight(text) && known?.text === text.right && known.by === context.generation ? known : null;
  };

  const list = async (): Promise<Result<StartupList>> => {
    const text = await files.readText(file, MAX_STARTUP_BYTES);
    if (E.isLeft(text)) return text;
    const read = await texts.load(text.right, file, context.generation, context.generators_dir);
    if (E.isRight(read)) note(text.right, read.right);
    return read;
  };

  /** Parsed text after the last change, reused while it is still in the file. */
  let last: { readonly was: StartupText; readonly by: GenerationParams } | null = null;
  const opened = (text: string): Text<StartupText> =>
    last?.was.text === text && last.by === context.generation
      ? E.right(last.was)
      : texts.open(text, file, { ...context });

  const changeOnce = async <A>(
    plan: (was: StartupText) => Result<Plan<A>> | Promise<Result<Plan<A>>>,
  ): Promise<Result<A> | 'overtaken'> => {
    const text = await files.readText(file, MAX_STARTUP_BYTES);
    if (E.isLeft(text)) return E.left(unusable(text.left));
    const was = await opened(text.right);
    if (E.isLeft(was)) return E.left(unchanged(was.left));
    const planned = await plan(was.right);
    if (E.isLeft(planned)) return planned;
    const next = await texts.change(was.right, planned.right.change, { ...context });
    if (E.isLeft(next)) return next;
    if (next.right.text !== text.right) {
      const written = await files.replaceText(file, next.right.text, text.right);
      if (E.isLeft(written)) return written.left.code === 'precondition_failed' ? 'overtaken' : written;
    }
    last = { was: next.right, by: context.generation };
    note(next.right.text, next.right);
    return E.right(planned.right.answer);
  };

  /** Plans again when another node has changed the list in the meantime; the entry that a client names is checked each time. */
  const change = async <A>(plan: Parameters<typeof changeOnce<A>>[0]): Promise<Result<A>> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const changed = await changeOnce(plan);
      if (changed !== 'overtaken') return changed;
    }
    const reason = 'other nodes change the startup list all the time: try again';
    return E.left(failure('unavailable', reason));
  };

  return { list, unlessChanged, change };
};

/** Single writer of the startup file. */
export const startupLogic = (options: StartupOptions) => {
  const { context, checkPath, checkParams, running } = options;
  const { list, unlessChanged, change } = startupFile(options);
  const shown = (entry: StartupEntry): StartupEntry => shownEntry(entry, context);

  const read = ({ entries, rejected }: Seen, id: string) => {
    const found = entries.find((entry) => entry.id === id);
    if (found !== undefined) return E.right({ entry: shown(found), etag: entryEtag(found, context) });
    const bad = rejected.find((entry) => entry.id === id);
    return bad === undefined ? noEntry(id) : invalidEntry(id, bad.error);
  };

  /** Checks parameters, and a new path; an unchanged one was checked before. */
  const placed = (plan: (was: StartupText) => Result<Plan<NewEntry>>) => async (was: StartupText) => {
    const planned = plan(was);
    if (E.isLeft(planned)) return planned;
    const { entry } = planned.right.answer;
    const place = isNewPath(was, entry, context) ? await checkPath(entry.path) : planned;
    if (E.isLeft(place)) return place;
    const given = await checkParams(entry);
    return E.isLeft(given) ? given : planned;
  };

  const scenarios = ({ entries }: Seen): readonly Scenario[] => {
    const members = new Map<string, Set<string>>();
    const note = (name: string, id: string): void =>
      void members.set(name, (members.get(name) ?? new Set()).add(id));
    for (const entry of entries) for (const name of entry.scenarios) note(name, entry.id);
    for (const [id, names] of running()) for (const name of names) note(name, id);
    const found = [...members].map(([name, ids]): Scenario => ({ name, generator_ids: [...ids] }));
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  const scenario = (listed: Seen, name: string): Result<Scenario> => {
    const found = scenarios(listed).find((one) => one.name === name);
    return found === undefined
      ? E.left(failure('not_found', `there is no scenario "${name}"`))
      : E.right(found);
  };

  const answerRead = (request: StartupRead, listed: Seen): void => {
    switch (request.type) {
      case 'startup.entries':
        return request.reply(E.right(listed.entries.map(shown)));
      case 'startup.invalid': {
        const told = listed.rejected.map(({ id, index, autostart, error, written }) => ({
          id,
          position: index + 1,
          autostart,
          reason: error.message,
          written,
        }));
        return request.reply(E.right(told));
      }
      case 'startup.read':
        return request.reply(read(listed, request.payload.id));
      case 'scenarios.list':
        return request.reply(E.right(scenarios(listed).map(({ name }) => name)));
      case 'scenarios.read':
        return request.reply(scenario(listed, request.payload.name));
    }
  };

  const readInTurn = async (request: StartupRead): Promise<void> => {
    const listed = await list();
    if (E.isLeft(listed)) return request.reply(E.left(unusable(listed.left)));
    return answerRead(request, listed.right);
  };

  const readNow = async (request: StartupRead): Promise<boolean> => {
    const listed = await unlessChanged();
    if (listed !== null) answerRead(request, listed);
    return listed !== null;
  };

  /** A member that runs has joined under the former name. */
  const runningMember = (name: string): Result<never> | null => {
    const [id] = [...running()].find(([, joined]) => joined.includes(name)) ?? [];
    if (id === undefined) return null;
    const message = `generator "${id}" runs in scenario "${name}": stop all its members, then rename it`;
    return E.left(failure('wrong_state', message));
  };

  const renameScenario = async ({ name, to }: { name: string; to: string }): Promise<Result<null>> => {
    const before = runningMember(name);
    if (before !== null) return before;
    const renamed = await change(planRenameScenario({ name, to }));
    if (E.isLeft(renamed)) return renamed;
    // A member may have started while the file was written.
    const after = runningMember(name);
    if (after === null) return renamed;
    const back = await change(planRenameScenario({ name: to, to: name }));
    return E.isLeft(back) ? back : after;
  };

  const handle = async (request: StartupMessage): Promise<void> => {
    if (isRead(request)) return readInTurn(request);
    switch (request.type) {
      case 'startup.list':
        return request.reply(await list());
      case 'startup.create':
        return request.reply(E.map(() => null)(await change(placed(planCreate(request.payload, context)))));
      case 'startup.replace':
        return request.reply(
          E.map(({ entry }: NewEntry) => ({ etag: entryEtag(entry, context) }))(
            await change(placed(planReplace(request.payload, context))),
          ),
        );
      case 'startup.delete':
        return request.reply(await change(planDelete(request.payload, context)));
      case 'startup.bulk_delete':
        return request.reply(await change(planBulkDelete(request.payload)));
      case 'startup.rename':
        return request.reply(await change(planRename(request.payload)));
      case 'startup.rename_scenario':
        return request.reply(await renameScenario(request.payload));
      case 'scenarios.delete':
        return request.reply(await change(planDeleteScenario(request.payload)));
      case 'scenarios.join':
        return request.reply(await change(planJoin(request.payload)));
      case 'scenarios.leave':
        return request.reply(await change(planLeave(request.payload)));
    }
  };

  return storeLogic<StartupMessage>(handle, (request) => (isRead(request) ? readNow(request) : null));
};
