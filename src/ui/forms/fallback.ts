import { isJsonObject, type Json } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { isField } from './control.js';
import { type Place, valueAt } from './document.js';

interface Surroundings {
  /** The whole document. */
  readonly value: Json;
  /** Defaults of the form, such as the settings under a startup entry. */
  readonly defaults: Json;
  /** The default of the object around the field. */
  readonly around: Json | undefined;
}

/** What holds while a field has no value. */
export const fallbackOf = (
  shape: AnyShape,
  place: Place,
  { value, defaults, around }: Surroundings,
): Json => {
  const given = valueAt(defaults, place);
  if (given !== undefined) return given;
  const own = isField(shape) ? shape.fallback : null;
  const parent = valueAt(value, place.slice(0, -1));
  // An object with a default of its own, such as a batch: once one field is given, the others take theirs.
  if (isJsonObject(parent) && Object.keys(parent).length > 0) return own;
  return valueAt(around, place.slice(-1)) ?? own;
};
