import type { Random } from '../../domain/random/random.js';
import { Namespace } from '../runtime/macro.js';
import { RANGE } from '../runtime/runtime.js';
import { native } from '../values/calls/method.js';
import { raise } from '../values/fault.js';
import { truthy } from '../values/operations/truth.js';
import { fillDict, PyDict } from '../values/types/dict.js';
import { type Callable, type Kwargs, orElse, TemplateObject, type Value } from '../values/value.js';
import { lipsum } from './lipsum.js';

class Cycler extends TemplateObject {
  private position = 0;

  constructor(private readonly choices: readonly Value[]) {
    super();
  }
  get typeName(): string {
    return 'Cycler';
  }
  private readonly next: Callable = () => {
    const value = this.choices[this.position] ?? null;
    this.position = (this.position + 1) % this.choices.length;
    return value;
  };
  private readonly reset: Callable = () => {
    this.position = 0;
    return null;
  };
  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'next':
        return this.next;
      case 'reset':
        return this.reset;
      case 'current':
        return this.choices[this.position];
      case 'items':
        return [...this.choices];
      case 'pos':
        return this.position;
      default:
        return undefined;
    }
  }
}

/** `joiner(separator)`: empty at the first call, then the separator. */
class Joiner extends TemplateObject {
  private isUsed = false;

  constructor(private readonly separator: Value) {
    super();
  }
  get typeName(): string {
    return 'Joiner';
  }
  override isCallable(): boolean {
    return true;
  }
  override call(): Value {
    const separator = this.isUsed ? this.separator : '';
    this.isUsed = true;
    return separator;
  }
}

const dict = (args: readonly Value[], kwargs: Kwargs | null): PyDict => {
  if (args.length > 1) return raise('TypeError', `dict expected at most 1 argument, got ${args.length}`);
  return fillDict(new PyDict(), args[0], kwargs);
};

export const makeGlobals = (random: () => Random): ReadonlyMap<string, Value> =>
  new Map<string, Value>([
    ['range', RANGE],
    ['dict', dict],
    ['namespace', (args, kwargs) => new Namespace(dict(args, kwargs))],
    [
      'cycler',
      (args) =>
        args.length === 0 ? raise('RuntimeError', 'at least one item has to be provided') : new Cycler(args),
    ],
    [
      'joiner',
      (args, kwargs) =>
        new Joiner(
          orElse<Value>(
            orElse(args[0], () => kwargs?.get('sep')),
            () => ', ',
          ),
        ),
    ],
    [
      'lipsum',
      native('lipsum(n=5, html=True, min=20, max=100)', (...values) => {
        const [count = 5, isHtml = true, min = 20, max = 100] = values;
        return lipsum(random(), Number(count), truthy(isHtml), Number(min), Number(max));
      }),
    ],
  ]);
