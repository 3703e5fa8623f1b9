import { parseArgs } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { didYouMean } from '../../domain/text/shown.js';
import { type Command, type Given, optionsOf } from './command.js';
import type { Option, Options } from './option.js';

/** `message`: one sentence, with the probable intention. */
interface UsageError {
  readonly message: string;
}

const refuse = (message: string): E.Either<UsageError, never> => E.left({ message });

/** `. Did you mean 'x'?` or empty. */
export const hintOf = (name: string, known: readonly string[], prefix = ''): string => {
  const hint = didYouMean(name, known, prefix);
  return hint === null ? '' : `. ${hint}`;
};

/** Words taken as the value of a boolean option; after `=` every spelling is. */
const BOOLEAN_WORD = /^(true|false|yes|no|on|off)$/i;

/** Negative numbers and a lone dash are values. */
const LOOKS_LIKE_OPTION = /^-(?![\d.]|$)/;

/** Help wins over any other problem of the command line. */
export const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
};

interface Collected {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

const tokensOf = (args: readonly string[], options: Options) =>
  parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { takes, short }]) => [
        name,
        {
          type: takes === 'value' ? ('string' as const) : ('boolean' as const),
          multiple: true,
          ...(short === undefined ? {} : { short }),
        },
      ]),
    ),
  }).tokens;

const textOf = (
  option: Option<unknown>,
  token: {
    readonly rawName: string;
    readonly value?: string | undefined;
    readonly inlineValue?: boolean | undefined;
  },
): E.Either<UsageError, string> => {
  const { rawName, value, inlineValue } = token;
  if (option.takes === 'value') {
    const isMissing = value === undefined || (inlineValue !== true && LOOKS_LIKE_OPTION.test(value));
    return isMissing ? refuse(`${rawName} needs a value: ${rawName} ${option.placeholder}`) : E.right(value);
  }
  if (option.takes === 'count' && value !== undefined) return refuse(`${rawName} takes no value`);
  return E.right(value ?? 'true');
};

const collect = (args: readonly string[], options: Options): E.Either<UsageError, Collected> => {
  const texts = new Map<string, string[]>();
  const positionals: string[] = [];
  const tokens = tokensOf(args, options);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      positionals.push(token.value);
      continue;
    }
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) {
      const known = Object.keys(options);
      return refuse(`unknown option '${token.rawName}'${hintOf(token.name, known, '--')}`);
    }
    const text = textOf(option, token);
    if (E.isLeft(text)) return text;
    const next = tokens[i + 1];
    const isWordNext =
      option.takes === 'boolean' &&
      token.value === undefined &&
      next?.kind === 'positional' &&
      next.index === token.index + 1 &&
      BOOLEAN_WORD.test(next.value);
    if (isWordNext) i++;
    const given = isWordNext ? next.value : text.right;
    texts.set(token.name, [...(texts.get(token.name) ?? []), given]);
  }
  return E.right({ texts, positionals });
};

export const parseArguments = <O extends Options>(
  command: Command<O>,
  args: readonly string[],
): E.Either<UsageError, Given<O>> => {
  const options = optionsOf(command);
  const collected = collect(args, options);
  if (E.isLeft(collected)) return collected;
  const { texts } = collected.right;
  const named = options === command.options ? [] : (texts.get('path') ?? []);
  const positionals = [...collected.right.positionals, ...named];
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries<Option<unknown>>(options)) {
    const given = texts.get(name);
    if (given === undefined) continue;
    const read = option.read(given);
    if (E.isLeft(read)) return refuse(`--${name} ${read.left}`);
    values[name] = read.right;
  }
  const missing = command.needs?.find((name) => values[name] === undefined);
  if (missing !== undefined) {
    return refuse(`--${missing} is required: --${missing} ${options[missing]?.placeholder ?? ''}`);
  }
  const { usage, min, max } = command.positionals;
  if (positionals.length < min) return refuse(`${usage} is missing`);
  const extra = positionals[max];
  if (extra !== undefined) return refuse(`unexpected argument '${extra}'`);
  return E.right({ options: values as Given<O>['options'], positionals });
};
