import type { JsonObject } from '../../../domain/json.js';
import { hasPlaceholder } from '../../../domain/placeholder.js';
import { type AnyShape, mapSecrets, SECRET_MASK } from '../../../schema/index.js';

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
  shape: AnyShape,
  output: JsonObject,
  destination: string,
): { readonly value: JsonObject; readonly secrets: readonly NamedSecret[] } => {
  const secrets: NamedSecret[] = [];
  const value = mapSecrets(shape, output, (secret, path) => {
    if (typeof secret !== 'string' || secret === '' || secret === SECRET_MASK || hasPlaceholder(secret))
      return secret;
    const name = secretNameOf(destination, path);
    secrets.push({ name, value: secret });
    return `\${secrets.${name}}`;
  });
  return { value: value as JsonObject, secrets };
};
