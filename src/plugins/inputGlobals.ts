import type { GlobalsView } from '../domain/globals/globals.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import type { EventProducer, ProduceRequest } from './kit.js';

/** Values that the inputs of a generator lay over its globals: `globals` of an input. */
export interface InputGlobals {
  /** The values of an input, by its array of tags: each input has one. Also of inputs that come with a patch. */
  readonly note: (tags: readonly string[], values: JsonObject) => void;
  /** The globals with the values of an input over them. */
  readonly over: (tags: readonly string[], under: GlobalsView) => Pick<GlobalsView, 'get'>;
  /** The globals as events read them. Writes go through, to the scenario. */
  readonly view: (under: GlobalsView) => GlobalsView;
  /** Lays the values of the input of each timestamp over the globals while its event is made. */
  readonly producer: (inner: EventProducer) => EventProducer;
}

const endOfInput = ({ tagsOf, from, to }: ProduceRequest): number => {
  const first = tagsOf(from);
  let at = from + 1;
  while (at < to && tagsOf(at) === first) at++;
  return at;
};

const own = (values: JsonObject | null, key: string): Json | undefined =>
  values !== null && Object.hasOwn(values, key) ? values[key] : undefined;

export const inputGlobals = (): InputGlobals => {
  const byTags = new WeakMap<readonly string[], JsonObject>();
  let isUsed = false;
  let current: JsonObject | null = null;
  return {
    note: (tags, values) => {
      if (!isJsonObject(values) || Object.keys(values).length === 0) return;
      byTags.set(tags, values);
      isUsed = true;
    },
    over: (tags, under) => ({
      get: (key, fallback) => own(byTags.get(tags) ?? null, key) ?? under.get(key, fallback),
    }),
    view: (under) => ({
      ...under,
      get: (key, fallback) => own(current, key) ?? under.get(key, fallback),
      has: (key) => own(current, key) !== undefined || under.has(key),
      snapshot: () => (current === null ? under.snapshot() : { ...under.snapshot(), ...current }),
    }),
    producer: (inner) => ({
      ...inner,
      produce: (request) => {
        if (!isUsed || request.from === request.to) return inner.produce(request);
        current = byTags.get(request.tagsOf(request.from)) ?? null;
        const release = (): void => {
          current = null;
        };
        try {
          const made = inner.produce({ ...request, to: endOfInput(request) });
          if (!(made instanceof Promise)) {
            release();
            return made;
          }
          return made.finally(release);
        } catch (thrown) {
          release();
          throw thrown;
        }
      },
    }),
  };
};
