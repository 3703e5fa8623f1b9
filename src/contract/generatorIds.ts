import * as E from 'fp-ts/lib/Either.js';
import { checkGeneratorId, checkScenarioName, MAX_ID_LENGTH, type NameFlaw } from '../domain/identifiers.js';
import { checkSecretName } from '../domain/secrets.js';
import { decode, type JsonSchema, listOf, text } from '../schema/index.js';
import { type Flaw, nameParam, type Param } from './params.js';
import type { BodySpec } from './route.js';

const MIB = 1_048_576;

/** A name to be created: adds the rule of its kind to that of all path names. */
const newName = (help: string, check: (name: string) => NameFlaw | null, rule: JsonSchema): Param<string> => {
  const plain = nameParam(help);
  return {
    ...plain,
    schema: { ...plain.schema, maxLength: MAX_ID_LENGTH, ...rule },
    decode: (texts) =>
      E.flatMap((name: string): E.Either<Flaw, string> => {
        const flaw = check(name);
        return flaw === null ? E.right(name) : E.left({ type: flaw.type, msg: flaw.message });
      })(plain.decode(texts)),
  };
};

export const newGeneratorIdParam = (help: string): Param<string> =>
  newName(help, checkGeneratorId, { pattern: '^(?!\\.)[A-Za-z0-9._-]+$' });
export const newScenarioNameParam = (help: string): Param<string> => newName(help, checkScenarioName, {});
export const newSecretNameParam = (help: string): Param<string> =>
  newName(help, checkSecretName, { pattern: '^(?![.-])[A-Za-z0-9._-]+$' });

/** Per request. */
const MAX_IDS = 10_000;

const ids = listOf(text(), { min: 1, max: MAX_IDS });

export const idsSchema = ids.schema;

/** Ids of generators; the owner judges unknown ones. */
export const idsBody: BodySpec<readonly string[]> = {
  kind: 'json',
  mediaTypes: ['application/json'],
  limit_bytes: MIB,
  schemaName: 'GeneratorIds',
  check: (body) => decode(ids, body),
};
