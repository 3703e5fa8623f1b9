import type { Json } from '../../../../src/domain/json.js';
import type { Operation, Parameter } from '../document.js';
import { INHERITED_NAMES } from '../values/badValues.js';
import { goodValuesOf } from '../values/goodValues.js';
import { listAt, numberAt, typesOf } from '../values/smallest.js';
import type { IsValidText } from './pathCases.js';
import type { Expectation, RequestCase } from './requestCase.js';

/** Names and texts of a query, not encoded yet. */
type Pairs = readonly (readonly [name: string, text: string])[];

export const queryOf = (pairs: Pairs): string =>
  pairs.map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join('&');

const isList = ({ schema }: Parameter): boolean => typesOf(schema).includes('array');

/** A value as the texts of a parameter; `null` and lists without items are given by leaving it out. */
const textsOf = (value: Json): readonly string[] => {
  if (value === null) return [];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
};

const pairsOf = (name: string, value: Json): Pairs =>
  textsOf(value).map((text): readonly [string, string] => [name, text]);

/** The least that an operation needs in its query: `given` has texts for what must mean something. */
export const neededQuery = (operation: Operation, given: Readonly<Record<string, string>>): Pairs =>
  operation.parameters
    .filter(({ in: where, required }) => where === 'query' && required)
    .map(({ name }) => [name, given[name] ?? 'a'] as const);

const NUMBER_TEXTS: readonly string[] = [
  ...['', ' ', 'NaN', 'Infinity', '-Infinity', '0x10', '1e3', '1e999', '1.5', '1,5', '1_000', '--1', '٣'],
  ...['99999999999999999999', '9'.repeat(1_000), 'true', 'null', '[1]', '{}', '1;2', "1'"],
];

const FLAG_TEXTS: readonly string[] = ['', 'maybe', '2', '-1', 'null', 'undefined', 'truefalse', '[]', '1.0'];

const ANY_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '../..',
  'ä€😀',
  'x'.repeat(8_000),
  '${secrets.key}',
];

const outOfRange = ({ schema }: Parameter): readonly string[] => {
  const [low, high] = [numberAt(schema['minimum']), numberAt(schema['maximum'])];
  return [...(low === null ? [] : [String(low - 1)]), ...(high === null ? [] : [String(high + 1)])];
};

const strangeTexts = (parameter: Parameter): readonly string[] => {
  const types = typesOf(parameter.schema);
  if (types.includes('integer')) return [...NUMBER_TEXTS, ...outOfRange(parameter)];
  return types.includes('boolean') ? FLAG_TEXTS : ANY_TEXTS;
};

const faultAt = (name: string): Expectation => ({
  kind: 'refused',
  fault: { where: 'query', path: [name] },
});
const openAt = (name: string): Expectation => ({ kind: 'open', value: { where: 'query', path: [name] } });

interface Maker {
  readonly base: Pairs;
  readonly isValid: IsValidText;
}

const without = (base: Pairs, name: string): Pairs => base.filter(([given]) => given !== name);

const goodCases = (parameter: Parameter, { base }: Maker): readonly RequestCase[] => {
  const { name, schema, required } = parameter;
  return goodValuesOf(schema).map(({ label, value, isSure }) => ({
    label: `query ${name}: ${label} ${JSON.stringify(value).slice(0, 60)}`,
    isBroken: false,
    // What must be given names something; made-up names name nothing.
    expected: isSure && !required ? { kind: 'taken' } : openAt(name),
    query: queryOf([...without(base, name), ...pairsOf(name, value)]),
  }));
};

const strangeCases = (parameter: Parameter, { base, isValid }: Maker): readonly RequestCase[] =>
  strangeTexts(parameter).map((text) => {
    const isGood = isValid(parameter, text);
    return {
      label: `query ${parameter.name}: ${JSON.stringify(text).slice(0, 60)}`,
      isBroken: !isGood,
      expected: isGood ? openAt(parameter.name) : faultAt(parameter.name),
      query: queryOf([...without(base, parameter.name), [parameter.name, text]]),
    };
  });

const broken = (label: string, query: string, name: string): RequestCase => ({
  label: `query ${label}`,
  isBroken: true,
  expected: faultAt(name),
  query,
});

const formCases = (parameter: Parameter, { base }: Maker): readonly RequestCase[] => {
  const { name, schema, required } = parameter;
  const others = queryOf(without(base, name));
  const text =
    textsOf(goodValuesOf(schema).find(({ value }) => textsOf(value).length > 0)?.value ?? 'a')[0] ?? '';
  const badEscapes = ['%', '%zz', '%ff', '%c0%af'].map((written) =>
    broken(`${name}: ${written}`, `${others}&${name}=${written}`, name),
  );
  const twice = queryOf([...without(base, name), [name, text], [name, text]]);
  return [
    ...badEscapes,
    ...(isList(parameter) ? [] : [broken(`${name} twice`, twice, name)]),
    ...(required ? [broken(`without ${name}`, others, name)] : []),
  ];
};

const UNKNOWN = ['no_such_parameter', 'SIZE', ...INHERITED_NAMES] as const;

const togetherCase = (parameters: readonly Parameter[], base: Pairs): readonly RequestCase[] => {
  const optional = parameters.filter(({ required }) => !required);
  if (optional.length === 0) return [];
  const all = optional.flatMap(({ name, schema }) =>
    pairsOf(name, listAt(schema['examples'])[0] ?? schema['default'] ?? null),
  );
  return [
    {
      label: 'query: everything',
      isBroken: false,
      expected: { kind: 'taken' },
      query: queryOf([...base, ...all]),
    },
  ];
};

/** Requests for every parameter of the query, given, absent, wrong, repeated; and for those that are unknown. */
export const queryCases = (
  operation: Operation,
  base: Pairs,
  isValid: IsValidText,
): readonly RequestCase[] => {
  const parameters = operation.parameters.filter(({ in: where }) => where === 'query');
  const maker: Maker = { base, isValid };
  const start = base.length === 0 ? '' : `${queryOf(base)}&`;
  return [
    ...parameters.flatMap((parameter) => [
      ...goodCases(parameter, maker),
      ...strangeCases(parameter, maker),
      ...formCases(parameter, maker),
    ]),
    ...togetherCase(parameters, base),
    ...UNKNOWN.map((name) => broken(`unknown ${name}`, `${start}${name}=1`, name)),
    broken('unknown with a broken escape', `${start}%zz=1`, '%zz'),
    { label: 'query of separators', isBroken: false, expected: { kind: 'taken' }, query: `&${start}&&` },
  ];
};
