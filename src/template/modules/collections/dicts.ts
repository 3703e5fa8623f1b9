import { callMethodOf, type Methods, methodOf, methods } from '../../values/calls/method.js';
import { raise } from '../../values/fault.js';
import { guarded, repr } from '../../values/operations/print.js';
import { truthy } from '../../values/operations/truth.js';
import { fillDict, PyDict } from '../../values/types/dict.js';
import { PyTuple } from '../../values/types/tuple.js';
import { call, type Kwargs, type Value } from '../../values/value.js';

export class PyOrderedDict extends PyDict {
  override get typeName(): string {
    return 'collections.OrderedDict';
  }
  override attribute(name: string): Value | undefined {
    return methodOf(ORDERED_METHODS, this, name) ?? super.attribute(name);
  }
  override get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return undefined;
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const own = callMethodOf(ORDERED_METHODS, this, name, args, kwargs);
    return own === undefined ? super.callMethod(name, args, kwargs) : own;
  }
  override copy(): PyOrderedDict {
    return fillDict(new PyOrderedDict(), this, null);
  }
  override repr(): string {
    if (this.count === 0) return 'OrderedDict()';
    return guarded(
      this,
      '...',
      () => `OrderedDict(${repr(this.pairList().map((pair) => new PyTuple(pair)))})`,
    );
  }
  override equals(other: Value): boolean {
    if (!super.equals(other)) return false;
    if (!(other instanceof PyOrderedDict)) return true;
    return repr([...this.keys()]) === repr([...other.keys()]);
  }
}

const ORDERED_METHODS: Methods<PyOrderedDict> = methods<PyOrderedDict>({
  'copy()': (self) => self.copy(),
  'move_to_end(key, last=True)': (self, key, last) => {
    const value = self.delete(key);
    if (value === undefined) return raise('KeyError', repr(key));
    const others = truthy(last) ? [] : self.pairList();
    if (others.length > 0) self.clear();
    self.set(key, value);
    for (const [other, kept] of others) self.set(other, kept);
    return null;
  },
  'popitem(last=True)': (self, last) => {
    const pair = self.pairList().at(truthy(last) ? -1 : 0);
    if (pair === undefined) return raise('KeyError', "'dictionary is empty'");
    self.delete(pair[0]);
    return new PyTuple(pair);
  },
});

class PyDefaultDict extends PyDict {
  factory: Value = null;

  override get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return undefined;
  }
  override get typeName(): string {
    return 'collections.defaultdict';
  }
  override attribute(name: string): Value | undefined {
    return name === 'default_factory' ? this.factory : super.attribute(name);
  }
  override item(key: Value): Value | undefined {
    const value = super.item(key);
    if (value !== undefined || this.factory === null || Array.isArray(key)) return value;
    const made = call(this.factory, [], null);
    this.set(key, made);
    return made;
  }
  override copy(): PyDefaultDict {
    const copy = new PyDefaultDict();
    copy.factory = this.factory;
    return fillDict(copy, this, null) as PyDefaultDict;
  }
  override repr(): string {
    return `defaultdict(${repr(this.factory)}, ${super.repr()})`;
  }
}

export const makeDefaultDict = (args: readonly Value[], kwargs: Kwargs | null): PyDefaultDict => {
  const [factory = null, source, ...more] = args;
  const isCallable =
    factory === null ||
    typeof factory === 'function' ||
    (typeof factory === 'object' && !Array.isArray(factory) && factory.isCallable());
  if (!isCallable) return raise('TypeError', 'first argument must be callable or None');
  if (more.length > 0) return raise('TypeError', `dict expected at most 1 argument, got ${args.length - 1}`);
  const dict = new PyDefaultDict();
  dict.factory = factory;
  return fillDict(dict, source, kwargs) as PyDefaultDict;
};
