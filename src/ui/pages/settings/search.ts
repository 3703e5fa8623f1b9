import type { Fields } from '../../../schema/index.js';
import type { Place } from '../../forms/document.js';

const isMatch = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted);

const placesIn = (fields: Fields, wanted: string, around: Place): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const place = [...around, name];
    const path = place.join('.');
    const isWhole = isMatch(path, wanted) || isMatch(field.help, wanted);
    const inside = field.fields === undefined ? [] : placesIn(field.fields, isWhole ? '' : wanted, place);
    return isWhole || inside.length > 0 ? [path, ...inside] : [];
  });

/** Paths of the options that a text finds, with the groups around them and the fields in them. */
export const foundPlaces = (fields: Fields, text: string): ReadonlySet<string> =>
  new Set(placesIn(fields, text.trim().toLowerCase(), []));
