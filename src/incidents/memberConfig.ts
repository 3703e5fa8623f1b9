import { type IncidentRun, type PhaseMember, phaseTag } from '../domain/incidents/incident.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import type { MarkMode } from '../domain/marks/mark.js';
import { entitiesIn } from './entities.js';
import { memberInputs, outputTag, windowsOf } from './memberInputs.js';

/** With the tags of the phases at the templates that make their events. */
const taggedTemplates = (member: string, event: JsonObject, { incident }: IncidentRun): JsonObject => {
  const template = event['template'];
  if (!isJsonObject(template)) return event;
  const tagsOf = (alias: string): readonly string[] =>
    incident.phases
      .filter(({ members }) => members[member]?.templates.includes(alias) === true)
      .map(({ name }) => phaseTag(incident.name, name));
  const templates = (template['templates'] as readonly JsonObject[]).map((entry) =>
    Object.fromEntries(
      Object.entries(entry).map(([alias, item]) => {
        const given = item as JsonObject;
        const tags = [...((given['tags'] as readonly string[] | null) ?? []), ...tagsOf(alias)];
        return [alias, { ...given, tags }];
      }),
    ),
  );
  return { template: { ...template, templates } };
};

const marked = (event: JsonObject, marks: MarkMode | null): JsonObject =>
  marks === null
    ? event
    : Object.fromEntries(
        Object.entries(event).map(([kind, params]) => [kind, { ...(params as JsonObject), marks }]),
      );

/** Returns the aliases of the templates of a config, or null when templates do not make its events. */
export const aliasesIn = (event: Json): readonly string[] | null => {
  const template = isJsonObject(event) ? event['template'] : undefined;
  const templates = isJsonObject(template) ? template['templates'] : undefined;
  return Array.isArray(templates) ? templates.filter(isJsonObject).flatMap(Object.keys) : null;
};

/** The config of a generator as a member of the incident. */
export const memberConfig = (config: JsonObject, member: string, run: IncidentRun): JsonObject => {
  const windows = windowsOf(member, run);
  return {
    ...config,
    input: memberInputs(config['input'] as readonly JsonObject[], member, windows, run),
    event: marked(taggedTemplates(member, config['event'] as JsonObject, run), run.incident.marks),
    output: memberOutputs(config['output'] as readonly JsonObject[], member, run),
  };
};

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
  { incident: { name, phases } }: IncidentRun,
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

const addsEvents = ({ events, input, attack }: PhaseMember): boolean =>
  events > 0 || input.length > 0 || attack !== null;

/** The label of each phase: what its ground truth says besides time, generator and event. */
const labelsOf = ({ incident, drawn }: IncidentRun, member: string): JsonObject =>
  Object.fromEntries(
    incident.phases.flatMap(({ name, members, globals }) => {
      const phaseMember = members[member];
      if (phaseMember === undefined || !addsEvents(phaseMember)) return [];
      const entities = entitiesIn({ ...globals, ...phaseMember.globals }, drawn);
      return [[phaseTag(incident.name, name), { incident: incident.name, phase: name, entities }]];
    }),
  );

const forMember = (value: Json, member: string): Json => {
  if (typeof value === 'string') return value.replaceAll('{member}', member);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => forMember(one, member));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, forMember(one, member)]));
};

/** The output for the ground truth of a member. */
export const truthOutputOf = (ground_truth: JsonObject, member: string): JsonObject =>
  forMember(ground_truth, member) as JsonObject;

const truthOutputs = (run: IncidentRun, member: string): readonly JsonObject[] => {
  const { ground_truth } = run.incident;
  const ground_truth_of = labelsOf(run, member);
  if (ground_truth === null || Object.keys(ground_truth_of).length === 0) return [];
  return [withParams(truthOutputOf(ground_truth, member), () => ({ ground_truth_of }))];
};

/** `output` of a member: its own, those of phases that replace them, and the ground truth. */
const memberOutputs = (
  outputs: readonly JsonObject[],
  member: string,
  run: IncidentRun,
): readonly JsonObject[] => [...routedOutputs(outputs, member, run), ...truthOutputs(run, member)];
