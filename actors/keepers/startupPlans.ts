import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type NewEntry, newEntry } from '../../src/config/startup/body.js';
import { type StartupContext, shownPath } from '../../src/config/startup/entry.js';
import {
  inScenarios,
  type StartupChange,
  type StartupText,
  writtenEntry,
} from '../../src/config/startup/text.js';
import { allowsChange, etagOf } from '../../src/domain/directories/etag.js';
import { failure, type Result } from '../../src/domain/errors.js';
import type { StartupEntry } from '../../src/domain/generator.js';
import { partitionConflict } from '../../src/domain/partitions.js';

import type { MembershipRequests, StartupRequests } from '../../src/messages/startup.js';

/** A change of the startup list, and the answer once it is on the disk. */
export interface Plan<A> {
  readonly change: StartupChange;
  readonly answer: A;
}

type Payload<K extends keyof StartupRequests> = StartupRequests[K]['payload'];
type Membership = MembershipRequests['scenarios.join']['payload'];

const NONE: StartupChange = { changed: new Map(), appended: [] };

const changing = (changed: ReadonlyMap<number, NewEntry | null>): StartupChange => ({ ...NONE, changed });

export const shownEntry = (entry: StartupEntry, { generators_dir }: StartupContext): StartupEntry => ({
  ...entry,
  path: shownPath(generators_dir)(entry.path),
});

/** Comments and spelled-out defaults do not change the tag. */
export const entryEtag = (entry: StartupEntry): string => etagOf(JSON.stringify(entry));

export const noEntry = (id: string): Result<never> =>
  E.left(failure('not_found', `the startup list has no entry "${id}"`));

const indexOf = ({ entries }: StartupText, id: string): Result<number> => {
  const index = entries.findIndex((entry) => entry.id === id);
  return index === -1 ? noEntry(id) : E.right(index);
};

const entryAt = ({ entries }: StartupText, index: number): StartupEntry => entries[index] as StartupEntry;

/** Left `precondition_failed` when the client has seen another version. */
const currentEntry = (was: StartupText, id: string, if_match: string | null) =>
  pipe(
    indexOf(was, id),
    E.map((index) => ({ index, old: entryAt(was, index) })),
    E.filterOrElse(
      ({ old }) => allowsChange(if_match, entryEtag(old)),
      () => failure('precondition_failed', `the entry "${id}" has changed: read it again and retry`),
    ),
  );

export const planCreate =
  ({ id, entry }: Payload<'startup.create'>, context: StartupContext) =>
  (was: StartupText): Result<Plan<NewEntry>> => {
    if (E.isRight(indexOf(was, id))) {
      return E.left(failure('already_exists', `the startup list already has an entry "${id}"`));
    }
    return E.map((made: NewEntry) => ({ change: { ...NONE, appended: [made] }, answer: made }))(
      newEntry(id, entry, context, null),
    );
  };

export const planReplace =
  ({ id, entry, if_match }: Payload<'startup.replace'>, context: StartupContext) =>
  (was: StartupText): Result<Plan<NewEntry>> =>
    pipe(
      currentEntry(was, id, if_match),
      E.bind('made', ({ index, old }) =>
        newEntry(id, entry, context, { written: writtenEntry(was, index), path: old.path }),
      ),
      E.map(({ index, made }) => ({ change: changing(new Map([[index, made]])), answer: made })),
    );

export const planDelete =
  ({ id, if_match }: Payload<'startup.delete'>) =>
  (was: StartupText): Result<Plan<null>> =>
    pipe(
      currentEntry(was, id, if_match),
      E.map(({ index }) => ({ change: changing(new Map([[index, null]])), answer: null })),
    );

export const planBulkDelete =
  ({ ids }: Payload<'startup.bulk_delete'>) =>
  ({ entries }: StartupText): Result<Plan<readonly string[]>> => {
    const wanted = new Set(ids);
    const gone = [...entries.entries()].filter(([, { id }]) => wanted.has(id));
    const change = changing(new Map(gone.map(([index]) => [index, null])));
    return E.right({ change, answer: gone.map(([, { id }]) => id) });
  };

const membersOf = ({ entries }: StartupText, name: string): readonly number[] =>
  [...entries.entries()].filter(([, { scenarios }]) => scenarios.includes(name)).map(([index]) => index);

const noScenario = (name: string): Result<never> =>
  E.left(failure('not_found', `no entry of the startup list names a scenario "${name}"`));

const without = (was: StartupText, index: number, name: string): NewEntry =>
  inScenarios(
    was,
    index,
    entryAt(was, index).scenarios.filter((one) => one !== name),
  );

export const planDeleteScenario =
  ({ name }: { readonly name: string }) =>
  (was: StartupText): Result<Plan<null>> => {
    const members = membersOf(was, name);
    if (members.length === 0) return noScenario(name);
    const changed = new Map(members.map((index) => [index, without(was, index, name)]));
    return E.right({ change: changing(changed), answer: null });
  };

export const planJoin =
  ({ name, generator_id }: Membership) =>
  (was: StartupText): Result<Plan<null>> => {
    const index = indexOf(was, generator_id);
    if (E.isLeft(index)) return index;
    const { scenarios, partitions } = entryAt(was, index.right);
    if (scenarios.includes(name)) {
      return E.left(failure('already_exists', `"${generator_id}" is already in scenario "${name}"`));
    }
    const conflict = partitionConflict(partitions, [name]);
    if (conflict !== null)
      return E.left(failure('wrong_state', `\`partitions\` of "${generator_id}" ${conflict}`));
    const joined = inScenarios(was, index.right, [...scenarios, name]);
    return E.right({ change: changing(new Map([[index.right, joined]])), answer: null });
  };

export const planLeave =
  ({ name, generator_id }: Membership) =>
  (was: StartupText): Result<Plan<null>> => {
    const members = membersOf(was, name);
    if (members.length === 0) return noScenario(name);
    const index = members.find((member) => entryAt(was, member).id === generator_id);
    if (index === undefined) {
      return E.left(
        failure('not_found', `the startup list has no "${generator_id}" in the scenario "${name}"`),
      );
    }
    return E.right({ change: changing(new Map([[index, without(was, index, name)]])), answer: null });
  };
