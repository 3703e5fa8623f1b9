import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../../domain/json.js';
import { compilePattern } from '../../../../domain/timestamps/pattern.js';
import { boolean, defaulted, listOf, optional, record, required, text } from '../../../../schema/index.js';

const MAX_PATTERN_LENGTH = 4_096;
const MAX_NAMES = 1_000;
const MAX_RULES = 20;

/** A pattern whose group `name` is the name; without one, the whole match is. */
export const compileName = (source: string) =>
  compilePattern(
    /\(\?P?<name>/.test(source)
      ? source.replace(/\(\?P?<name>/, '(?P<timestamp>')
      : `(?P<timestamp>${source})`,
  );

const pattern = text({
  label: 'regular expression',
  minLength: 1,
  maxLength: MAX_PATTERN_LENGTH,
  check: (source) => {
    const compiled = compileName(source);
    return E.isRight(compiled) ? null : { type: 'bad_format', message: compiled.left };
  },
});

const rule = record(
  {
    as: required(text({ label: 'letters, digits, _ or -', pattern: /^[\w-]{1,32}$/ }), {
      help: 'Begins the new names, such as `host-3f2a91c4`. Rules with the same one give a name the same new name.',
      example: 'host',
    }),
    pattern: optional(pattern, {
      help: 'Regular expression with a group `(?P<name>...)` or `(?<name>...)` around the name; without a group, the match is it.',
      example: 'user=(?P<name>\\S+)',
    }),
    list: optional(listOf(text({ minLength: 1, maxLength: 256 }), { min: 1, max: MAX_NAMES }), {
      help: 'Names, wherever they stand as whole words.',
      example: ['web-1', 'web-2'],
    }),
  },
  {
    rules: [
      {
        fields: ['pattern', 'list'],
        check: ({ pattern: given, list }) =>
          (given === null) === (list === null)
            ? {
                at: 'pattern',
                type: 'missing',
                message: 'one of pattern and list is required',
                hint: 'Give one.',
              }
            : null,
      },
    ],
  },
);

export const remapShape = record({
  key: required(text({ minLength: 8, maxLength: 1_024 }), {
    help: 'The same key gives the same replacements, in all runs and generators. Who has it can find the originals.',
    example: 'a text that others do not know',
    secret: true,
  }),
  addresses: defaulted(boolean(), true, {
    help: 'Replace IPv4 and IPv6 addresses; two that share a network share one afterwards, of the same length.',
  }),
  names: defaulted(listOf(rule, { max: MAX_RULES }), [], { help: 'Names of hosts and users to replace.' }),
});

/** Whether a pattern of names may backtrack for hours. */
export const mayNamesBacktrack = (remap: Json | undefined): boolean => {
  const names = isJsonObject(remap) ? remap['names'] : undefined;
  if (!Array.isArray(names)) return false;
  return names.some((each) => {
    const source = isJsonObject(each) ? each['pattern'] : undefined;
    if (typeof source !== 'string') return false;
    const compiled = compileName(source);
    return E.isRight(compiled) && !compiled.right.isLinear;
  });
};
