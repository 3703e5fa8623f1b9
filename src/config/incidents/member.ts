import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result, SpateError } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import type { Incident, IncidentRun } from '../../domain/incidents/incident.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { didYouMean } from '../../domain/text/shown.js';
import { aliasesIn, memberConfig } from '../../incidents/memberConfig.js';
import { inputProblem, worldsIn } from '../../incidents/memberInputs.js';
import { type AnyShape, decode } from '../../schema/index.js';
import { pluginNames } from '../generator/config.js';

const templateIssues = (config: JsonObject, member: string, { phases }: Incident): readonly Issue[] => {
  const known = aliasesIn(config['event'] as Json);
  return phases.flatMap(({ members }, index) =>
    (members[member]?.templates ?? [])
      .filter((alias) => known?.includes(alias) !== true)
      .map((alias): Issue => {
        const path = ['phases', index, 'members', member, 'templates'];
        const message =
          known === null
            ? 'must be empty: the events of this member are not made by templates'
            : `names '${alias}', which is no template of this member`;
        const hint = known === null ? undefined : (didYouMean(alias, known) ?? `Known: ${known.join(', ')}.`);
        return { path, type: 'not_allowed', message, ...(hint === undefined ? {} : { hint }) };
      }),
  );
};

const inputIssues = (config: JsonObject, member: string, { phases }: Incident): readonly Issue[] => {
  const own = inputProblem(config['input'] as readonly Json[]);
  const added = phases.flatMap(({ members }, index) => {
    const problem = inputProblem(members[member]?.input ?? []);
    const path = ['phases', index, 'members', member, 'input'];
    return problem === null ? [] : [{ path, type: 'not_allowed', message: problem }];
  });
  return own === null ? added : [{ path: ['members', member], type: 'not_allowed', message: own }, ...added];
};

/** What fits members in a world only, and what does not fit them. */
const worldIssues = (config: JsonObject, member: string, { phases }: Incident): readonly Issue[] => {
  const worlds = worldsIn(config['input'] as readonly JsonObject[]);
  return phases.flatMap(({ members }, index) => {
    const { attack = null, globals = {}, rate_factor = 1 } = members[member] ?? {};
    const issue = (field: string, message: string): Issue => ({
      path: ['phases', index, 'members', member, field],
      type: 'not_allowed',
      message,
    });
    if (worlds.length === 0)
      return attack === null ? [] : [issue('attack', 'needs a member with an input `world`. Use `events`')];
    return [
      ...(attack !== null && worlds.some(({ anomaly }) => anomaly === attack)
        ? [issue('attack', `is what the member shows anyway: its input has \`anomaly: ${attack}\``)]
        : []),
      ...('anomaly' in globals
        ? [issue('globals', 'has `anomaly`, but this member is in a world. Use `attack`')]
        : []),
      ...(rate_factor === 1
        ? []
        : [issue('rate_factor', 'must be 1: this member is in a world, whose people make its events')]),
    ];
  });
};

/** Why a config, complete or as it is written, cannot be a member of an incident; empty: it can. */
export const memberIssues = (config: JsonObject, member: string, incident: Incident): readonly Issue[] => [
  ...inputIssues(config, member, incident),
  ...templateIssues(config, member, incident),
  ...worldIssues(config, member, incident),
];

interface MemberOptions {
  readonly member: string;
  readonly run: IncidentRun;
  /** Shape of a whole generator config. */
  readonly shape: AnyShape;
  /** An error of the incident. */
  readonly refusal: (issues: readonly Issue[]) => SpateError;
}

/** Returns the definition of a generator as a member of an incident, or an error when it cannot be one. */
export const memberDefinition = (
  definition: GeneratorDefinition,
  { member, run, shape, refusal }: MemberOptions,
): Result<GeneratorDefinition> => {
  const config = definition.config as JsonObject;
  const issues = memberIssues(config, member, run.incident);
  if (issues.length > 0) return E.left(refusal(issues));
  return E.bimap(
    (found: readonly Issue[]) =>
      refusal(found.map((issue) => ({ ...issue, path: ['members', member, ...issue.path] }))),
    (decoded: unknown): GeneratorDefinition => {
      const complete = shape.codec.encode(decoded);
      return { ...definition, config: complete, plugins: pluginNames(complete) };
    },
  )(decode(shape, memberConfig(config, member, run)));
};
