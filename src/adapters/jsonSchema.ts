import { Ajv2020 } from 'ajv/dist/2020.js';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../domain/errors.js';
import type { Json } from '../domain/json.js';

/** Returns why a value breaks the schema, with location and rule, or null when it does not. */
type ProblemOf = (value: unknown) => string | null;

/** Compiles a JSON Schema of draft 2020-12. Formats are not checked. Returns the reason when it is no schema. */
export const compileJsonSchema = (schema: Json): Result<ProblemOf> => {
  try {
    const ajv = new Ajv2020({
      strictTypes: false,
      strictTuples: false,
      validateFormats: false,
      logger: false,
    });
    const validate = ajv.compile(schema as object);
    return E.right((value) => {
      if (validate(value)) return null;
      const { instancePath, message, schemaPath, params } = validate.errors?.[0] ?? {};
      const named: unknown = params?.['additionalProperty'] ?? params?.['allowedValues'];
      const what = named === undefined ? '' : `: ${JSON.stringify(named)}`;
      return `${instancePath || 'the event'} ${message ?? 'is not valid'}${what} (schema ${schemaPath ?? '#'})`;
    });
  } catch (thrown) {
    return E.left(failure('invalid', reasonOf(thrown)));
  }
};
