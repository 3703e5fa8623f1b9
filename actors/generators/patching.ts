import * as E from 'fp-ts/lib/Either.js';
import type { Actor } from 'xstate';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';
import type { GeneratorDefinition } from '../../src/domain/generator.js';
import type { JsonObject } from '../../src/domain/json.js';
import { serialQueue } from '../../src/domain/serialQueue.js';
import { makeStats } from '../../src/domain/stats/stats.js';

import type { generatorMachine } from './generator.js';

export interface PatchOptions {
  /** Left `invalid`: issues count from the root of the sections. */
  readonly define: (
    definition: GeneratorDefinition,
    sections: JsonObject,
  ) => Promise<Result<GeneratorDefinition>>;
  readonly persist: (path: string, sections: JsonObject) => Promise<Result<null>>;
}

interface Patchable {
  readonly id: string;
  readonly child: () => Actor<typeof generatorMachine>;
  /** A reply that is given also if the machine dies first. */
  readonly surviving: (reply: (answer: Result<null>) => void) => (answer: Result<null>) => void;
}

const apply = async (
  { id, child, surviving }: Patchable,
  sections: JsonObject,
  options: PatchOptions,
): Promise<Result<null>> => {
  const { definition } = child().getSnapshot().context;
  if (definition === null)
    return E.left(failure('wrong_state', `generator "${id}" does not run: start it first`));
  const defined = await options.define(definition, sections);
  if (E.isLeft(defined)) return defined;
  const { inputs, outputs } = defined.right.plugins;
  const patch = { definition: defined.right, stats: makeStats(inputs.length, outputs.length) };
  return new Promise((resolve) => child().send({ type: 'patch', patch, reply: surviving(resolve) }));
};

/** Patches of one generator take turns: each starts from the definition after the last. */
export const makePatcher = (target: Patchable, options: PatchOptions) => {
  const inTurn = serialQueue();
  const patch = async (sections: JsonObject, isPersisted: boolean): Promise<Result<null>> => {
    const applied = await apply(target, sections, options);
    if (E.isLeft(applied) || !isPersisted) return applied;
    const { definition } = target.child().getSnapshot().context;
    const persisted = await options.persist(definition?.params.path ?? '', sections);
    if (E.isRight(persisted)) return persisted;
    const { code, message } = persisted.left;
    return E.left(
      failure(code, `the change is in force, but could not be written to the config: ${message}`),
    );
  };
  return (sections: JsonObject, isPersisted: boolean): Promise<Result<null>> =>
    inTurn(() => patch(sections, isPersisted)).catch((thrown: unknown) =>
      E.left(failure('bug', `patching "${target.id}": ${reasonOf(thrown)}`)),
    );
};
