import type { GlobalsReader, GlobalsView } from '../../../../domain/globals/globals.js';
import type { Json } from '../../../../domain/json.js';
import {
  type Callable,
  fromJson,
  native,
  PyDict,
  raise,
  toJson,
  typeName,
  type Value,
} from '../../../../template/index.js';
import { StateObject, type Store } from './state.js';

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

const dictOf = (values: Readonly<Record<string, Json>>): PyDict => {
  const dict = new PyDict();
  for (const [key, value] of Object.entries(values)) dict.set(key, fromJson(value));
  return dict;
};

/** Values are JSON shared with scripts and the API: templates get copies of lists and objects. */
const globalsStore = (view: GlobalsView): Store => ({
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
  copy: () => dictOf(view.snapshot()),
});

/** Another scenario of the generator: read only. */
const readerStore = (reader: GlobalsReader): Store => {
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
    copy: () => dictOf(reader.snapshot()),
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
