import { basename, dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../adapters/files/files.js';
import { systemClock } from '../adapters/systemClock.js';
import { drawIncident, type IncidentFile, type ReadRows, readIncident } from '../config/incidents/read.js';
import type { Result } from '../domain/errors.js';
import { MAX_INCIDENT_BYTES } from '../domain/incidents/incident.js';
import { type Json, type JsonObject, parsedJson } from '../domain/json.js';
import { seededRandom } from '../domain/random.js';

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
