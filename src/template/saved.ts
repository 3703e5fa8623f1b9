import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { PyDate } from './modules/datetime/date.js';
import { PyDateTime } from './modules/datetime/dateTime.js';
import { zoneValue } from './modules/datetime/module.js';
import { PyTime } from './modules/datetime/time.js';
import { PyTimedelta } from './modules/datetime/timedelta.js';
import { PyFixedZone, PyTzinfo, PyZone, UTC_ZONE } from './modules/datetime/zones.js';
import { PyMarkup } from './text/markupValue.js';
import { PyBytes } from './values/types/bytes.js';
import { PyDict } from './values/types/dict.js';
import { MarkupText } from './values/types/markup.js';
import { PyTuple } from './values/types/sequences.js';
import { PySet } from './values/types/set.js';
import { Undefined, undefinedBecause } from './values/types/undefined.js';
import { floatOf, floatValue, TemplateObject, typeName, type Value } from './values/value.js';

/**
 * Saves values as JSON for checkpoints. Plain values map to JSON; others become `{"$": [kind, parts]}`, e.g.
 * `{"$": ["tuple", [1, 2]]}`. A list referenced twice is saved twice.
 */

export interface SavedKind {
  readonly name: string;
  /** The parts of a value; `undefined` for another kind. */
  readonly parts: (value: TemplateObject) => readonly Value[] | undefined;
  readonly make: (parts: readonly Value[]) => Value;
}

const TAG = '$';
/** Nesting limit; also catches values that contain themselves. */
const MAX_DEPTH = 100;
/** Limit of values in one state; keeps a save within milliseconds. */
const MAX_VALUES = 1_000_000;

const tagged = (kind: string, parts: Json): Json => ({ [TAG]: [kind, parts] });

/** Keys that a JavaScript object keeps in order and that are not the tag. */
const isPlainKey = (key: Value): key is string => typeof key === 'string' && /^[^\d$]/.test(key);

const zoneParts = (zone: PyTzinfo | null): Json => {
  if (zone === null) return null;
  if (zone instanceof PyZone) return zone.zone.id;
  return zone instanceof PyFixedZone ? [zone.offset, zone.label] : null;
};

/** Kind and parts of a built-in object; `undefined` for others. */
const ownParts = (value: TemplateObject): readonly [kind: string, parts: Json] | undefined => {
  const float = floatValue(value);
  if (float !== undefined) return ['float', String(Object.is(float, -0) ? '-0' : float)];
  if (value instanceof PyDateTime)
    return ['datetime', [value.day, value.micros, zoneParts(value.zone), value.fold]];
  if (value instanceof PyDate) return ['date', value.day];
  if (value instanceof PyTime) return ['time', [value.micros, zoneParts(value.zone), value.fold]];
  if (value instanceof PyTimedelta) return ['timedelta', [value.days, value.micros]];
  if (value instanceof PyTzinfo) return ['zone', zoneParts(value)];
  if (value instanceof PyBytes) return ['bytes', Buffer.from(value.bytes).toString('base64')];
  if (value instanceof MarkupText) return ['markup', value.value];
  return value instanceof Undefined ? ['undefined', null] : undefined;
};

