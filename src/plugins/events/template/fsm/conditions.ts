import type { Json } from '../../../../domain/json.js';
import { SearchTooLarge } from '../../../../regex/regex.js';
import {
  asIndex,
  equals,
  fromJson,
  iterate,
  type PyDateTime,
  PyDict,
  PyFloat,
  raise,
  repr,
  spend,
  TemplateObject,
  typeName,
  type Value,
} from '../../../../template/index.js';
import type { StateObject } from '../state.js';
import {
  type Components,
  type Condition,
  compileMatch,
  conditionFieldName,
  type StateName,
} from './conditionShape.js';

/** States, and the next timestamp. */
export interface Scene {
  readonly state: (scope: StateName) => StateObject;
  readonly timestamp: PyDateTime;
  readonly tags: readonly string[];
  /** What the timestamp observes. Null when it observes nothing. */
  readonly activity: Value;
}

/** `warn` gets a sentence if a field cannot be compared. */
export type ConditionCheck = (scene: Scene, warn: (sentence: string) => void) => boolean;

/** A string: why the values cannot be compared. */
type Comparison = (value: Value) => boolean | string;

const lengthOf = (value: Value): number | undefined => {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return value instanceof TemplateObject ? value.size() : undefined;
};

const numberOf = (value: Value): number | undefined => {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof PyFloat) return value.value;
  return typeof value === 'number' ? value : asIndex(value);
};

type Order = (left: number, right: number) => boolean;
const ORDERS: Readonly<Record<'eq' | 'gt' | 'ge' | 'lt' | 'le', Order>> = {
  eq: (left, right) => left === right,
  gt: (left, right) => left > right,
  ge: (left, right) => left >= right,
  lt: (left, right) => left < right,
  le: (left, right) => left <= right,
};

const byNumber =
  (order: Order, limit: number): Comparison =>
  (value) => {
    const number = numberOf(value);
    return number === undefined ? `is ${typeName(value)}, not a number` : order(number, limit);
  };

const byLength =
  (order: Order, limit: number): Comparison =>
  (value) => {
    const length = lengthOf(value);
    return length === undefined ? `is ${typeName(value)} and has no length` : order(length, limit);
  };

const holds =
  (wanted: Value): Comparison =>
  (value) => {
    if (typeof value === 'string')
      return typeof wanted === 'string'
        ? value.includes(wanted)
        : `is a string and cannot contain ${repr(wanted)}`;
    if (value instanceof PyDict) return value.has(wanted);
    const isList =
      Array.isArray(value) || (value instanceof TemplateObject && value.iterator() !== undefined);
    if (!isList) return `is ${typeName(value)} and contains nothing`;
    for (const item of iterate(value)) if (equals(item, wanted)) return true;
    return false;
  };

const isIn = (container: Json): Comparison => {
  if (typeof container === 'string')
    return (value) =>
      typeof value === 'string' ? container.includes(value) : `is ${typeName(value)}, not a string`;
  const items = Array.isArray(container) ? (container as readonly Json[]).map(fromJson) : [];
  return (value) => items.some((item) => equals(item, value));
};

/** Engine steps per budget step. */
const STEPS_PER_STEP = 16;
const meter = (steps: number): void => spend(steps / STEPS_PER_STEP);

const matching = (source: string): Comparison => {
  const matches = compileMatch(source);
  // The declaration has compiled it.
  if (typeof matches === 'string') return () => matches;
  return (value) => {
    if (typeof value !== 'string') return `is ${typeName(value)}, not a string`;
    try {
      return matches(value, meter);
    } catch (thrown) {
      if (!(thrown instanceof SearchTooLarge)) throw thrown;
      return raise('LimitError', 'matches: the text is too long for the pattern');
    }
  };
};

const only = <A>(params: Readonly<Record<string, A>>): readonly [string, A] => {
  const [entry] = Object.entries(params);
  if (entry === undefined) throw new Error('a condition without a field passed its declaration');
  return entry;
};

