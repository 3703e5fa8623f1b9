import type { Fields } from '../../../schema/index.js';
import type { FieldLocation } from '../../forms/document.js';

const isMatch = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted);

const locationsIn = (fields: Fields, wanted: string, around: FieldLocation): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const location = [...around, name];
    const path = location.join('.');
    const isWhole = isMatch(path, wanted) || isMatch(field.help, wanted);
    const inside =
      field.fields === undefined ? [] : locationsIn(field.fields, isWhole ? '' : wanted, location);
    return isWhole || inside.length > 0 ? [path, ...inside] : [];
  });

/** Paths of the options that a text finds, with the groups around them and the fields in them. */
export const foundLocations = (fields: Fields, text: string): ReadonlySet<string> =>
  new Set(locationsIn(fields, text.trim().toLowerCase(), []));

/** What applying a changed setting does. */
type SettingEffect = 'restarts all generators' | 'reopens the listener' | 'restarts changed generators';

/** As `fixedParts` of the daemon's reload. */
const FOR_THE_INSTANCE: ReadonlySet<string> = new Set([
  'path',
  'log',
  'server.api_enabled',
  'generation.plugins',
  'generation.allow_subprocess',
  'generation.max_pool_threads',
  'generation.max_script_threads',
  'generation.thread_heap_mb',
  'generation.thread_memory_mb',
]);

/** What a restart of the service does to apply a change at a location. */
export const effectOf = ([section, name]: FieldLocation): SettingEffect => {
  if (FOR_THE_INSTANCE.has(String(section)) || FOR_THE_INSTANCE.has(`${section}.${name}`))
    return 'restarts all generators';
  return section === 'server' ? 'reopens the listener' : 'restarts changed generators';
};
