import { TemplateObject, type Value } from '../values/value.js';

/** A value made from an object that never changes. */
export class KeptValue {
  owner: Value | undefined = undefined;
  value: Value = null;
}

/** Keeps the value if its owner is constant; returns it. */
export const keep = (kept: KeptValue, owner: Value, value: Value): Value => {
  if (owner instanceof TemplateObject && owner.isConstant) {
    kept.owner = owner;
    kept.value = value;
  }
  return value;
};
