import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result, SpateError } from '../../domain/errors.js';
import type { Incident, Phase, PhaseMember } from '../../domain/incidents/incident.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { Random } from '../../domain/random.js';
import { drawEntities, entityFilesIn, unknownEntities, withRows } from '../../incidents/entities.js';
import { invalid } from '../report.js';
import { locateIssues } from '../yaml/source.js';
import { type CheckedIncident, checkIncident, secondsOf } from './check.js';
import type { IncidentDocument } from './shape.js';

export interface IncidentMember {
  readonly name: string;
  /** Absolute; a config file or its folder. */
  readonly path: string;
  readonly params: JsonObject;
  /** Id of a generator of the service. Null for the one with this path. */
  readonly id: string | null;
}

export interface IncidentFile {
  readonly summary: string | null;
  readonly incident: Incident;
  readonly members: readonly IncidentMember[];
  /** An error of the file, with its lines. */
  readonly refusal: (issues: readonly Issue[]) => SpateError;
}

/** Paths of an output of files are relative to the file of the incident. */
const absolute = (output: JsonObject, directory: string): JsonObject => {
  const file = output['file'];
  if (!isJsonObject(file) || typeof file['path'] !== 'string') return output;
  return { file: { ...file, path: resolve(directory, file['path']) } };
};

type WrittenPhase = IncidentDocument['phases'][number];

const phaseOf = (written: WrittenPhase, directory: string): Phase => {
  const { repeat } = written;
  const members = Object.entries(written.members).map(
    ([name, phaseMember]): readonly [string, PhaseMember] => [
      name,
      { ...phaseMember, output: phaseMember.output?.map((one) => absolute(one, directory)) ?? null },
    ],
  );
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

/**
 * Reads an incident. Returns an error with every problem by line and column. `file` is absolute, `shown` is its name
 * in problems.
 */
export const readIncident = (
  text: string,
  { file, name, shown = file }: { readonly file: string; readonly name: string; readonly shown?: string },
): Result<IncidentFile> =>
  E.map(({ source, written }: CheckedIncident): IncidentFile => {
    const directory = dirname(file);
    return {
      summary: written.summary,
      incident: incidentOf(written, name, directory),
      members: Object.entries(written.members).map(([member, { path, params, id }]) => ({
        name: member,
        path: resolve(directory, path),
        params,
        id,
      })),
      refusal: (issues) => invalid(shown, locateIssues(source, issues)),
    };
  })(checkIncident(text, shown));

/** Reads the rows of a file to pick from, by its path as written. An error says in one sentence why it cannot. */
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

/**
 * Draws the entities of an incident. Returns an error when a file to pick from is missing or empty, or when a phase
 * names unknown entities.
 */
export const drawIncident = async (
  { incident, refusal }: Pick<IncidentFile, 'incident' | 'refusal'>,
  random: Random,
  read: ReadRows,
): Promise<Result<JsonObject>> => {
  const rows = new Map<string, readonly Json[]>();
  for (const path of entityFilesIn(incident.entities)) {
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
