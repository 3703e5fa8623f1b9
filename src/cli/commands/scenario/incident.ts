import { basename, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../../adapters/entropy.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { pluginNames } from '../../../config/generator/config.js';
import { type IncidentFile, readIncident } from '../../../config/incidents/read.js';
import { invalid } from '../../../config/report.js';
import { failure, type Issue, type Result } from '../../../domain/errors.js';
import type { GeneratorDefinition } from '../../../domain/generator.js';
import { aliasesIn, inputProblem, memberConfig, type Story } from '../../../domain/incidents/memberConfig.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { seededRandom } from '../../../domain/random/seededRandom.js';
import { didYouMean } from '../../../domain/text/nearest.js';
import type { Micros } from '../../../domain/time/micros.js';
import { parseIso } from '../../../domain/time/parseIso.js';
import { utc } from '../../../domain/time/zone.js';
import { installed } from '../../../plugins/installed.js';
import { decode } from '../../../schema/index.js';

const MAX_INCIDENT_BYTES = 2_097_152;

export interface LoadedIncident extends IncidentFile {
  /** Absolute. */
  readonly file: string;
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
  const text = await nodeFiles.readText(file, MAX_INCIDENT_BYTES);
  if (E.isLeft(text)) return text;
  const start = given.start === undefined ? given.now : parseIso(given.start, utc);
  if (start === null)
    return E.left(
      failure(
        'invalid',
        `--start must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not "${given.start}"`,
      ),
    );
  const seed = given.seed ?? drawSeed();
  const name = basename(file).replace(/\.ya?ml$/, '');
  return E.map((read: IncidentFile): LoadedIncident => {
    const { incident, drawn } = read;
    return { ...read, file, seed, story: { incident, drawn, start } };
  })(readIncident(text.right, { file, name, random: seededRandom(seed).fork('incident') }));
};

const templateIssues = (config: JsonObject, member: string, { incident }: Story): readonly Issue[] => {
  const known = aliasesIn(config['event'] as Json);
  return incident.phases.flatMap(({ members }, index) =>
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

/** The definition of a generator as a member of the incident. Left: it cannot be one. */
export const asMember =
  ({ file, story }: LoadedIncident, member: string) =>
  (definition: GeneratorDefinition): Result<GeneratorDefinition> => {
    const config = definition.config as JsonObject;
    const problem = inputProblem(config['input'] as readonly Json[]);
    const issues: readonly Issue[] = [
      ...(problem === null ? [] : [{ path: ['members', member], type: 'not_allowed', message: problem }]),
      ...templateIssues(config, member, story),
    ];
    if (issues.length > 0) return E.left(invalid(file, issues));
    const changed = memberConfig(config, member, story);
    const { generator } = installed().shapes;
    const decoded = decode(generator, changed);
    if (E.isLeft(decoded)) return E.left(invalid(`${file}, member ${member}`, decoded.left));
    const complete = generator.codec.encode(decoded.right);
    return E.right({ ...definition, config: complete, plugins: pluginNames(complete) });
  };