/** Returns a reader of a field. It returns undefined when there is no such key. */
const reader = (name: string): ((scene: Scene) => Value | undefined) => {
  const field = conditionFieldName(name);
  if (field === null) throw new Error(`'${name}' passed for a field`);
  const { scope, key } = field;
  if (scope === 'activity') {
    const keys = key.split('.');
    return ({ activity }) =>
      keys.reduce<Value | undefined>(
        (value, one) => (value instanceof PyDict ? value.get(one) : undefined),
        activity,
      );
  }
  return (scene) => scene.state(scope).store.get(key);
};

const comparing = <A>(
  kind: string,
  params: Readonly<Record<string, A>>,
  comparison: (wanted: A) => Comparison,
): ConditionCheck => {
  const [name, wanted] = only(params);
  const read = reader(name);
  const compare = comparison(wanted);
  return (scene, warn) => {
    const value = read(scene) ?? null;
    const found = value === null ? 'is missing or null' : compare(value);
    if (typeof found === 'boolean') return found;
    warn(`${kind}: ${name} ${found}`);
    return false;
  };
};

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'] as const;

const daysIn = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/**
 * Compares the timestamp with itself with some parts replaced, on the generator's wall clock. A missing day
 * becomes the last of the month.
 */
const against =
  (components: Components): ((timestamp: PyDateTime) => number) =>
  (timestamp) => {
    const now = PARTS.map((part) => Number(timestamp.attribute(part)));
    const then = PARTS.map((part, index) => components[part] ?? now[index] ?? 0);
    const [year = 1, month = 1, day = 1] = then;
    then[2] = Math.min(day, daysIn(year, month));
    const at = now.findIndex((value, index) => value !== then[index]);
    return at < 0 ? 0 : (now[at] ?? 0) - (then[at] ?? 0);
  };

export const compileCondition = (condition: Condition): ConditionCheck => {
  const { kind, params } = condition;
  switch (kind) {
    case 'eq':
      return comparing(kind, params, (wanted) => {
        const value = fromJson(wanted);
        return (found) => equals(found, value);
      });
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return comparing(kind, params, (wanted) => byNumber(ORDERS[kind], wanted));
    case 'len_eq':
      return comparing(kind, params, (wanted) => byLength(ORDERS.eq, wanted));
    case 'len_gt':
      return comparing(kind, params, (wanted) => byLength(ORDERS.gt, wanted));
    case 'len_ge':
      return comparing(kind, params, (wanted) => byLength(ORDERS.ge, wanted));
    case 'len_lt':
      return comparing(kind, params, (wanted) => byLength(ORDERS.lt, wanted));
    case 'len_le':
      return comparing(kind, params, (wanted) => byLength(ORDERS.le, wanted));
    case 'contains':
      return comparing(kind, params, (wanted) => holds(fromJson(wanted)));
    case 'in':
      return comparing(kind, params, isIn);
    case 'matches':
      return comparing(kind, params, matching);
    case 'defined': {
      const read = reader(params);
      return (scene) => read(scene) !== undefined;
    }
    case 'has_tags':
      return ({ tags }) => params.every((tag) => tags.includes(tag));
    case 'before': {
      const compare = against(params);
      return ({ timestamp }) => compare(timestamp) < 0;
    }
    case 'after': {
      const compare = against(params);
      return ({ timestamp }) => compare(timestamp) >= 0;
    }
    case 'always':
      return () => true;
    case 'never':
      return () => false;
    case 'or': {
      const checks = params.map(compileCondition);
      return (scene, warn) => checks.some((check) => check(scene, warn));
    }
    case 'and': {
      const checks = params.map(compileCondition);
      return (scene, warn) => checks.every((check) => check(scene, warn));
    }
    case 'not': {
      const check = compileCondition(params);
      return (scene, warn) => !check(scene, warn);
    }
  }
};
