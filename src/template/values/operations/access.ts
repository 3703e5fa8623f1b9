import { raise } from '../../errors.js';
import { charge } from '../../limits.js';
import { TEXT_METHODS } from '../../text/methods.js';
import { indexIn } from '../../text/search.js';
import { callMethodOf, methodOf } from '../methods.js';
import { PyDict } from '../types/dict.js';
import { numberAttribute } from '../types/numberMethods.js';
import { LIST_METHODS } from '../types/sequences.js';
import { Undefined, undefinedAttribute, undefinedItem } from '../types/undefined.js';
import {
  callValue,
  doesKeepNothing,
  floatValue,
  isInt,
  isObject,
  type Kwargs,
  PyFloat,
  TemplateObject,
  typeName,
  type Value,
} from '../value.js';
import { equals } from './compare.js';
import { tryIterate } from './iterate.js';
import { repr } from './print.js';
import { PySlice, sliceItems, subscriptIndexOf, textItem } from './subscript.js';

/** Returns undefined when there is no such attribute. Never reads JavaScript properties. */
const attributeOf = (value: Value, name: string): Value | undefined => {
  switch (typeof value) {
    case 'string':
      return methodOf(TEXT_METHODS, value, name);
    case 'object':
      if (value === null) return undefined;
      if (Array.isArray(value)) return methodOf(LIST_METHODS, value, name);
      return ofObject(value, name);
    case 'number':
    case 'bigint':
    case 'boolean':
      return numberAttribute(value, name);
    default:
      return undefined;
  }
};

const ofObject = (value: TemplateObject, name: string): Value | undefined => {
  const attribute = value.attribute(name);
  return attribute === undefined && value instanceof PyFloat ? numberAttribute(value, name) : attribute;
};

const itemOf = (value: Value, key: Value): Value | undefined => {
  if (typeof value === 'string') return textItem(value, key);
  if (Array.isArray(value)) {
    if (key instanceof PySlice) return sliceItems(value, key);
    const index = subscriptIndexOf(key, value.length);
    return index === null ? undefined : value[index];
  }
  return isObject(value) ? value.item(key) : undefined;
};

/** Attribute, then item, then undefined. */
export const getAttribute = (value: Value, name: string): Value => {
  const attribute = attributeOf(value, name);
  if (attribute !== undefined) return attribute;
  const item = itemOf(value, name);
  return item === undefined ? undefinedAttribute(value, name) : item;
};

/** Item, then attribute of a string key, then undefined. */
export const getItem = (value: Value, key: Value): Value => {
  const item = itemOf(value, key);
  if (item !== undefined) return item;
  if (key instanceof Undefined && !(value instanceof PyDict)) return undefinedItem(value, 'Undefined');
  if (typeof key !== 'string') return undefinedItem(value, repr(key));
  const attribute = attributeOf(value, key);
  return attribute === undefined ? undefinedAttribute(value, key) : attribute;
};

/** TypeError for values without order. */
export const getSlice = (value: Value, slice: PySlice): Value => {
  if (value instanceof Undefined) return value.fail();
  if (!slice.isValid) {
    return raise('TypeError', 'slice indices must be integers or None or have an __index__ method');
  }
  const items = itemOf(value, slice);
  if (items !== undefined) return items;
  if (value instanceof PyDict) return raise('TypeError', "unhashable type: 'slice'");
  return raise('TypeError', `'${typeName(value)}' object is not subscriptable`);
};

export const onlyAttribute = (value: Value, name: string): Value => {
  const attribute = attributeOf(value, name);
  return attribute === undefined ? undefinedAttribute(value, name) : attribute;
};

/** `value.name(...)` without a bound method. */
export const callMethod = (
  value: Value,
  name: string,
  args: readonly Value[],
  kwargs: Kwargs | null,
): Value => {
  let result: Value | undefined;
  if (typeof value === 'string') {
    result = callMethodOf(TEXT_METHODS, value, name, args, kwargs);
  } else if (Array.isArray(value)) result = callMethodOf(LIST_METHODS, value, name, args, kwargs);
  else if (isObject(value)) result = value.callMethod(name, args, kwargs);
  return result === undefined ? callValue(getAttribute(value, name), args, kwargs) : result;
};

export const copyLiteral = (value: Value): Value => {
  if (Array.isArray(value)) return value.map(copyLiteral);
  return value instanceof PyDict ? value.copy() : value;
};

/** Copies lists and dicts for functions that may keep or change them. */
const forTarget = (target: Value, args: readonly Value[]): readonly Value[] =>
  typeof target === 'function' && doesKeepNothing(target) ? args : args.map(copyLiteral);

/** Like `callMethod`, with constant arguments. */
export const callMethodLiteral = (value: Value, name: string, args: readonly Value[]): Value => {
  if (!isObject(value)) return callMethod(value, name, args.map(copyLiteral), null);
  const target = getAttribute(value, name);
  return callValue(target, forTarget(target, args), null);
};

export const callLiteral = (target: Value, args: readonly Value[]): Value =>
  callValue(target, forTarget(target, args), null);

export const contains = (value: Value, needle: Value): boolean => {
  if (typeof value === 'string') {
    charge(value);
    const text =
      typeof needle === 'string'
        ? needle
        : needle instanceof TemplateObject && needle.typeName === 'Markup'
          ? needle.text()
          : null;
    if (text === null) {
      return raise('TypeError', `'in <string>' requires string as left operand, not ${typeName(needle)}`);
    }
    return indexIn(value, text) >= 0;
  }
  if (isObject(value)) {
    const own = value.contains(needle);
    if (own !== undefined) return own;
  }
  const items = tryIterate(value);
  if (items === null) return raise('TypeError', `argument of type '${typeName(value)}' is not iterable`);
  for (const item of items) if (equals(item, needle)) return true;
  return false;
};

export const isNumericText = (value: Value): boolean =>
  typeof value === 'boolean' || isInt(value) || floatValue(value) !== undefined;
