import type { Issue } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { hasPlaceholder } from '../../../domain/placeholder.js';
import { destinationShape } from '../../../plugins/generatorShape.js';
import { mapSecrets, record, required, SECRET_MASK } from '../../../schema/index.js';
import { call } from '../../api/client.js';
import { localIssues } from '../../forms/issues.js';

/** An output as a form, which shows the fields of an object. */
export const OUTPUT_FORM = record({
  output: required(destinationShape, { help: 'What takes the events, and how it is reached.' }),
});

/** What is wrong in the form. A kind that is yet to be chosen is not. */
export const outputIssues = (value: JsonObject): readonly Issue[] =>
  localIssues(OUTPUT_FORM, value).filter(({ type }) => type !== 'unknown_kind');

interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Name of the secret in a field of a destination. */
const secretNameOf = (destination: string, path: readonly (string | number)[]): string =>
  ['destination', destination, ...path.slice(1)].join('_').replace(/[^A-Za-z0-9_]/g, '_');

/**
 * The output of a destination with a placeholder in place of each secret that is typed, and those secrets for the keyring.
 * Masks and placeholders stay.
 */
export const withSecretsApart = (
  output: JsonObject,
  destination: string,
): { readonly value: JsonObject; readonly secrets: readonly NamedSecret[] } => {
  const secrets: NamedSecret[] = [];
  const value = mapSecrets(destinationShape, output, (secret, path) => {
    if (typeof secret !== 'string' || secret === '' || secret === SECRET_MASK || hasPlaceholder(secret))
      return secret;
    const name = secretNameOf(destination, path);
    secrets.push({ name, value: secret });
    return `\${secrets.${name}}`;
  });
  return { value: value as JsonObject, secrets };
};

/**
 * Stores a destination: what is secret goes into the keyring. Returns the number of these secrets; rejects with `ApiError`.
 * Without an entity tag it must be a new one.
 */
export const storeDestination = async (
  name: string,
  output: JsonObject,
  etag: string | null,
): Promise<number> => {
  const { value, secrets } = withSecretsApart(output, name);
  for (const secret of secrets) await call('setSecret', { path: { name: secret.name }, body: secret.value });
  await call('writeDestination', { path: { name }, body: value, ...(etag === null ? {} : { etag }) });
  return secrets.length;
};
