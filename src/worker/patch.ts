import * as E from 'fp-ts/lib/Either.js';
import { jsonEqual } from '../config/values.js';
import type { Result } from '../domain/errors.js';
import type { GeneratorDefinition } from '../domain/generator.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { statsOver } from '../domain/stats/stats.js';
import type { ApplyPatch } from '../pipeline/patch.js';
import type { DeliveryParams } from '../plugins/outputs/shared/delivery.js';
import type { JobParts } from './parts.js';

/**
 * Applies a new definition: changed parts are exchanged, with `stats` for the counters. After an error nothing has
 * changed.
 */
export type PatchJob = (definition: GeneratorDefinition, stats: SharedArrayBuffer) => Promise<Result<void>>;

export interface CurrentParts {
  definition: GeneratorDefinition;
  parts: JobParts;
}

interface Config {
  readonly input: Json;
  readonly event: JsonObject;
  readonly output: readonly Json[];
}

const configOf = ({ config }: GeneratorDefinition): Config => config as unknown as Config;

/** What chooses the events of an output, and not how it writes them. */
const ROUTE_FIELDS: ReadonlySet<string> = new Set([
  'when',
  'sample',
  'ground_truth_of',
] satisfies (keyof DeliveryParams)[]);

const withoutRoute = (entry: Json): Json =>
  isJsonObject(entry)
    ? Object.fromEntries(
        Object.entries(entry).map(([kind, params]) => [
          kind,
          isJsonObject(params)
            ? Object.fromEntries(Object.entries(params).filter(([field]) => !ROUTE_FIELDS.has(field)))
            : params,
        ]),
      )
    : entry;

/** The new event plugin takes over the state of the former one only if it is of the same kind. */
const succeeding = (parts: JobParts, isSameKind: boolean): JobParts => {
  if (isSameKind) return parts;
  const producer: JobParts['builders']['producer'] = async () => {
    const built = await parts.builders.producer();
    return E.isLeft(built)
      ? built
      : E.right({
          ...built.right,
          // The limit keeps counting; the inner state belongs to another plugin.
          restore: (state: Json) => built.right.restore?.({ ...(state as JsonObject), inner: null }),
        });
  };
  return { ...parts, builders: { ...parts.builders, producer } };
};

/** `partsOf` makes the parts of a definition on its own branch of the seed tree. */
export const patchOf = (
  current: CurrentParts,
  apply: ApplyPatch,
  partsOf: (definition: GeneratorDefinition, branch: string) => Promise<Result<JobParts>>,
): PatchJob => {
  let patches = 0;
  return async (definition, stats) => {
    const made = await partsOf(definition, `patch/${++patches}`);
    if (E.isLeft(made)) return made;
    const [former, next] = [configOf(current.definition), configOf(definition)];
    const { inputs, event, outputs, templates = [] } = definition.plugins;
    const formerTemplates = current.definition.plugins.templates ?? [];
    const parts = succeeding(made.right, current.definition.plugins.event === event);
    const isEventNew = !jsonEqual(former.event, next.event);
    const isChanged = (index: number, part: (entry: Json) => Json): boolean =>
      !jsonEqual(part(former.output[index] ?? null), part(next.output[index] as Json));
    return apply({
      ...parts,
      isInputNew: !jsonEqual(former.input, next.input),
      isInputContinued: inputs.map((kind, index) => kind === current.definition.plugins.inputs[index]),
      isEventNew,
      // An output that has moved is reopened: statistics, logs and dead letters name it by its number.
      isOutputNew: next.output.map((_, index) => isChanged(index, withoutRoute)),
      isRouteNew: next.output.map((_, index) => isChanged(index, (entry) => entry)),
      formerTemplates: templates.map((name) => formerTemplates.indexOf(name)),
      stats: statsOver(stats, inputs.length, outputs.length, templates.length),
      onCommit: () => {
        if (isEventNew) parts.eventRandom.restore(current.parts.eventRandom.snapshot());
        current.parts = isEventNew ? parts : { ...parts, eventRandom: current.parts.eventRandom };
        current.definition = definition;
      },
    });
  };
};
