import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { PyDict, restoreValue, type SavedKind, saveValue } from '../../../template/index.js';
import type { EventProducer } from '../../kit.js';
import type { Marker } from '../shared/marker.js';
import type { TemplateProgram } from './compiled.js';

const wrongForm = (): never => {
  throw new Error('the saved state of the templates is malformed');
};

const objectIn = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : wrongForm();

const numbersIn = (value: Json): readonly number[] =>
  Array.isArray(value)
    ? (value as readonly Json[]).map((one) => (typeof one === 'number' ? one : wrongForm()))
    : wrongForm();

/** Restores saved values into an empty state. */
const refill = (values: PyDict, saved: Json | undefined, kinds: readonly SavedKind[]): void => {
  const restored = restoreValue(objectIn(saved), kinds);
  if (!(restored instanceof PyDict)) return wrongForm();
  values.clear();
  for (const [key, value] of restored.pairList()) values.set(key, value);
};

/**
 * Snapshot and restore: mode position, states, random streams, marks. Throws for a state that cannot be
 * saved, so the previous, consistent checkpoint stays.
 */
export const templatePosition = (
  program: TemplateProgram,
  marker: Marker | null,
  onRestored: () => void,
): Required<Pick<EventProducer, 'snapshot' | 'restore'>> => {
  const { templates, picker, streams, kinds, instances } = program;
  return {
    snapshot: () => ({
      at: instances === null ? picker.position() : instances.snapshot(kinds),
      locals: Object.fromEntries(
        templates.map(({ alias, localValues }) => [
          alias,
          saveValue(localValues, `locals of '${alias}'`, kinds),
        ]),
      ),
      shared: saveValue(program.sharedValues, 'shared', kinds),
      random: Object.fromEntries([...streams].map(([name, random]) => [name, [...random.snapshot()]])),
      ...(marker === null ? {} : { marks: marker.snapshot() }),
    }),
    restore: (saved) => {
      const { at, locals, shared, random, marks } = objectIn(saved);
      if (instances !== null) {
        // A state machine that has got instances since begins them anew.
        if (at !== undefined && isJsonObject(at)) instances.restore(at, kinds);
      } else {
        if (at !== null && typeof at !== 'number') return wrongForm();
        picker.goTo(at);
      }
      for (const [alias, values] of Object.entries(objectIn(locals))) {
        const found = templates.find((one) => one.alias === alias);
        if (found !== undefined) refill(found.localValues, values, kinds);
      }
      refill(program.sharedValues, shared, kinds);
      for (const [name, state] of Object.entries(objectIn(random)))
        streams.get(name)?.restore(numbersIn(state));
      // Marks enabled since then start a new stream.
      if (marks !== undefined) marker?.restore(marks);
      onRestored();
    },
  };
};
