import * as E from 'fp-ts/lib/Either.js';
import { type Actor, type SnapshotFrom, waitFor } from 'xstate';
import { failure, type Result, thrownError } from '../../src/domain/errors.js';
import type { GeneratorDefinition } from '../../src/domain/generator.js';
import type { JsonObject } from '../../src/domain/json.js';
import { makeStats } from '../../src/domain/stats/stats.js';
import { serialQueue } from '../../src/domain/waiting.js';
import type { Assignment } from '../../src/messages/incidents.js';

import type { generatorMachine } from './generator.js';

export interface PatchOptions {
  /** Returns the error `invalid` with issues whose paths start at the root of the sections. */
  readonly define: (
    definition: GeneratorDefinition,
    sections: JsonObject,
  ) => Promise<Result<GeneratorDefinition>>;
  readonly persist: (path: string, sections: JsonObject) => Promise<Result<null>>;
  /** Returns the definition as a member of an incident, or an error when it cannot be one. */
  readonly assign: (
    definition: GeneratorDefinition,
    assignment: Assignment,
  ) => Promise<Result<GeneratorDefinition>>;
}

interface Patchable {
  readonly id: string;
  readonly child: () => Actor<typeof generatorMachine>;
  /** A reply that is given also if the machine dies first. */
  readonly surviving: (reply: (answer: Result<null>) => void) => (answer: Result<null>) => void;
}

/** Changes of a running generator. They take turns: each starts from the definition after the last. */
export interface PatchChanges {
  readonly patch: (sections: JsonObject, isPersisted: boolean) => Promise<Result<null>>;
  /**
   * Makes it a member of an incident, or changes its assignment. With null, it goes on as before. At rest, this counts
   * from its next start.
   */
  readonly assign: (assignment: Assignment | null) => Promise<Result<null>>;
  /** Name of the incident that it takes part in, or null. */
  readonly incident: () => string | null;
  /** The definition of a start: `loaded` from the file, or `patched` before an automatic restart. */
  readonly atStart: (
    from: 'loaded' | 'patched',
  ) => (definition: Result<GeneratorDefinition>) => Promise<Result<GeneratorDefinition>>;
}

/** The assignment of a generator, and what it is without it. */
interface HeldAssignment {
  /** What the incident has it do. Null when it has ended, but an automatic restart would still use its definition. */
  readonly assignment: Assignment | null;
  /** What it is without the incident. Null when that is not known before its next start. */
  readonly without: GeneratorDefinition | null;
}

type Snapshot = SnapshotFrom<typeof generatorMachine>;

const isFlowing = (snapshot: Snapshot): boolean => snapshot.matches({ running: 'flowing' });

/** Between two of its states, it neither takes a patch nor reads its definition again. */
const isStarting = (snapshot: Snapshot): boolean =>
  snapshot.matches('loading') || snapshot.matches({ running: 'opening' });

export const makeChanges = ({ id, child, surviving }: Patchable, options: PatchOptions): PatchChanges => {
  const inTurn = serialQueue();
  let held: HeldAssignment | null = null;

  const incidentNow = (): string | null => held?.assignment?.run.incident.name ?? null;

  const exchange = (definition: GeneratorDefinition): Promise<Result<null>> => {
    const { inputs, outputs, templates = [] } = definition.plugins;
    const patch = { definition, stats: makeStats(inputs.length, outputs.length, templates.length) };
    return new Promise((resolve) => child().send({ type: 'patch', patch, reply: surviving(resolve) }));
  };

  const patch = async (sections: JsonObject, isPersisted: boolean): Promise<Result<null>> => {
    const { definition } = child().getSnapshot().context;
    if (definition === null)
      return E.left(failure('wrong_state', `generator "${id}" does not run: start it first`));
    const incident = incidentNow();
    if (incident !== null)
      return E.left(
        failure('wrong_state', `generator "${id}" takes part in incident "${incident}": stop it first`),
      );
    const defined = await options.define(definition, sections);
    if (E.isLeft(defined)) return defined;
    const applied = await exchange(defined.right);
    if (E.isLeft(applied) || !isPersisted) return applied;
    const persisted = await options.persist(definition.params.path, sections);
    if (E.isRight(persisted)) return persisted;
    const { code, message } = persisted.left;
    return E.left(
      failure(code, `the change is in force, but could not be written to the config: ${message}`),
    );
  };

  const assign = async (assignment: Assignment | null): Promise<Result<null>> => {
    // A machine that dies meanwhile is at rest.
    await waitFor(child(), (snapshot) => !isStarting(snapshot)).catch(() => undefined);
    if (!isFlowing(child().getSnapshot())) {
      held =
        assignment === null && held?.without == null ? null : { assignment, without: held?.without ?? null };
      return E.right(null);
    }
    const without = held?.without ?? child().getSnapshot().context.definition;
    if (without === null || (assignment === null && held === null)) return E.right(null);
    const next = assignment === null ? E.right(without) : await options.assign(without, assignment);
    if (E.isLeft(next)) return next;
    const applied = await exchange(next.right);
    if (E.isRight(applied)) held = assignment === null ? null : { assignment, without };
    return applied;
  };

  const guarded = (work: () => Promise<Result<null>>): Promise<Result<null>> =>
    inTurn(work).catch((thrown: unknown) => E.left(thrownError(`changing generator "${id}"`, thrown)));
  return {
    patch: (sections, isPersisted) => guarded(() => patch(sections, isPersisted)),
    assign: (assignment) => guarded(() => assign(assignment)),
    incident: incidentNow,
    atStart: (from) => async (definition) => {
      if (held === null || E.isLeft(definition)) return definition;
      const without = from === 'loaded' ? definition.right : (held.without ?? definition.right);
      const { assignment } = held;
      if (assignment === null && from === 'loaded') held = null;
      else held = { assignment, without };
      return assignment === null ? E.right(without) : options.assign(without, assignment);
    },
  };
};
