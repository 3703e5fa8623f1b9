import * as E from 'fp-ts/lib/Either.js';
import type { IncidentMember } from '../../src/config/incidents/read.js';
import { failure, type Result } from '../../src/domain/errors.js';
import { noSuchGenerator } from '../../src/domain/generator.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { GeneratorListItem } from '../../src/messages/generators.js';
import type { Assignment } from '../../src/messages/incidents.js';
import type { Log } from '../../src/ports/log.js';

/** Requests to the generators. None rejects. */
export interface MemberGenerators {
  readonly list: () => Promise<Result<readonly GeneratorListItem[]>>;
  /** Path of a config, or of its folder, as the list shows it. */
  readonly shownPath: (path: string) => string;
  readonly create: (id: string, params: JsonObject) => Promise<Result<null>>;
  readonly start: (id: string) => Promise<Result<true>>;
  readonly assign: (id: string, assignment: Assignment | null) => Promise<Result<null>>;
  readonly stop: (id: string) => Promise<Result<null>>;
  readonly remove: (id: string) => Promise<Result<null>>;
}

/** A member and the generator that takes its place. */
export interface AssignedMember {
  readonly member: IncidentMember;
  readonly id: string;
  /** What the incident does before it begins, and undoes at its end. */
  readonly preparation: 'none' | 'start' | 'create';
}

const isRunning = ({ status }: GeneratorListItem): boolean => !status.is_ended_up && status.phase !== 'idle';

/** Returns the generator of a member, or null when there is none yet. An error when it is not clear which. */
export const memberGeneratorOf = (
  { name, path, id }: IncidentMember,
  generators: readonly GeneratorListItem[],
  shownPath: (path: string) => string,
): Result<GeneratorListItem | null> => {
  if (id !== null) return E.fromNullable(noSuchGenerator(id))(generators.find((one) => one.id === id));
  const shown = shownPath(path);
  const found = generators.filter((one) => one.path === shown);
  const [first, second] = found;
  if (second === undefined) return E.right(first ?? null);
  const named = found.find((one) => one.id === name);
  if (named !== undefined) return E.right(named);
  const ids = found.map((one) => one.id).join(', ');
  return E.left(
    failure('wrong_state', `member "${name}" may be any of ${ids}: name one as \`id\` of the member`),
  );
};

/** Id of a generator that the incident makes for a member. */
export const ownId = (incident: string, { name }: Pick<IncidentMember, 'name'>): string =>
  `${incident}.${name.replaceAll(' ', '-')}`;

const assignedOf = (
  incident: string,
  member: IncidentMember,
  generators: readonly GeneratorListItem[],
  shownPath: (path: string) => string,
): Result<AssignedMember> =>
  E.flatMap((found: GeneratorListItem | null): Result<AssignedMember> => {
    if (found === null) return E.right({ member, id: ownId(incident, member), preparation: 'create' });
    if (found.partitions !== undefined)
      return E.left(
        failure(
          'wrong_state',
          `generator "${found.id}" has partitions, whose inputs cannot be exchanged while it runs`,
        ),
      );
    return E.right({ member, id: found.id, preparation: isRunning(found) ? 'none' : 'start' });
  })(memberGeneratorOf(member, generators, shownPath));

/** The generators of all members, each once. */
export const assignMembers = async (
  incident: string,
  members: readonly IncidentMember[],
  generators: MemberGenerators,
): Promise<Result<readonly AssignedMember[]>> => {
  const listed = await generators.list();
  if (E.isLeft(listed)) return listed;
  const assigned: AssignedMember[] = [];
  for (const member of members) {
    const one = assignedOf(incident, member, listed.right, generators.shownPath);
    if (E.isLeft(one)) return one;
    if (assigned.some(({ id }) => id === one.right.id))
      return E.left(failure('wrong_state', `generator "${one.right.id}" would be two members`));
    assigned.push(one.right);
  }
  return E.right(assigned);
};

const prepareOne = async ({ member, id, preparation }: AssignedMember, generators: MemberGenerators) => {
  if (preparation === 'none') return E.right(true);
  if (preparation === 'create') {
    const path = generators.shownPath(member.path);
    const created = await generators.create(id, { path, params: member.params });
    if (E.isLeft(created)) return created;
  }
  return generators.start(id);
};

const firstLeft = (answers: readonly Result<unknown>[]): Result<null> =>
  answers.find(E.isLeft) ?? E.right(null);

/** Makes and starts what does not run. Returns the first failure; `release` undoes the rest. */
export const prepare = async (
  assigned: readonly AssignedMember[],
  generators: MemberGenerators,
): Promise<Result<null>> => firstLeft(await Promise.all(assigned.map((one) => prepareOne(one, generators))));

/** Gives members their assignments. Returns the first failure; the others have theirs. */
export const assignAll = async (
  assigned: readonly AssignedMember[],
  assignmentOf: ((member: string) => Assignment) | null,
  generators: MemberGenerators,
): Promise<Result<null>> =>
  firstLeft(
    await Promise.all(
      assigned.map(({ member, id }) => generators.assign(id, assignmentOf?.(member.name) ?? null)),
    ),
  );

/** Members go on as before: those that were made for the incident are removed, those that did not run are stopped. */
export const release = async (
  assigned: readonly AssignedMember[],
  generators: MemberGenerators,
  log: Log,
): Promise<Result<null>> => {
  const answers = await Promise.all(
    assigned.map(async ({ id, preparation }): Promise<Result<null>> => {
      if (preparation === 'create') {
        const removed = await generators.remove(id);
        return E.isLeft(removed) && removed.left.code === 'not_found' ? E.right(null) : removed;
      }
      const taken = await generators.assign(id, null);
      return preparation === 'start' ? firstLeft([taken, await generators.stop(id)]) : taken;
    }),
  );
  for (const [index, answer] of answers.entries())
    if (E.isLeft(answer))
      log.write('warning', 'a member of an incident could not be released', {
        generator_id: assigned[index]?.id ?? '',
        reason: answer.left.message,
      });
  return firstLeft(answers);
};
