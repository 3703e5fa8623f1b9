import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { MarkMode } from '../marks/mark.js';
import { isoFormatter } from '../time/iso.js';
import { MICROS_PER_SECOND, type Micros } from '../time/micros.js';
import { utc } from '../time/zone.js';
import { entitiesIn, type Incident, type Occurrence, occurrencesOf, withEntities } from './incident.js';

/** A part of the incident in which the events of a member are made alike. */
interface Window {
  readonly from: number;
  readonly to: number;
  readonly isStopped: boolean;
  readonly globals: JsonObject;
}

const windowsOf = (member: string, { duration }: Incident, all: readonly Occurrence[]): readonly Window[] => {
  const mine = all.filter(
    ({ phase }) => phase.stopped.includes(member) || Object.keys(phase.globals).length > 0,
  );
  const cuts = [...new Set([0, duration, ...mine.flatMap(({ from, to }) => [from, to])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((to, index) => {
    const from = cuts[index] as number;
    const during = mine.filter((one) => one.from <= from && to <= one.to);
    return {
      from,
      to,
      isStopped: during.some(({ phase }) => phase.stopped.includes(member)),
      globals: Object.assign({}, ...during.map(({ phase }) => phase.globals)) as JsonObject,
    };
  });
};

const iso = isoFormatter(utc);

/** The tag of the timestamps that a phase adds. */
export const phaseTag = (incident: string, phase: string): string => `incident:${incident}/${phase}`;

/** Where an incident begins, and what was drawn for it. */
export interface Story {
  readonly incident: Incident;
  readonly start: Micros;
  readonly drawn: JsonObject;
}

const momentOf = ({ start }: Story, seconds: number): string =>
  iso(start + Math.round(seconds * MICROS_PER_SECOND));

/** One microsecond: the ends of most inputs belong to them. */
const TICK = 1 / MICROS_PER_SECOND;

/** An input of the generator within a window, which replaces its own `start` and `end`. */
const within = (input: JsonObject, window: Window, story: Story): JsonObject =>
  Object.fromEntries(
    Object.entries(input).map(([kind, params]) => {
      const given = params as JsonObject;
      const globals = withEntities({ ...(given['globals'] as JsonObject), ...window.globals }, story.drawn);
      const start = momentOf(story, window.from);
      const end = momentOf(story, window.to - TICK);
      return [kind, { ...given, globals, start, end }];
    }),
  );

/** Inputs that have a beginning and an end, and so can be part of an incident. */
const BOUNDED: ReadonlySet<string> = new Set(['cron', 'rate']);

/** Why the inputs of a config cannot be part of an incident; `null`: they can. */
export const inputProblem = (inputs: readonly Json[]): string | null => {
  const kinds = inputs.flatMap((input) => (isJsonObject(input) ? Object.keys(input) : []));
  const other = kinds.find((kind) => !BOUNDED.has(kind));
  return other === undefined
    ? null
    : `its input \`${other}\` has no end, and an incident has one. Use ${[...BOUNDED].map((one) => `\`${one}\``).join(', ')}`;
};

const addedInput = (member: string, { phase, from, to }: Occurrence, story: Story): readonly Json[] => {
  const part = phase.members[member];
  if (part === undefined || part.events === 0) return [];
  const globals = withEntities({ ...phase.globals, ...part.globals }, story.drawn);
  const tags = [phaseTag(story.incident.name, phase.name)];
  const count = part.events;
  return [
    {
      linspace: {
        start: momentOf(story, from),
        end: momentOf(story, to),
        count,
        endpoint: false,
        tags,
        globals,
      },
    },
  ];
};

/** With the tags of the phases at the templates that make their events. */
const taggedTemplates = (member: string, event: JsonObject, { incident }: Story): JsonObject => {
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

/** The label of each phase: what its ground truth says besides time, generator and event. */
const labelsOf = ({ incident, drawn }: Story, member: string): JsonObject =>
  Object.fromEntries(
    incident.phases.flatMap(({ name, members, globals }) => {
      const part = members[member];
      if (part === undefined) return [];
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

const truthOutput = (story: Story, member: string): readonly JsonObject[] => {
  const { ground_truth } = story.incident;
  const ground_truth_of = labelsOf(story, member);
  if (ground_truth === null || Object.keys(ground_truth_of).length === 0) return [];
  return [
    Object.fromEntries(
      Object.entries(forMember(ground_truth, member) as JsonObject).map(([kind, params]) => [
        kind,
        { ...(params as JsonObject), ground_truth_of },
      ]),
    ),
  ];
};

/** Aliases of the templates of a config; `null`: its events are not made by templates. */
export const aliasesIn = (event: Json): readonly string[] | null => {
  const template = isJsonObject(event) ? event['template'] : undefined;
  return isJsonObject(template)
    ? (template['templates'] as readonly JsonObject[]).flatMap((entry) => Object.keys(entry))
    : null;
};

/** The config of a generator as a member of an incident: its inputs end, phases add theirs, and the ground truth is an output. */
export const memberConfig = (config: JsonObject, member: string, story: Story): JsonObject => {
  const occurrences = occurrencesOf(story.incident);
  const windows = windowsOf(member, story.incident, occurrences).filter(({ isStopped }) => !isStopped);
  const inputs = config['input'] as readonly JsonObject[];
  return {
    ...config,
    input: [
      ...windows.flatMap((window) => inputs.map((input) => within(input, window, story))),
      ...occurrences.flatMap((occurrence) => addedInput(member, occurrence, story)),
    ],
    event: marked(taggedTemplates(member, config['event'] as JsonObject, story), story.incident.marks),
    output: [...(config['output'] as readonly Json[]), ...truthOutput(story, member)],
  };
};
