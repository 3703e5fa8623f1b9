import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result, SpateError } from '../../domain/errors.js';
import { drawEntities, filesIn, withRows } from '../../domain/incidents/entities.js';
import type { Incident, Phase, PhaseMember } from '../../domain/incidents/incident.js';
import { unknownEntities } from '../../domain/incidents/placeholders.js';
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
  /** Of a generator of the service; `null`: the one with this path. */
  readonly id: string | null;
}

export interface IncidentFile {
  readonly summary: string | null;
  readonly incident: Incident;
  readonly members: readonly IncidentMember[];
  /** An error of the file, with its lines. */
  readonly refusal: (issues: readonly Issue[]) => SpateError;
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
const problemsOf = (written: IncidentDocument): readonly Issue[] => {
  const names = written.phases.map(({ name }) => name);
  const end = secondsOf(written.duration);
  return written.phases.flatMap((phase, index): readonly Issue[] => {
    const at = (...rest: readonly (string | number)[]) => ['phases', index, ...rest];
    const issue = (rest: string, message: string): Issue => ({
      path: at(rest),
      type: 'not_allowed',
      message,
    });
    return [
      ...(names.indexOf(phase.name) === index ? [] : [issue('name', `'${phase.name}' is there twice`)]),
      ...(secondsOf(phase.for) > 0 ? [] : [issue('for', 'must be longer than 0')]),
      ...(secondsOf(phase.at) < end ? [] : [issue('at', 'is after the end of the incident: see `duration`')]),
      ...(phase.repeat === null || secondsOf(phase.repeat.every) >= secondsOf(phase.for)
        ? []
        : [{ ...issue('repeat', 'must not be shorter than `for`'), path: at('repeat', 'every') }]),
      ...unknownMembers(written, phase.stopped, at('stopped')),
      ...unknownMembers(written, Object.keys(phase.members), at('members')),
    ];
  });
};

/** Paths of an output of files are relative to the file of the incident. */
const absolute = (output: JsonObject, directory: string): JsonObject => {
  const file = output['file'];
  if (!isJsonObject(file) || typeof file['path'] !== 'string') return output;
  return { file: { ...file, path: resolve(directory, file['path']) } };
};

type WrittenPhase = IncidentDocument['phases'][number];

const phaseOf = (written: WrittenPhase, directory: string): Phase => {
  const { repeat } = written;
  const members = Object.entries(written.members).map(([name, part]): readonly [string, PhaseMember] => [
    name,
    { ...part, output: part.output?.map((one) => absolute(one, directory)) ?? null },
  ]);
  return {
    ...written,
    at: secondsOf(written.at),
    for: secondsOf(written.for),
    repeat: repeat === null ? null : { times: repeat.times, every: secondsOf(repeat.every) },
    members: Object.fromEntries(members),
  };
};

const incidentOf = (written: IncidentDocument, name: string, directory: string): Incident => ({
  name,
  duration: secondsOf(written.duration),
  entities: written.entities,
  phases: written.phases.map((phase) => phaseOf(phase, directory)),
  marks: written.marks,
  ground_truth: written.ground_truth === null ? null : absolute(written.ground_truth, directory),
});

/** Reads an incident. Left: every problem by line and column. `file`: absolute. */
export const readIncident = (
  text: string,
  { file, name }: { readonly file: string; readonly name: string },
): Result<IncidentFile> =>
  E.flatMap((source: YamlSource): Result<IncidentFile> => {
    const refusal = (issues: readonly Issue[]) => invalid(file, placeIssues(source, issues));
    const decoded = decode(incidentShape, source.value);
    if (E.isLeft(decoded)) return E.left(refusal(decoded.left));
    const written = decoded.right;
    const problems = problemsOf(written);
    if (problems.length > 0) return E.left(refusal(problems));
    const directory = dirname(file);
    return E.right({
      summary: written.summary,
      incident: incidentOf(written, name, directory),
      members: Object.entries(written.members).map(([member, { path, params, id }]) => ({
        name: member,
        path: resolve(directory, path),
        params,
        id,
      })),
      refusal,
    });
  })(parseYaml(text, file));

/** Rows of a file to pick from, by its path as written. Left: one sentence why it cannot be read. */
export type ReadRows = (path: string) => Promise<E.Either<string, readonly Json[]>>;

const unknownIssues = ({ phases }: Incident, drawn: JsonObject): readonly Issue[] =>
  phases.flatMap((phase, index) =>
    unknownEntities([phase.globals, phase.members as unknown as Json], drawn).map(
      (whole): Issue => ({
        path: ['phases', index, 'members'],
        type: 'not_allowed',
        message: `uses ${whole}, and there is no such entity or property`,
      }),
    ),
  );

/** Draws the entities of an incident. Left: a file to pick from is missing or empty, or a phase names unknown entities. */
export const drawIncident = async (
  { incident, refusal }: Pick<IncidentFile, 'incident' | 'refusal'>,
  random: Random,
  read: ReadRows,
): Promise<Result<JsonObject>> => {
  const rows = new Map<string, readonly Json[]>();
  for (const path of filesIn(incident.entities)) {
    const found = await read(path);
    const reason = E.isLeft(found) ? found.left : found.right.length === 0 ? 'the file has no rows' : null;
    if (reason !== null)
      return E.left(
        refusal([{ path: ['entities'], type: 'bad_format', message: `pick ${path}: ${reason}` }]),
      );
    if (E.isRight(found)) rows.set(path, found.right);
  }
  const drawn = drawEntities(withRows(incident.entities, rows) as JsonObject, random.fork('entities'));
  const unknown = unknownIssues(incident, drawn);
  return unknown.length > 0 ? E.left(refusal(unknown)) : E.right(drawn);
};
