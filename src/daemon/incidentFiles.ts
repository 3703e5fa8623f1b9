import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../adapters/files/files.js';
import { ioError, isAbsent } from '../adapters/files/ioError.js';
import { systemClock } from '../adapters/systemClock.js';
import { drawIncident, type IncidentFile, type ReadRows, readIncident } from '../config/incidents/read.js';
import type { Result } from '../domain/errors.js';
import { type Incident, MAX_INCIDENT_BYTES } from '../domain/incidents/incident.js';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../domain/json.js';
import { seededRandom } from '../domain/random.js';
import { truthOutputOf } from '../incidents/memberConfig.js';
import type { IncidentTruth } from '../messages/incidents.js';

const jsonRows = (bytes: Buffer): E.Either<string, readonly Json[]> => {
  const rows = parsedJson(bytes.toString());
  return Array.isArray(rows) ? E.right(rows as readonly Json[]) : E.left('must be a JSON list');
};

/** Rows of a CSV file with a header, as objects, or items of a JSON list. */
const rowsIn =
  (directory: string): ReadRows =>
  async (path) => {
    // Lazy: most incidents need neither.
    const [{ readDataFile }, { readCsv }] = await Promise.all([
      import('../plugins/events/template/context/samples/dataFile.js'),
      import('../plugins/events/template/context/samples/csv.js'),
    ]);
    const bytes = await readDataFile(resolve(directory, path), systemClock);
    if (E.isLeft(bytes)) return bytes;
    if (path.endsWith('.json')) return jsonRows(bytes.right);
    const table = readCsv(bytes.right, { header: true, delimiter: ',', quotechar: '"' });
    return E.bimap(
      ({ line, reason }: { readonly line: number | null; readonly reason: string }) =>
        line === null ? reason : `line ${line}: ${reason}`,
      ({
        names,
        rows,
      }: {
        readonly names: readonly string[];
        readonly rows: readonly (readonly unknown[])[];
      }) => rows.map((row): Json => Object.fromEntries(names.map((name, at) => [name, row[at] as Json]))),
    )(table);
  };

export { readIncident } from '../config/incidents/read.js';

export interface StoredIncident extends IncidentFile {
  readonly text: string;
}

/**
 * Reads an incident file by its absolute path. Returns an error when it cannot be read, or with every problem by line
 * and column.
 */
export const readIncidentFile = async (file: string): Promise<Result<StoredIncident>> => {
  const text = await nodeFiles.readText(file, MAX_INCIDENT_BYTES);
  if (E.isLeft(text)) return text;
  const name = basename(file).replace(/\.ya?ml$/, '');
  return E.map((read: IncidentFile) => ({ ...read, text: text.right }))(
    readIncident(text.right, { file, name }),
  );
};

/** Draws the entities of an incident from its seed. */
export const drawnBy = (file: string, incident: IncidentFile, seed: string): Promise<Result<JsonObject>> =>
  drawIncident(incident, seededRandom(seed).fork('incident'), rowsIn(dirname(file)));

/** Bytes of ground truth that one answer has. */
const MAX_TRUTH_BYTES = 1_048_576;

/** The file with the ground truth of a member, or a sentence why it cannot be read here. */
const truthFileOf = (ground_truth: JsonObject, member: string): E.Either<string, string> => {
  const output = truthOutputOf(ground_truth, member);
  const { file } = output;
  const path = isJsonObject(file) ? file['path'] : null;
  if (typeof path !== 'string')
    return E.left(`The ground truth goes to ${Object.keys(output).join()}: look there.`);
  return /[{}]/.test(path)
    ? E.left('The path of the ground truth changes over time: it cannot be read here.')
    : E.right(path);
};

/** What one file has behind a position. */
interface TruthPart {
  readonly lines: readonly string[];
  readonly next: number;
  readonly is_more: boolean;
}

const LF = 10;

const partFrom = async (file: FileHandle, from: number, most: number): Promise<TruthPart> => {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(most), 0, most, from);
  const isFull = bytesRead === most;
  const end = buffer.lastIndexOf(LF, bytesRead - 1) + 1;
  // A piece without an end of a line is part of none of ours.
  const next = from + (end === 0 && isFull ? bytesRead : end);
  return { lines: buffer.toString('utf8', 0, end).split('\n').slice(0, -1), next, is_more: isFull };
};

const EMPTY: TruthPart = { lines: [], next: 0, is_more: false };

/** Returns null when the file has become shorter than the position: it was written anew. */
const readPart = async (path: string, from: number, most: number): Promise<Result<TruthPart | null>> => {
  try {
    const found = await stat(path);
    // A pipe or device cannot be read twice.
    if (!found.isFile()) return E.right(EMPTY);
    if (found.size < from) return E.right(null);
    const file = await open(path);
    try {
      return E.right(await partFrom(file, from, most));
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (isAbsent(thrown)) return E.right(from === 0 ? EMPTY : null);
    return E.left(ioError('unreadable', 'read', path, thrown));
  }
};

/** Only what is ground truth of the incident: a file may have anything in it. */
const isLabelOf =
  (incident: string) =>
  (line: string): boolean => {
    const label = parsedJson(line);
    return isJsonObject(label) && label['incident'] === incident && typeof label['event'] === 'number';
  };

/** The position in each file. Null when the text does not have them. */
const positionsIn = (after: string | null, files: number): readonly number[] | null => {
  const positions = (after ?? '').split('-').map(Number);
  return after !== null &&
    positions.length === files &&
    positions.every((one) => Number.isSafeInteger(one) && one >= 0)
    ? positions
    : null;
};

const unreadTruth = (problem: string): IncidentTruth => ({
  lines: [],
  next: '0',
  is_anew: true,
  is_more: false,
  problem,
});

/** Reads the ground truth that members have written to files, from where `after` says; a null `after` is for all of it. */
export const readTruth = async (
  incident: Pick<Incident, 'name' | 'ground_truth'>,
  members: readonly string[],
  after: string | null,
): Promise<Result<IncidentTruth>> => {
  const { name, ground_truth } = incident;
  if (ground_truth === null)
    return E.right(unreadTruth('The file of the incident has no `ground_truth`, so none is written.'));
  const files = E.traverseArray((member: string) => truthFileOf(ground_truth, member))(members);
  if (E.isLeft(files)) return E.right(unreadTruth(files.left));
  // Members may share a file.
  const paths = [...new Set(files.right)];
  const positions = positionsIn(after, paths.length);
  const most = Math.ceil(MAX_TRUTH_BYTES / paths.length);
  const parts: TruthPart[] = [];
  for (const [index, path] of paths.entries()) {
    const part = await readPart(path, positions?.[index] ?? 0, most);
    if (E.isLeft(part)) return part;
    if (part.right === null) return readTruth(incident, members, null);
    parts.push(part.right);
  }
  const isOurs = isLabelOf(name);
  return E.right({
    lines: parts.flatMap(({ lines }) => lines.filter(isOurs)),
    next: parts.map(({ next }) => next).join('-'),
    is_anew: positions === null,
    is_more: parts.some((part) => part.is_more),
    problem: null,
  });
};
