import type { Operation, Parameter } from '../document.js';
import { INHERITED_NAMES } from '../values/badValues.js';
import { numberAt } from '../values/smallest.js';
import { answersWith, type Expectation, type Fault, type RequestCase, TAKEN } from './requestCase.js';

/** Says whether a text is what the schema of a parameter takes. */
export type IsValidText = (parameter: Parameter, text: string) => boolean;

/** Texts as they stand in a URL, to reach files and names that are not to be reached. */
const TRAVERSALS: readonly string[] = [
  ...['..', '.', '...', '%2e%2e', '%2E%2e', '.%2e', '%2e', '..%2f..%2fspate.yml', '%2fetc%2fpasswd'],
  ...['%2e%2e%2f%2e%2e%2fspate.yml', '..%5c..%5cspate.yml', '..;', '%252e%252e%252fspate.yml'],
  ...['C:%5cWindows', '%5c%5chost%5cshare', '~', '-rf', '$HOME', '*', '%2f', '%5c', 'a%2fb', 'a%2f..%2fb'],
  ...['file:%2f%2f%2fetc', '.hidden', '.git', 'con', 'nul.txt', '%e2%80%a5', '%ef%bc%8e%ef%bc%8e'],
];

const CONTROLS: readonly string[] = [
  ...['%00', 'a%00b', 'web%00.yml', '%0a', '%0d%0aSet-Cookie:%20a=b', '%1b', '%7f', '%09', '%20', '+', '%2b'],
];

/** Escapes that are none, and bytes that are no UTF-8. */
const BAD_ESCAPES: readonly string[] = ['%', '%z', '%zz', 'a%2', '%ff', '%c0%af', '%ed%a0%80', '%f8%a1%a1'];

const LONG_NAMES: readonly string[] = [
  ...[128, 129, 255, 256, 1_024, 1_025, 8_000].map((length) => 'n'.repeat(length)),
  '%c3%a9'.repeat(128),
  'p/'.repeat(33),
];

const UNICODE: readonly string[] = [
  '%c3%a4',
  '%f0%9f%98%80',
  '%e2%80%ae',
  '%cc%81',
  '%ef%bb%bf',
  "o'x",
  'a,b',
];

/** A text is decoded once; `null` for a broken escape. */
const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** A path parameter takes the rest of the path when its texts may be longer than one segment can be. */
const spansSlashes = ({ schema }: Parameter): boolean => (numberAt(schema['maxLength']) ?? 0) > 255;

/**
 * Requests that put other texts into each path parameter. A text that the schema takes names something that is
 * not there, or is taken; any other is refused where it stands.
 */
export const pathCases = (operation: Operation, isValid: IsValidText): readonly RequestCase[] =>
  operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap((parameter) => {
      const { name } = parameter;
      const refused: Expectation = { kind: 'refused', fault: { where: 'path', path: [name] } };
      const caseOf = (text: string): RequestCase => {
        const plain = decoded(text);
        const isGood = plain !== null && isValid(parameter, plain);
        // Lengths in bytes are beyond schemas, so that a 422 is possible; it leads to the parameter.
        const value: Fault = { where: 'path', path: [name] };
        const expected: Expectation = isGood ? { kind: 'open', value } : refused;
        return {
          label: `path ${name}: ${text.slice(0, 60)} (${text.length})`,
          isBroken: !isGood,
          expected,
          path: { [name]: text },
        };
      };
      const texts = [
        ...TRAVERSALS,
        ...CONTROLS,
        ...BAD_ESCAPES,
        ...LONG_NAMES,
        ...UNICODE,
        ...INHERITED_NAMES,
      ];
      // A slash in a name that takes none makes another path; only those that take it see it.
      return texts.filter((text) => spansSlashes(parameter) || !text.includes('/')).map(caseOf);
    });

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'] as const;

/**
 * Requests with methods that a path does not have, and those that every path has; `methods` are those of the
 * document.
 */
export const methodCases = (
  methods: readonly string[],
  { method: own, answers }: Operation,
): readonly RequestCase[] => [
  ...METHODS.filter((method) => !methods.includes(method)).map((method) => ({
    label: `method ${method}`,
    isBroken: true,
    expected: answersWith(405),
    method,
  })),
  { label: 'method OPTIONS', isBroken: false, expected: answersWith(204), method: 'OPTIONS' },
  ...(own === 'GET' && answers['101'] === undefined
    ? [{ label: 'method HEAD', isBroken: false, expected: TAKEN, method: 'HEAD' }]
    : []),
];
