import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import { drawEntities } from '../../domain/incidents/entities.js';
import { type Incident, unknownEntities } from '../../domain/incidents/incident.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { Random } from '../../domain/random/random.js';
import { didYouMean } from '../../domain/text/nearest.js';
import { MICROS_PER_SECOND } from '../../domain/time/micros.js';
import { parseSpan } from '../../domain/time/span.js';
import { decode } from '../../schema/index.js';
import { invalid } from '../report.js';
import { parseYaml, placeIssues, type YamlSource } from '../yaml/source.js';
import { type IncidentDocument, incidentShape } from './shape.js';

export interface IncidentMember {
  readonly name: string;
  /** Absolute; a config file or its folder. */
  readonly path: string;
  readonly params: JsonObject;
}

/** An incident file, with what was drawn for its entities. */
export interface IncidentFile {
  readonly incident: Incident;
  readonly members: readonly IncidentMember[];
  readonly drawn: JsonObject;
}

const secondsOf = (written: string): number => E.getOrElse(() => 0)(parseSpan(written)) / MICROS_PER_SECOND;

const unknownMembers = (
  { members }: Pick<IncidentDocument, 'members'>,
  names: readonly string[],
  path: Issue['path'],
): readonly Issue[] => {
  const known = Object.keys(members);
  return names
    .filter((one) => !known.includes(one))
    .map((one): Issue => {
      const hint = didYouMean(one, known) ?? `Known: ${known.join(', ')}.`;
      return { path, type: 'not_allowed', message: `names '${one}', which is no member`, hint };
    });
};

/** Problems that need the whole file. */
const problemsOf = (written: IncidentDocument, drawn: JsonObject): readonly Issue[] => {
  const names = written.phases.map(({ name }) => name);
  return written.phases.flatMap((phase, index): readonly Issue[] => {
    const path = ['phases', index];
    const at = (...rest: readonly (string | number)[]) => [...path, ...rest];
    const issue = (rest: string, message: string): Issue => ({
      path: at(rest),
      type: 'not_allowed',
      message,
    });
    const end = secondsOf(written.duration);
    return [
      ...(names.indexOf(phase.name) === index ? [] : [issue('name', `'${phase.name}' is there twice`)]),
      ...(secondsOf(phase.for) > 0 ? [] : [issue('for', 'must be longer than 0')]),
      ...(secondsOf(phase.at) < end ? [] : [issue('at', 'is after the end of the incident: see `duration`')]),
      ...(phase.repeat === null || secondsOf(phase.repeat.every) >= secondsOf(phase.for)
        ? []
        : [{ ...issue('repeat', 'must not be shorter than `for`'), path: at('repeat', 'every') }]),
      ...unknownMembers(written, phase.stopped, at('stopped')),
      ...unknownMembers(written, Object.keys(phase.members), at('members')),
      ...unknownEntities([phase.globals, phase.members as unknown as Json], drawn).map((whole) =>
        issue('members', `uses ${whole}, and there is no such entity or property`),
      ),
    ];
  });
};

const outputProblem = ({ ground_truth }: IncidentDocument): readonly Issue[] =>
  ground_truth === null ||
  (Object.keys(ground_truth).length === 1 && Object.values(ground_truth).every((one) => isJsonObject(one)))
    ? []
    : [
        {
          path: ['ground_truth'],
          type: 'not_one_key',
          message: 'must have exactly one key, the name of an output plugin',
        },
      ];

/** Paths of an output of files are relative to the file of the incident. */
const absolute = (output: JsonObject | null, directory: string): JsonObject | null => {
  const file = output?.['file'];
  if (!isJsonObject(file) || typeof file['path'] !== 'string') return output;
  return { file: { ...file, path: resolve(directory, file['path']) } };
};

const incidentOf = (written: IncidentDocument, name: string, directory: string): Incident => ({
  name,
  duration: secondsOf(written.duration),
  entities: written.entities,
  phases: written.phases.map((phase) => ({
    ...phase,
    at: secondsOf(phase.at),
    for: secondsOf(phase.for),
    repeat:
      phase.repeat === null ? null : { times: phase.repeat.times, every: secondsOf(phase.repeat.every) },
  })),
  marks: written.marks,
  ground_truth: absolute(written.ground_truth, directory),
});

/** Reads an incident and draws its entities. Left: every problem by line and column. `file`: absolute. */
export const readIncident = (
  text: string,
  { file, name, random }: { readonly file: string; readonly name: string; readonly random: Random },
): Result<IncidentFile> =>
  E.flatMap((source: YamlSource): Result<IncidentFile> => {
    const refuse = (issues: readonly Issue[]) => E.left(invalid(file, placeIssues(source, issues)));
    const decoded = decode(incidentShape, source.value);
    if (E.isLeft(decoded)) return refuse(decoded.left);
    const written = decoded.right;
    const drawn = drawEntities(written.entities, random.fork('entities'));
    const problems = [...problemsOf(written, drawn), ...outputProblem(written)];
    if (problems.length > 0) return refuse(problems);
    const directory = dirname(file);
    return E.right({
      incident: incidentOf(written, name, directory),
      members: Object.entries(written.members).map(([member, { path, params }]) => ({
        name: member,
        path: resolve(directory, path),
        params,
      })),
      drawn,
    });
  })(parseYaml(text, file));
