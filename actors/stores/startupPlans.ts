import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type NewEntry, newEntry, type StartupContext, shownPath } from '../../src/config/startup/entry.js';
import {
  inScenarios,
  type StartupChange,
  type StartupText,
  writtenEntry,
} from '../../src/config/startup/text.js';
import { jsonEqual } from '../../src/config/values.js';
import { failure, type Result, type SpateError } from '../../src/domain/errors.js';
import { allowsChange, etagOf } from '../../src/domain/etag.js';
import type { StartupEntry } from '../../src/domain/generator.js';
import { isJsonObject, type Json, type JsonObject } from '../../src/domain/json.js';
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

/** Values of an object that are not those of the defaults. */
const withoutDefaults = (value: JsonObject, defaults: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, Json][] => {
      const usual = defaults[key];
      if (jsonEqual(one, usual)) return [];
      return [[key, isJsonObject(one) && isJsonObject(usual) ? withoutDefaults(one, usual) : one]];
    }),
  );

/** Comments and spelled-out defaults do not change the tag, nor do folders and defaults of the node that answers. */
export const entryEtag = (entry: StartupEntry, context: StartupContext): string => {
  const [value, defaults] = [shownEntry(entry, context), context.generation] as readonly unknown[];
  return etagOf(JSON.stringify(withoutDefaults(value as JsonObject, defaults as JsonObject)));
};

export const noEntry = (id: string): Result<never> =>
  E.left(failure('not_found', `the startup list has no entry "${id}"`));

export const invalidEntry = (id: string, { message }: SpateError): Result<never> => {
  const remedy = 'Replace it with PUT, delete it, or edit the file.';
  return E.left(failure('invalid', `the entry "${id}" of the startup file is invalid: ${message} ${remedy}`));
};

const ambiguousId = (id: string): Result<never> =>
  E.left(
    failure(
      'invalid',
      `the startup file has several entries with the id "${id}". Give each its own id: edit the file.`,
    ),
  );

/** Positions and ids of all entries with a readable id, in the order of the file. */
const idsOf = ({ slots, rejected }: StartupText): readonly (readonly [number, string])[] => {
  const invalid = new Map(rejected.map(({ index, id }) => [index, id]));
  return [...slots.entries()].flatMap(([index, entry]): (readonly [number, string])[] => {
    const id = entry?.id ?? invalid.get(index) ?? null;
    return id === null ? [] : [[index, id]];
  });
};

/** Position of the only entry with this id, which may be invalid. */
const indexOf = (was: StartupText, id: string): Result<number> => {
  const [first, second] = idsOf(was).filter(([, one]) => one === id);
  if (first === undefined) return noEntry(id);
  return second === undefined ? E.right(first[0]) : ambiguousId(id);
};

interface ValidEntry {
  readonly index: number;
  readonly old: StartupEntry;
}

/** The valid entry with this id and its position. */
const validEntry = (was: StartupText, id: string): Result<ValidEntry> =>
  E.flatMap((index: number): Result<ValidEntry> => {
    const old = was.slots[index] ?? null;
    if (old !== null) return E.right({ index, old });
    const bad = was.rejected.find((entry) => entry.index === index);
    return bad === undefined ? noEntry(id) : invalidEntry(id, bad.error);
  })(indexOf(was, id));

/** Position of an entry. Returns `precondition_failed` when the client has seen another version. */
const currentIndex = (
  was: StartupText,
  { id, if_match }: Pick<Payload<'startup.delete'>, 'id' | 'if_match'>,
  context: StartupContext,
): Result<number> =>
  pipe(
    indexOf(was, id),
    E.filterOrElse(
      (index) => {
        const old = was.slots[index] ?? null;
        const tag = old === null ? etagOf(JSON.stringify(was.values[index])) : entryEtag(old, context);
        return allowsChange(if_match, tag);
      },
      () => failure('precondition_failed', `the entry "${id}" has changed: read it again and retry`),
    ),
  );

/** Absolute config path of the entry at a position, also of an invalid one; null when it has none. */
const pathAt = ({ slots, values }: StartupText, index: number, context: StartupContext): string | null => {
  const written = values[index];
  const path = slots[index]?.path ?? (isJsonObject(written) ? written['path'] : null);
  return typeof path === 'string' ? resolve(context.generators_dir, path) : null;
};

/** Whether the file has this config path under another id or not at all. */
export const isNewPath = (was: StartupText, { id, path }: StartupEntry, context: StartupContext): boolean => {
  const index = indexOf(was, id);
  return E.isLeft(index) || pathAt(was, index.right, context) !== path;
};

const entryExists = (id: string): Result<never> =>
  E.left(failure('already_exists', `the startup list already has an entry "${id}"`));

export const planCreate =
  ({ id, entry }: Payload<'startup.create'>, context: StartupContext) =>
  (was: StartupText): Result<Plan<NewEntry>> => {
    if (idsOf(was).some(([, one]) => one === id)) return entryExists(id);
    return E.map((made: NewEntry) => ({ change: { ...NONE, appended: [made] }, answer: made }))(
      newEntry(id, entry, context, null),
    );
  };

export const planReplace =
  ({ id, entry, if_match }: Payload<'startup.replace'>, context: StartupContext) =>
  (was: StartupText): Result<Plan<NewEntry>> =>
    E.flatMap((index: number) => {
      const path = pathAt(was, index, context);
      const over = (written: JsonObject) => newEntry(id, entry, context, { written, path });
      const made = over(writtenEntry(was, index));
      // A stored extension key may be what makes the entry invalid.
      const repaired = E.isLeft(made) && (was.slots[index] ?? null) === null ? over({}) : made;
      return E.map((next: NewEntry) => ({ change: changing(new Map([[index, next]])), answer: next }))(
        repaired,
      );
    })(currentIndex(was, { id, if_match }, context));

