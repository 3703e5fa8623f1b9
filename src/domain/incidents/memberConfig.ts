import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { MarkMode } from '../marks/mark.js';
import { phaseTag, type Story } from './incident.js';
import { memberInputs } from './memberInputs.js';
import { memberOutputs } from './memberOutputs.js';
import { windowsOf } from './windows.js';

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

/** Returns the aliases of the templates of a config, or null when templates do not make its events. */
export const aliasesIn = (event: Json): readonly string[] | null => {
  const template = isJsonObject(event) ? event['template'] : undefined;
  return isJsonObject(template)
    ? (template['templates'] as readonly JsonObject[]).flatMap((entry) => Object.keys(entry))
    : null;
};

/** The config of a generator as a member of the incident. */
export const memberConfig = (config: JsonObject, member: string, story: Story): JsonObject => {
  const windows = windowsOf(member, story);
  return {
    ...config,
    input: memberInputs(config['input'] as readonly JsonObject[], member, windows, story),
    event: marked(taggedTemplates(member, config['event'] as JsonObject, story), story.incident.marks),
    output: memberOutputs(config['output'] as readonly JsonObject[], member, story),
  };
};
