import {
  type Callable,
  call,
  type Kwargs,
  native,
  PyDict,
  raise,
  str,
  TemplateObject,
  typeName,
  type Value,
} from '../../../../template/index.js';

export interface Store {
  /** Returns undefined when there is no such key. */
  readonly get: (key: Value) => Value | undefined;
  readonly set: (key: Value, value: Value) => void;
  readonly delete: (key: Value) => Value | undefined;
  readonly clear: () => void;
  readonly copy: () => PyDict;
}

/** `locals` and `shared`: values by reference, so lists change in place. */
export const dictStore = (dict: PyDict): Store => ({
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
    readonly store: Store,
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
    return method === undefined ? call(this.item(name), args, kwargs) : method(args, kwargs);
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
