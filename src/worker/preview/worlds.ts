import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { ioError, isAbsent } from '../../adapters/files/ioError.js';
import { systemClock } from '../../adapters/systemClock.js';
import { loadWorld } from '../../config/world.js';
import { failure, type Result } from '../../domain/errors.js';
import { checkWorldName } from '../../domain/identifiers.js';
import type { WorldTask } from '../../domain/preview.js';
import type { WorldItem, WorldQuestion } from '../../domain/worlds/reports.js';
import { RULES } from '../../world/activity/rules/rules.js';
import { makeWorld } from '../../world/makeWorld.js';
import { worldActivity } from '../../world/report/activity.js';
import { worldContents, worldPeople, worldSize } from '../../world/report/contents.js';
import { dateOf, findPerson, personDay } from '../../world/report/day.js';
import type { WorldSpec } from '../../world/spec.js';
import type { World } from '../../world/world.js';
import type { AnswerText } from './answer.js';

const SUFFIX = '.yml';
const MAX_BYTES = 1024 * 1024;
/** Worlds and answers that are kept for the next question. */
const MAX_WORLDS = 4;
const MAX_ANSWERS = 8;

const pause = systemClock.yieldTurn;

/** Keeps what was asked for last, by a text that stands for all that it depends on. */
const keeper = <A>(most: number): ((key: string, make: () => A) => A) => {
  const kept = new Map<string, A>();
  return (key, make) => {
    const known = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, known);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return known;
  };
};

const keptWorld = keeper<World>(MAX_WORLDS);
const keptAnswer = keeper<Promise<string>>(MAX_ANSWERS);

const readSpec = async (folder: string, name: string): Promise<Result<WorldSpec>> => {
  const text = await nodeFiles.readText(join(folder, `${name}${SUFFIX}`), MAX_BYTES);
  if (E.isRight(text)) return loadWorld(text.right, `worlds/${name}${SUFFIX}`);
  return text.left.code === 'not_found' ? E.left(failure('not_found', `there is no world "${name}"`)) : text;
};

const listed = async (folder: string): Promise<Result<readonly WorldItem[]>> => {
  const files = await readdir(folder).catch((thrown: unknown) =>
    isAbsent(thrown) ? [] : ioError('unreadable', 'list', folder, thrown),
  );
  if (!Array.isArray(files)) return E.left(files);
  const names = files
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .filter((name) => checkWorldName(name) === null)
    .sort();
  const items: WorldItem[] = [];
  for (const name of names) {
    const spec = await readSpec(folder, name);
    items.push(
      E.isRight(spec)
        ? { name, ...worldSize(spec.right), error: null }
        : { name, people: null, hosts: null, error: spec.left.message },
    );
    await pause();
  }
  return E.right(items);
};

type Named = Exclude<WorldQuestion, { readonly kind: 'list' }>;

/** The answer to a question about the world of a spec, whose text is `key`. Minutes take turns with other questions. */
const answerTo = async (question: Named, spec: WorldSpec, key: string): Promise<Result<string>> => {
  const world = keptWorld(key, () => makeWorld(spec));
  const now = systemClock.now();
  switch (question.kind) {
    case 'contents':
      return E.right(JSON.stringify(worldContents(world, question.at ?? now)));
    case 'people':
      return E.right(JSON.stringify(worldPeople(world, question)));
    case 'activity':
      return E.right(
        await keptAnswer(`activity ${key}`, async () => JSON.stringify(await worldActivity(world, pause))),
      );
    case 'day': {
      const person = findPerson(question.person, world, question.name);
      if (E.isLeft(person)) return person;
      const date = question.date ?? dateOf(person.right, now);
      const day = async (): Promise<string> => {
        // An ordinary day, as `spate world day` shows it.
        const plain = keptWorld(`plain ${key}`, () => makeWorld(spec, RULES, {}));
        return JSON.stringify(await personDay(plain, person.right, date, pause));
      };
      return E.right(await keptAnswer(`${date} ${person.right.number} ${key}`, day));
    }
  }
};

/** Answers a question about the worlds of a folder. */
export const lookAtWorlds = async ({ folder, question }: WorldTask): Promise<AnswerText> => {
  if (question.kind === 'list')
    return E.map((items: readonly WorldItem[]) => [JSON.stringify(items)])(await listed(folder));
  const spec = await readSpec(folder, question.name);
  if (E.isLeft(spec)) return spec;
  return E.map((text: string) => [text])(await answerTo(question, spec.right, JSON.stringify(spec.right)));
};