/** Throws an `Error` with the path for macros, functions, modules, deep nesting and cycles. */
export const saveValue = (value: Value, place: string, kinds: readonly SavedKind[] = []): Json => {
  let count = 0;

  const all = (items: Iterable<Value>, at: string, depth: number): Json[] => {
    const saved: Json[] = [];
    for (const item of items) saved.push(save(item, `${at}[${saved.length}]`, depth));
    return saved;
  };

  const dict = (given: PyDict, at: string, depth: number): Json => {
    const pairs = given.pairList();
    if (pairs.every(([key]) => isPlainKey(key))) {
      return Object.fromEntries(
        pairs.map(([key, item]) => [key, save(item, `${at}.${String(key)}`, depth)] as [string, Json]),
      );
    }
    return tagged(
      'dict',
      pairs.map(([key, item]) => [save(key, at, depth), save(item, at, depth)]),
    );
  };

  const object = (given: TemplateObject, at: string, depth: number): Json => {
    if (given instanceof PyDict) return dict(given, at, depth);
    for (const { name, parts } of kinds) {
      const found = parts(given);
      if (found !== undefined) return tagged(name, all(found, at, depth));
    }
    if (given instanceof PyTuple) return tagged('tuple', all(given.items, at, depth));
    if (given instanceof PySet) return tagged('set', all(given.members.keys(), at, depth));
    const own = ownParts(given);
    if (own !== undefined) return tagged(...own);
    throw new Error(`${at}: cannot save a value of type ${typeName(given)}`);
  };

  const save = (given: Value, at: string, depth: number): Json => {
    if (++count > MAX_VALUES) throw new Error(`${place} holds more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) throw new Error(`${at.slice(0, 60)} is nested too deeply or contains itself`);
    if (typeof given === 'bigint') return tagged('int', String(given));
    if (typeof given === 'number') return Number.isFinite(given) ? given : tagged('float', String(given));
    if (typeof given === 'function') throw new Error(`${at}: cannot save a function`);
    if (Array.isArray(given)) return all(given, at, depth + 1);
    return given instanceof TemplateObject ? object(given, at, depth + 1) : given;
  };
  return save(value, place, 0);
};

const wrongForm = (): never => {
  throw new Error('a saved value is malformed');
};

const numberIn = (value: Json | undefined): number => (typeof value === 'number' ? value : wrongForm());
const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : wrongForm());
const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : wrongForm();

const zoneIn = (value: Json | undefined): PyTzinfo | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return zoneValue(value) ?? wrongForm();
  const [offset, label] = listIn(value);
  const seconds = numberIn(offset);
  return seconds === 0 && label === null
    ? UTC_ZONE
    : new PyFixedZone(seconds, typeof label === 'string' ? label : null);
};

const MAKERS: Readonly<Record<string, (parts: Json | undefined) => Value>> = {
  float: (parts) => floatOf(Number(textIn(parts))),
  int: (parts) => BigInt(textIn(parts)),
  datetime: (parts) => {
    const [day, micros, zone, fold] = listIn(parts);
    return new PyDateTime(numberIn(day), numberIn(micros), zoneIn(zone), numberIn(fold));
  },
  date: (parts) => new PyDate(numberIn(parts)),
  time: (parts) => {
    const [micros, zone, fold] = listIn(parts);
    return new PyTime(numberIn(micros), zoneIn(zone), numberIn(fold));
  },
  timedelta: (parts) => {
    const [days, micros] = listIn(parts);
    return new PyTimedelta(numberIn(days), numberIn(micros));
  },
  zone: (parts) => zoneIn(parts) ?? wrongForm(),
  bytes: (parts) => new PyBytes(Uint8Array.from(Buffer.from(textIn(parts), 'base64'))),
  markup: (parts) => new PyMarkup(textIn(parts)),
  undefined: () => undefinedBecause('the value was undefined when the state was saved'),
};

/** Restores a saved value. Throws an `Error` if the JSON is not from `saveValue`. */
export const restoreValue = (saved: Json, kinds: readonly SavedKind[] = []): Value => {
  const restore = (json: Json): Value => {
    if (Array.isArray(json)) return (json as readonly Json[]).map(restore);
    if (typeof json !== 'object' || json === null) return json;
    if (!isJsonObject(json)) return wrongForm();
    return Object.hasOwn(json, TAG) ? special(json) : dictOf(Object.entries(json));
  };
  const dictOf = (pairs: readonly (readonly [Json, Json])[]): PyDict => {
    const dict = new PyDict();
    for (const [key, item] of pairs) dict.set(restore(key), restore(item));
    return dict;
  };
  const special = (json: JsonObject): Value => {
    const [kind, parts] = listIn(json[TAG]);
    const name = textIn(kind);
    const added = kinds.find((one) => one.name === name);
    if (added !== undefined) return added.make(listIn(parts).map(restore));
    if (name === 'tuple') return new PyTuple(listIn(parts).map(restore));
    if (name === 'set') return new PySet(listIn(parts).map(restore));
    if (name === 'dict')
      return dictOf(
        listIn(parts).map((pair): readonly [Json, Json] => {
          const [key = null, item = null] = listIn(pair);
          return [key, item];
        }),
      );
    return (MAKERS[name] ?? wrongForm)(parts);
  };
  return restore(saved);
};
