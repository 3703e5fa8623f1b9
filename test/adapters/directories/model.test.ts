import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Result } from '../../../src/domain/errors.js';
import { codeOf } from './support.js';
import { CONFIG, inWorld, snapshotOf, type World } from './world.js';

/** What a directory holds, as simple as can be: content by path, `/` for a directory. */
type Model = Map<string, string>;

type Operation =
  | { readonly kind: 'create' | 'replace' | 'remove' | 'makeDirectory'; readonly path: string }
  | { readonly kind: 'move' | 'copy'; readonly source: string; readonly destination: string };

const parentsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));

/** What stands in the way to a path: the code of the refusal, or `null`. */
const wayTo = (model: Model, path: string, makes: boolean): string | null => {
  for (const parent of parentsOf(path)) {
    const there = model.get(parent);
    if (there === undefined && !makes) return 'not_found';
    if (there !== undefined && there !== '/') return 'wrong_state';
  }
  return null;
};

const add = (model: Model, path: string, content: string): void => {
  for (const parent of parentsOf(path)) model.set(parent, '/');
  model.set(path, content);
};

const below = (model: Model, path: string): readonly (readonly [string, string])[] =>
  [...model].filter(([key]) => key === path || key.startsWith(`${path}/`));

const drop = (model: Model, path: string): void => {
  for (const [key] of below(model, path)) model.delete(key);
};

/** Move and copy: the code of the refusal, or `ok` after the change. */
const transfer = (model: Model, kind: 'move' | 'copy', source: string, destination: string): string => {
  if (destination.startsWith(`${source}/`)) return 'wrong_state';
  const from = wayTo(model, source, false);
  if (from !== null) return from;
  if (!model.has(source)) return 'not_found';
  if (kind === 'move' && source === destination) return 'ok';
  const to = wayTo(model, destination, false);
  if (to !== null) return to;
  const goesInto = kind === 'move' && model.get(destination) === '/';
  const target = goesInto ? `${destination}/${source.split('/').at(-1) ?? ''}` : destination;
  if (kind === 'move' && target === source) return 'ok';
  if (model.has(target)) return 'already_exists';
  for (const [key, content] of below(model, source)) model.set(target + key.slice(source.length), content);
  if (kind === 'move') drop(model, source);
  return 'ok';
};

const expected = (model: Model, operation: Operation, content: string): string => {
  if ('source' in operation) return transfer(model, operation.kind, operation.source, operation.destination);
  const { kind, path } = operation;
  const makes = kind === 'create' || kind === 'makeDirectory';
  const way = wayTo(model, path, makes);
  if (way !== null) return way;
  const there = model.get(path);
  if (makes && there !== undefined) return 'already_exists';
  if (!makes && there === undefined) return 'not_found';
  if (kind === 'replace' && there === '/') return 'wrong_state';
  if (kind === 'remove') drop(model, path);
  else add(model, path, kind === 'makeDirectory' ? '/' : content);
  return 'ok';
};

const perform = async (world: World, operation: Operation, content: string): Promise<Result<unknown>> => {
  const { files } = world.directories;
  if ('source' in operation) return files[operation.kind]('web', operation.source, operation.destination);
  switch (operation.kind) {
    case 'remove':
      return files.remove('web', operation.path, null);
    case 'makeDirectory':
      return files.makeDirectory('web', operation.path);
    default: {
      const upload = await world.upload(content);
      const answer =
        operation.kind === 'create'
          ? await files.create('web', operation.path, upload)
          : await files.replace('web', operation.path, upload, null);
      await world.uploads.discard(upload);
      return answer;
    }
  }
};

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('create' as const, 'replace' as const, 'remove' as const), path }),
  fc.record({ kind: fc.constantFrom('create' as const, 'makeDirectory' as const), path }),
  fc.record({ kind: fc.constantFrom('move' as const, 'copy' as const), source: path, destination: path }),
);

test('after any operations the directory and all answers match a simple model', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 20 }), (operations) =>
      inWorld(async (world) => {
        await world.put(`web/${CONFIG}`, 'config');
        const model: Model = new Map([[CONFIG, 'config']]);
        for (const [index, each] of operations.entries()) {
          const answer = codeOf(await perform(world, each, `content ${index}`));
          expect([each, answer]).toEqual([each, expected(model, each, `content ${index}`)]);
          met.add(`${each.kind} ${answer}`);
        }
        expect(await snapshotOf(join(world.root, 'web'))).toEqual(Object.fromEntries([...model].sort()));
        expect(Object.keys(await snapshotOf(world.root)).filter((name) => name.startsWith('.'))).toEqual([]);
      }),
    ),
    { numRuns: 150, seed: 20_261_121 },
  );
  // The runs covered every answer.
  for (const answer of ['ok', 'not_found', 'already_exists', 'wrong_state'])
    for (const kind of ['move', 'copy']) expect(met).toContain(`${kind} ${answer}`);
});
