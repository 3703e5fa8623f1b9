import type { Json, JsonObject } from '../json.js';
import { phaseTag, type Story } from './incident.js';
import { entitiesIn } from './placeholders.js';
import { outputTag } from './windows.js';

/** The same output with more in its parameters. */
const withParams = (output: JsonObject, more: (params: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(output).map(([kind, params]) => {
      const given = (params ?? {}) as JsonObject;
      return [kind, { ...given, ...more(given) }];
    }),
  );

const routedWhen =
  (condition: JsonObject) =>
  ({ when = null }: JsonObject): JsonObject => ({
    when: when === null ? condition : { all: [when, condition] },
  });

/** The outputs of a member, each for the timestamps that it gets. */
const routedOutputs = (
  outputs: readonly JsonObject[],
  member: string,
  { incident: { name, phases } }: Story,
): readonly JsonObject[] => {
  const replacing = phases.flatMap((phase) => {
    const output = phase.members[member]?.output ?? null;
    return output === null ? [] : [{ tag: outputTag(name, phase.name), output }];
  });
  if (replacing.length === 0) return outputs;
  const elsewhere = { not: { any: replacing.map(({ tag }) => ({ tag })) } };
  return [
    ...outputs.map((output) => withParams(output, routedWhen(elsewhere))),
    ...replacing.flatMap(({ tag, output }) => output.map((one) => withParams(one, routedWhen({ tag })))),
  ];
};

/** The label of each phase: what its ground truth says besides time, generator and event. */
const labelsOf = ({ incident, drawn }: Story, member: string): JsonObject =>
  Object.fromEntries(
    incident.phases.flatMap(({ name, members, globals }) => {
      const part = members[member];
      if (part === undefined || (part.events === 0 && part.input.length === 0)) return [];
      const entities = entitiesIn({ ...globals, ...part.globals }, drawn);
      return [[phaseTag(incident.name, name), { incident: incident.name, phase: name, entities }]];
    }),
  );

const forMember = (value: Json, member: string): Json => {
  if (typeof value === 'string') return value.replaceAll('{member}', member);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => forMember(one, member));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, forMember(one, member)]));
};

const truthOutputs = (story: Story, member: string): readonly JsonObject[] => {
  const { ground_truth } = story.incident;
  const ground_truth_of = labelsOf(story, member);
  if (ground_truth === null || Object.keys(ground_truth_of).length === 0) return [];
  return [withParams(forMember(ground_truth, member) as JsonObject, () => ({ ground_truth_of }))];
};

/** `output` of a member: its own, those of phases that replace them, and the ground truth. */
export const memberOutputs = (
  outputs: readonly JsonObject[],
  member: string,
  story: Story,
): readonly JsonObject[] => [...routedOutputs(outputs, member, story), ...truthOutputs(story, member)];
