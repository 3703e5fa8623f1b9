import type { GlobalsReader, GlobalsView } from '../../../domain/globals/globals.js';
import type { Json } from '../../../domain/json.js';
import {
  type Callable,
  callValue,
  fromJson,
  type Kwargs,
  native,
  PyDict,
  raise,
  str,
  TemplateObject,
  toJson,
  typeName,
  type Value,
} from '../../../template/index.js';

interface StateStore {
  /** Returns undefined when there is no such key. */
  readonly get: (key: Value) => Value | undefined;
  readonly set: (key: Value, value: Value) => void;
  readonly delete: (key: Value) => Value | undefined;
  readonly clear: () => void;
  readonly copy: () => PyDict;
}

/** `locals` and `shared`: values by reference, so lists change in place. */
export const dictStore = (dict: PyDict): StateStore => ({
  get: (key) => dict.get(key),
  set: (key, value) => void dict.set(key, value),
  delete: (key) => dict.delete(key),
  clear: () => dict.clear(),
  copy: () => dict.copy(),
});

/** `state.key` and `state['key']` are `get('key')`: None if missing. After a dot, methods come first. */
export class StateObject extends TemplateObject {
  /** Created once for all calls. */
  private readonly methods: ReadonlyMap<string, Callable>;

  constructor(
    private readonly scope: string,
    readonly store: StateStore,
    more: Readonly<Record<string, Callable>> = {},
  ) {
    super();
    this.methods = new Map(
      Object.entries({
        get: native('get(key, default=None)', (key = null, fallback = null) => {
          const value = store.get(key);
          return value === undefined ? fallback : value;
        }),
        set: native('set(key, value)', (key = null, value = null) => {
          store.set(key, value);
          return null;
        }),
        update: native('update(object)', (values = null) => {
          for (const [key, value] of dictOf(values).pairList()) store.set(key, value);
          return null;
        }),
        pop: native('pop(key, default=None)', (key = null, fallback = null) => {
          const value = store.delete(key);
          return value === undefined ? fallback : value;
        }),
        clear: native('clear()', () => {
          store.clear();
          return null;
        }),
        as_dict: native('as_dict()', () => store.copy()),
        ...more,
      }),
    );
  }
  get typeName(): string {
    return this.scope;
  }
  /** For docs; templates do not see it. */
  get methodNames(): readonly string[] {
    return [...this.methods.keys()];
  }
  override attribute(name: string): Value | undefined {
    return this.methods.get(name) ?? this.item(name);
  }
  override fixedMethod(name: string): Value | undefined {
    return this.methods.get(name);
  }
  override get chargesCalls(): boolean {
    return false;
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    // Fast path of the most common call.
    if (name === 'get' && kwargs === null && args.length === 2) {
      const [key = null, fallback] = args;
      const value = this.store.get(key);
      return value === undefined ? fallback : value;
    }
    const method = this.methods.get(name);
    return method === undefined ? callValue(this.item(name), args, kwargs) : method(args, kwargs);
  }
  override item(key: Value): Value {
    return this.store.get(key) ?? null;
  }
  override iterator(): Iterator<Value> {
    return this.store.copy().iterator();
  }
  override contains(key: Value): boolean {
    return this.store.get(key) !== undefined;
  }
  override truthy(): boolean {
    return true;
  }
  override repr(): string {
    return str(this.store.copy());
  }
}

const dictOf = (values: Value): PyDict =>
  values instanceof PyDict
    ? values
    : raise('TypeError', `update() takes an object of values, not ${typeName(values)}`);

const keyOf = (key: Value): string =>
  typeof key === 'string' ? key : raise('TypeError', `keys of globals are strings, not ${typeName(key)}`);

/** A refusal by the scenario (too large, wrong type) as a template error. */
const refusing = <A>(change: () => A): A => {
  try {
    return change();
  } catch (thrown) {
    return raise('ValueError', thrown instanceof Error ? thrown.message : String(thrown));
  }
};

const snapshotOf = (values: Readonly<Record<string, Json>>): PyDict => {
  const dict = new PyDict();
  for (const [key, value] of Object.entries(values)) dict.set(key, fromJson(value));
  return dict;
};

/** Values are JSON shared with scripts and the API: templates get copies of lists and objects. */
const globalsStore = (view: GlobalsView): StateStore => ({
  get: (key) => {
    const name = keyOf(key);
    const value = view.get(name);
    return value === null && !view.has(name) ? undefined : fromJson(value);
  },
  set: (key, value) => {
    const name = keyOf(key);
    refusing(() => view.set(name, toJson(value)));
  },
  delete: (key) => {
    const name = keyOf(key);
    const value = fromJson(view.get(name));
    return view.delete(name) ? value : undefined;
  },
  clear: () => {
    for (const key of Object.keys(view.snapshot())) view.delete(key);
  },
  copy: () => snapshotOf(view.snapshot()),
});

/** Another scenario of the generator: read only. */
const readerStore = (reader: GlobalsReader): StateStore => {
  const refuse = (): never =>
    raise('TypeError', 'the globals of another scenario are read-only: write to those of your own scenario');
  return {
    get: (key) => {
      const name = keyOf(key);
      return reader.has(name) ? fromJson(reader.get(name)) : undefined;
    },
    set: refuse,
    delete: refuse,
    clear: refuse,
    copy: () => snapshotOf(reader.snapshot()),
  };
};

export interface TemplateGlobals {
  readonly object: StateObject;
  /** Releases what the render acquired. */
  readonly endOfRender: () => void;
}

/** Renders are never interrupted: `acquire` and `release` only count, and leave no lock after an error. */
export const templateGlobals = (view: GlobalsView): TemplateGlobals => {
  let held = 0;
  const more: Readonly<Record<string, Callable>> = {
    acquire: native('acquire()', () => {
      held++;
      return true;
    }),
    release: native('release()', () => {
      if (held === 0) return raise('RuntimeError', 'release() without acquire()');
      held--;
      return null;
    }),
    increment: native('increment(key, by=1)', (key = null, by = 1) => {
      const name = keyOf(key);
      const amount = toJson(by);
      if (typeof amount !== 'number')
        return raise('TypeError', `increment() adds a number, not ${typeName(by)}`);
      return refusing(() => fromJson(view.increment(name, amount)));
    }),
    scenario: native('scenario(name)', (name = null) => {
      const reader = view.scenario(keyOf(name));
      return reader === undefined
        ? raise('KeyError', `the generator is not in the scenario '${keyOf(name)}'`)
        : new StateObject('globals', readerStore(reader));
    }),
  };
  return {
    object: new StateObject('globals', globalsStore(view), more),
    endOfRender: () => {
      held = 0;
    },
  };
};
