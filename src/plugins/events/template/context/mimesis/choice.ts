import type { Random } from '../../../../../domain/random.js';
import {
  callValue,
  floatOf,
  HostModule,
  iterate,
  type Kwargs,
  native,
  PyDict,
  PyTuple,
  raise,
  type Value,
} from '../../../../../template/index.js';
import {
  between,
  characters,
  DIGITS,
  LETTERS,
  pick,
  pickMany,
  pickWeighted,
  repeated,
  shuffled,
  wholeBetween,
} from '../faker/draws.js';
import { count, elements, fakeText, flag, givingMembers, real, whole } from '../faker/providers.js';

/** `length` 0: one item; else a collection of the same type. */
const choose = (random: Random, items: Value, length: Value | undefined, isUnique: boolean): Value => {
  const known = elements(items, 'items');
  const amount = count(length, 'length');
  if (amount === 0) return pick(random, known);
  if (isUnique && amount > known.length)
    return raise('ValueError', `cannot pick ${amount} distinct items from ${known.length}`);
  const chosen = isUnique ? shuffled(random, known, amount) : pickMany(random, known, amount);
  if (typeof items === 'string') return chosen.map((each) => fakeText(each, 'an item')).join('');
  return items instanceof PyTuple ? new PyTuple(chosen) : chosen;
};

/** Callable, with itself as a method. */
export class Choice extends HostModule {
  private readonly run: Value;

  constructor(random: Random) {
    const run = native('choice(items, length=0, unique=False)', (items = null, length, isUnique) =>
      choose(random, items, length, flag(isUnique)),
    );
    super('choice', { choice: run });
    this.run = run;
  }
  override call(args: readonly Value[], kwargs: Kwargs | null): Value {
    return callValue(this.run, args, kwargs);
  }
  override isCallable(): boolean {
    return true;
  }
}

const weightsOf = (value: Value | undefined): (readonly [Value, number])[] =>
  value instanceof PyDict
    ? value.pairList().map(([item, weight]) => [item, real(weight, 'a weight')])
    : raise('TypeError', 'choices must be an object of items and their weights');

/** `#` becomes a digit, `@` a letter. */
export const maskedName = (random: Random, mask: string, letter: string, digit: string): string =>
  [...mask]
    .map((each) => {
      if (each === digit) return characters(random, DIGITS, 1);
      return each === letter ? characters(random, LETTERS, 1).toUpperCase() : each;
    })
    .join('');

/** Python's `random` with the additions of mimesis. */
export const mimesisRandomModule = (random: Random): HostModule =>
  new HostModule(
    'mimesis.random',
    new Map(
      givingMembers({
        'random()': () => floatOf(random.next()),
        'randint(a, b)': (a, b) => wholeBetween(random, whole(a, 'a'), whole(b, 'b'), 'randint'),
        'randints(n=1, a=1, b=100)': (n, a, b) =>
          repeated(count(n, 'n'), () => wholeBetween(random, whole(a, 'a'), whole(b, 'b'), 'randints')),
        'uniform(a, b, precision=15)': (a, b, precision) =>
          floatOf(
            Number(
              between(random, real(a, 'a'), real(b, 'b')).toFixed(
                Math.min(15, count(precision, 'precision')),
              ),
            ),
          ),
        'choice(seq)': (items) => pick(random, elements(items, 'seq')),
        'choices(population, k=1)': (items, amount) =>
          pickMany(random, elements(items, 'population'), count(amount, 'k')),
        'sample(population, k)': (items, amount) => choose(random, [...iterate(items ?? null)], amount, true),
        'weighted_choice(choices)': (weights) => pickWeighted(random, weightsOf(weights)),
        'choice_enum_item(enum)': (members) => pick(random, elements(members, 'enum')),
        "generate_string(str_seq='', length=10)": (alphabet, length) =>
          characters(random, fakeText(alphabet, 'str_seq') || LETTERS + DIGITS, count(length, 'length')),
        "generate_string_by_mask(mask='@###', char='@', digit='#')": (mask, letter, digit) =>
          maskedName(random, fakeText(mask, 'mask'), fakeText(letter, 'char'), fakeText(digit, 'digit')),
      }),
    ),
  );
