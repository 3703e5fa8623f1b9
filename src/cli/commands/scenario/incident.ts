import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../../adapters/entropy.js';
import { memberDefinition } from '../../../config/incidents/member.js';
import { drawnBy, readIncidentFile, type StoredIncident } from '../../../daemon/incidents/load.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { GeneratorDefinition } from '../../../domain/generator.js';
import type { Story } from '../../../domain/incidents/incident.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Micros } from '../../../domain/time/micros.js';
import { parseIso } from '../../../domain/time/parseIso.js';
import { utc } from '../../../domain/time/zone.js';
import { installed } from '../../../plugins/installed.js';

export interface LoadedIncident extends StoredIncident {
  readonly seed: string;
  readonly story: Story;
}

/** Reads an incident and settles what is left to chance: its seed and its beginning. */
export const loadIncident = async (
  path: string,
  given: {
    readonly cwd: string;
    readonly seed: string | undefined;
    readonly start: string | undefined;
    readonly now: Micros;
  },
): Promise<Result<LoadedIncident>> => {
  const file = resolve(given.cwd, path);
  const read = await readIncidentFile(file);
  if (E.isLeft(read)) return read;
  const start = given.start === undefined ? given.now : parseIso(given.start, utc);
  if (start === null)
    return E.left(
      failure(
        'invalid',
        `--start must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not "${given.start}"`,
      ),
    );
  const seed = given.seed ?? drawSeed();
  const { incident } = read.right;
  return E.map((drawn: JsonObject): LoadedIncident => {
    const told = { from: 0, to: incident.duration };
    return { ...read.right, seed, story: { incident, drawn, start, told, isAlone: true } };
  })(await drawnBy(file, read.right, seed));
};

/** Returns the definition of a generator as a member of the incident, or an error when it cannot be one. */
export const asMember =
  ({ story, refusal }: LoadedIncident, member: string) =>
  (definition: GeneratorDefinition): Result<GeneratorDefinition> =>
    memberDefinition(definition, { member, story, shape: installed().shapes.generator, refusal });