export const planDelete =
  (payload: Payload<'startup.delete'>, context: StartupContext) =>
  (was: StartupText): Result<Plan<null>> =>
    pipe(
      currentIndex(was, payload, context),
      E.map((index) => ({ change: changing(new Map([[index, null]])), answer: null })),
    );

/** The entry as written, under another id. */
export const planRename =
  ({ id, to }: { readonly id: string; readonly to: string }) =>
  (was: StartupText): Result<Plan<null>> => {
    if (idsOf(was).some(([, one]) => one === to)) return entryExists(to);
    return E.map(({ index, old }: ValidEntry) => {
      const next = { entry: { ...old, id: to }, body: { ...writtenEntry(was, index), id: to } };
      return { change: changing(new Map([[index, next]])), answer: null };
    })(validEntry(was, id));
  };

export const planBulkDelete =
  ({ ids }: Payload<'startup.bulk_delete'>) =>
  (was: StartupText): Result<Plan<readonly string[]>> => {
    const wanted = new Set(ids);
    const gone = idsOf(was).filter(([, id]) => wanted.has(id));
    const seen = new Set<string>();
    for (const [, id] of gone) {
      if (seen.has(id)) return ambiguousId(id);
      seen.add(id);
    }
    return E.right({ change: changing(new Map(gone.map(([index]) => [index, null]))), answer: [...seen] });
  };

const membersOf = ({ slots }: StartupText, name: string): readonly number[] =>
  [...slots.entries()].flatMap(([index, entry]) => (entry?.scenarios.includes(name) ? [index] : []));

/** An invalid entry that names a scenario: it would keep the name. */
const invalidMember = ({ rejected, values }: StartupText, name: string) =>
  rejected.find(({ index }) => {
    const written = values[index];
    const scenarios = isJsonObject(written) ? written['scenarios'] : null;
    return Array.isArray(scenarios) && scenarios.includes(name);
  });

const noScenario = (name: string): Result<never> =>
  E.left(failure('not_found', `no entry of the startup list names a scenario "${name}"`));

const without = (was: StartupText, index: number, name: string): NewEntry =>
  inScenarios(
    was,
    index,
    (was.slots[index]?.scenarios ?? []).filter((one) => one !== name),
  );

/** Positions of the members of a scenario. Returns an error when there are none, or when an invalid entry names it. */
const changeableMembers = (was: StartupText, name: string): Result<readonly number[]> => {
  const members = membersOf(was, name);
  if (members.length === 0) return noScenario(name);
  const bad = invalidMember(was, name);
  return bad === undefined ? E.right(members) : invalidEntry(bad.id ?? `number ${bad.index + 1}`, bad.error);
};

export const planDeleteScenario =
  ({ name }: { readonly name: string }) =>
  (was: StartupText): Result<Plan<null>> =>
    E.map((members: readonly number[]) => {
      const changed = new Map(members.map((index) => [index, without(was, index, name)]));
      return { change: changing(changed), answer: null };
    })(changeableMembers(was, name));

export const planRenameScenario =
  ({ name, to }: { readonly name: string; readonly to: string }) =>
  (was: StartupText): Result<Plan<null>> => {
    const members = changeableMembers(was, name);
    if (E.isLeft(members)) return members;
    if (membersOf(was, to).length > 0 || invalidMember(was, to) !== undefined)
      return E.left(failure('already_exists', `the startup list already names a scenario "${to}"`));
    const renamed = (index: number): NewEntry => {
      const scenarios = was.slots[index]?.scenarios ?? [];
      return inScenarios(
        was,
        index,
        scenarios.map((one) => (one === name ? to : one)),
      );
    };
    const changed = new Map(members.right.map((index) => [index, renamed(index)]));
    return E.right({ change: changing(changed), answer: null });
  };

export const planJoin =
  ({ name, generator_id }: Membership) =>
  (was: StartupText): Result<Plan<null>> => {
    const found = validEntry(was, generator_id);
    if (E.isLeft(found)) return found;
    const { index, old } = found.right;
    const { scenarios, partitions } = old;
    if (scenarios.includes(name)) {
      return E.left(failure('already_exists', `"${generator_id}" is already in scenario "${name}"`));
    }
    const conflict = partitionConflict(partitions, [name]);
    if (conflict !== null)
      return E.left(failure('wrong_state', `\`partitions\` of "${generator_id}" ${conflict}`));
    const joined = inScenarios(was, index, [...scenarios, name]);
    return E.right({ change: changing(new Map([[index, joined]])), answer: null });
  };

export const planLeave =
  ({ name, generator_id }: Membership) =>
  (was: StartupText): Result<Plan<null>> => {
    const members = membersOf(was, name);
    if (members.length === 0) return noScenario(name);
    const found = validEntry(was, generator_id);
    if (E.isLeft(found) && found.left.code === 'invalid') return found;
    const index = members.find((member) => was.slots[member]?.id === generator_id);
    if (index === undefined) {
      return E.left(
        failure('not_found', `the startup list has no "${generator_id}" in the scenario "${name}"`),
      );
    }
    return E.right({ change: changing(new Map([[index, without(was, index, name)]])), answer: null });
  };
