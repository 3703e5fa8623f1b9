import {
  type DictShape,
  dateTimeAt,
  floatOf,
  hasKeys,
  knownShape,
  PyDict,
  type PyTzinfo,
  raise,
  shapeOf,
  type Value,
} from '../../../template/index.js';
import type { Activity } from '../../../world/activity/kinds.js';

/** A dict that templates cannot change: all events of a world share its people and hosts. */
class FrozenDict extends PyDict {
  override set(): never {
    return raise('TypeError', "an activity is read-only. Copy it first, with 'dict(...)'");
  }
  override delete(): never {
    return this.set();
  }
  override clear(): never {
    return this.set();
  }
}

type Plain = Readonly<Record<string, unknown>>;

const ACTIVITY_KEYS = [
  'id',
  'at',
  'kind',
  'person',
  'host',
  'session',
  'facts',
  'cause',
  'truth',
] as const satisfies readonly (keyof Activity)[];

const shapeFor = (keys: readonly string[]): DictShape => {
  const shape = shapeOf(keys);
  if (shape === null) throw new Error('names of fields are different strings');
  return shape;
};

/** Shapes of records, found by their keys: those of a kind are nearly always the same. */
const recordShapes = () => {
  const byKind = new Map<string, DictShape>();
  return (kind: string, keys: readonly string[]): DictShape => {
    const last = byKind.get(kind);
    if (last !== undefined && hasKeys(last, keys)) return last;
    const shape = knownShape(keys) ?? shapeFor(keys);
    byKind.set(kind, shape);
    return shape;
  };
};

/** Makes the `activity` of templates. People, hosts and the like are converted once. */
export const activityValues = (zone: PyTzinfo): ((activity: Activity) => Value) => {
  const shapeOfKeys = recordShapes();
  const activityShape = shapeFor(ACTIVITY_KEYS);
  const known = new WeakMap<object, PyDict>();

  const recordOf = (kind: string, given: Plain): PyDict => {
    const keys = Object.keys(given);
    const items: Value[] = [];
    for (const key of keys) items.push(plainValue(given[key]));
    return new FrozenDict(shapeOfKeys(kind, keys), items);
  };

  const entityOf = (given: object): PyDict => {
    const old = known.get(given);
    if (old !== undefined) return old;
    const made = recordOf('', given as Plain);
    known.set(given, made);
    return made;
  };

  const plainValue = (given: unknown): Value => {
    switch (typeof given) {
      case 'string':
      case 'boolean':
        return given;
      case 'number':
        return Number.isSafeInteger(given) ? given : floatOf(given);
      case 'object':
        if (given === null) return null;
        return Array.isArray(given) ? given.map(plainValue) : entityOf(given);
      default:
        return null;
    }
  };

  return ({ id, at, kind, person, host, session, facts, cause, truth }) =>
    new FrozenDict(activityShape, [
      id,
      dateTimeAt(at, zone),
      kind,
      person === null ? null : entityOf(person),
      host === null ? null : entityOf(host),
      session,
      recordOf(kind, facts),
      cause,
      truth === null ? null : entityOf(truth),
    ]);
};
