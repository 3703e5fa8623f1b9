import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { IsValid } from '../cases/bodyCases.js';
import type { IsValidText } from '../cases/pathCases.js';
import type { Parameter, Schema } from '../document.js';
import { typesOf } from './smallest.js';

/** Validators of the schemas of one document. */
export interface Validators {
  readonly bodyValidator: (schema: Schema) => IsValid;
  readonly isValidText: IsValidText;
  /** What is wrong with a value; `null` when nothing. */
  readonly flawOf: (schema: Schema, value: unknown) => string | null;
}

const ROOT = 'document';

const isDateTime = (text: string): boolean =>
  /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d(:\d\d)?)$/.test(text);

const makeAjv = (document: JsonObject): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    strictNumbers: true,
    code: { optimize: false },
  });
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('binary', true);
  ajv.addSchema({ $id: ROOT, components: document['components'] });
  return ajv;
};

const showError = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath === '' ? 'the value' : instancePath} ${message ?? ''} ${JSON.stringify(params)}`;

/** The text of a parameter as the value that it stands for; a text of another type stays a text. */
const meantBy = ({ schema }: Parameter, text: string): unknown => {
  const types = typesOf(schema);
  if (types.includes('array')) return [text];
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.includes('integer') && /^-?\d+$/.test(text) ? Number(text) : text;
};

/** Compiles the schemas of a document, each once. */
export const makeValidators = (document: JsonObject): Validators => {
  const ajv = makeAjv(document);
  const compiled = new Map<string, ValidateFunction>();
  /** A schema that is asked for by its address is compiled once, with all that it refers to. */
  const compile = (schema: Schema): ValidateFunction =>
    (typeof schema['$ref'] === 'string' && Object.keys(schema).length === 1
      ? ajv.getSchema(schema['$ref'])
      : undefined) ?? ajv.compile(schema);
  /** The text of a large schema takes longer than to validate by it. */
  const ofSchema = new WeakMap<Schema, ValidateFunction>();
  const validatorOf = (schema: Schema): ValidateFunction => {
    const found = ofSchema.get(schema) ?? ofText(schema);
    ofSchema.set(schema, found);
    return found;
  };
  const ofText = (schema: Schema): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('#/components/', `${ROOT}#/components/`);
    const known = compiled.get(text) ?? compile(JSON.parse(text) as Schema);
    compiled.set(text, known);
    return known;
  };
  return {
    bodyValidator: (schema) => {
      const validate = validatorOf(schema);
      return (body) => validate(body);
    },
    isValidText: (parameter, text) => validatorOf(parameter.schema)(meantBy(parameter, text)),
    flawOf: (schema, value) => {
      const validate = validatorOf(schema);
      if (validate(value)) return null;
      return (validate.errors ?? []).map(showError).join('; ');
    },
  };
};
