import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import { durationSeconds } from '../../domain/incidents/incident.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { didYouMean } from '../../domain/text/shown.js';
import { decode } from '../../schema/index.js';
import { CAMPAIGN_MINUTES } from '../../world/attack/names.js';
import { invalid } from '../report.js';
import { locateIssues, parseYaml, type YamlSource } from '../yaml/source.js';
import { type IncidentDocument, incidentShape } from './shape.js';

/** Returns the seconds of a duration that was checked. */
export const secondsOf = (written: string): number => durationSeconds(written) ?? 0;

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

/** A placeholder that would reach the events of a member as it is written. */
const LEFT = /\$\{[^{}]*\}/;

const holdsPlaceholder = (value: Json): boolean => {
  if (typeof value === 'string') return LEFT.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsPlaceholder);
};

/** Parameters are given before entities are drawn, so nothing replaces placeholders in them. */
const placeholderIssues = (member: string, params: JsonObject): readonly Issue[] =>
  Object.entries(params)
    .filter(([, value]) => holdsPlaceholder(value))
    .map(([name]) => ({
      path: ['members', member, 'params', name],
      type: 'not_allowed',
      message: 'has a placeholder, and nothing replaces placeholders in parameters',
      hint: `Write the value, or give it as a global of a phase: globals: {${name}: ...}.`,
    }));

/** Seconds in which at least one campaign of an attack begins and ends. */
const MIN_ATTACK = 3 * CAMPAIGN_MINUTES * 60;

/** Attacks of which nothing might be seen. */
const shortAttacks = (
  { at, for: length, members }: IncidentDocument['phases'][number],
  end: number,
  path: readonly (string | number)[],
): readonly Issue[] =>
  Math.min(end - secondsOf(at), secondsOf(length)) >= MIN_ATTACK
    ? []
    : Object.entries(members)
        .filter(([, { attack }]) => attack !== null)
        .map(([member]) => ({
          path: [...path, member, 'attack'],
          type: 'not_allowed',
          message:
            'needs a phase of at least 1h before the end of the incident: campaigns of a world take up to 40m',
        }));

/** Problems that need the whole file. */
const problemsOf = (written: IncidentDocument): readonly Issue[] => {
  const names = written.phases.map(({ name }) => name);
  const end = secondsOf(written.duration);
  const ofMembers = Object.entries(written.members).flatMap(([member, { params }]) =>
    placeholderIssues(member, params),
  );
  const ofPhases = written.phases.flatMap((phase, index): readonly Issue[] => {
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
      ...shortAttacks(phase, end, at('members')),
      ...unknownMembers(written, phase.stopped, at('stopped')),
      ...unknownMembers(written, Object.keys(phase.members), at('members')),
    ];
  });
  return [...ofMembers, ...ofPhases];
};

/** An incident file without problems. */
export interface CheckedIncident {
  readonly source: YamlSource;
  readonly written: IncidentDocument;
}

/** Checks an incident file, in browsers too. Returns an error with every problem by line and column. */
export const checkIncident = (text: string, file: string): Result<CheckedIncident> =>
  E.flatMap((source: YamlSource): Result<CheckedIncident> => {
    const decoded = decode(incidentShape, source.value);
    const problems = E.isLeft(decoded) ? decoded.left : problemsOf(decoded.right);
    return E.isLeft(decoded) || problems.length > 0
      ? E.left(invalid(file, locateIssues(source, problems)))
      : E.right({ source, written: decoded.right });
  })(parseYaml(text, file));
