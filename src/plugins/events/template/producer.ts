import { emptyBatch } from '../../../domain/events/eventBatch.js';
import { eventCollector } from '../../../domain/events/eventCollector.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import {
  dateTimeAt,
  fromJson,
  PyDict,
  restoreValue,
  type SavedKind,
  saveValue,
  str,
  toJson,
  UTC_ZONE,
  zoneValue,
} from '../../../template/index.js';
import type { EventMemory, EventProducer, NamedValues, Produced, ProduceRequest } from '../../kit.js';
import type { Marker } from '../../shared/marker.js';
import { problemLog } from '../../shared/problemLog.js';
import { activityValues } from './activityValue.js';
import {
  type RendererOptions,
  type RenderFailure,
  type TemplateProgram,
  timestampRenderer,
} from './timestampRenderer.js';

/** The error in one line, with template and call chain. */
const describe = ({ alias, error }: RenderFailure) => {
  const [reason = ''] = error.message.split('\n');
  const [location, ...outer] = error.locations;
  return {
    reason,
    ...(alias === null ? {} : { template_alias: alias }),
    ...(location === undefined ? {} : { source: location.text.trim().slice(0, 200) }),
    ...(outer.length === 0
      ? {}
      : {
          traceback: outer.map(({ template, line, column }) => `${template}:${line}:${column}`).join(' < '),
        }),
  };
};

const NO_ACTIVITY: RenderFailure = {
  alias: null,
  error: {
    message: 'mode activity: the activity is given by the input `world`, which has none at this timestamp',
    locations: [],
  },
};

/** Numbers of the templates that made the events of a batch, in the order of the events. */
interface MakerList {
  readonly add: (template: number) => void;
  /** The numbers since the last call; the next `add` overwrites them. */
  readonly take: () => Uint32Array;
}

/** Numbers that a list has room for at first: thousands of slow generators hold little memory. */
const FIRST_MAKERS = 16;

const makerList = (): MakerList => {
  let makers = new Uint32Array(FIRST_MAKERS);
  let count = 0;
  return {
    add: (template) => {
      if (count === makers.length) {
        const more = new Uint32Array(count * 2);
        more.set(makers);
        makers = more;
      }
      makers[count++] = template;
    },
    take: () => {
      const taken = makers.subarray(0, count);
      count = 0;
      return taken;
    },
  };
};

export const templateProducer = (options: RendererOptions): EventProducer => {
  const { program, context, marker } = options;
  const { moment } = program;
  const { log, clock } = context;
  const zone = zoneValue(context.zone.id) ?? UTC_ZONE;
  const activityValue = activityValues(zone);
  const printed = isoFormatter(context.zone);
  const failures = problemLog(log, clock, 'error', 'the template failed; the timestamp got no event');
  const made = eventCollector();
  const makers = program.templates.length > 1 ? makerList() : null;
  const { render, emit, restored } = timestampRenderer(options, (event, template) => {
    made.add(event);
    makers?.add(template);
  });
  let isExhausted = false;

  const produce = (request: ProduceRequest): Produced => {
    if (isExhausted) return { consumed: 0, events: emptyBatch, failed: 0, dropped: 0, exhausted: true };
    let [consumed, failed, dropped] = [0, 0, 0];
    for (let index = request.from; index < request.to; index++) {
      if (consumed > 0 && (request.isSpent() || made.isFull())) break;
      const micros = request.micros[index] as number;
      moment.micros = micros;
      const activity = request.activityOf?.(index);
      let outcome =
        program.needsActivity && activity == null
          ? NO_ACTIVITY
          : render(
              dateTimeAt(micros, zone),
              request.tagsOf(index),
              activity ? activityValue(activity) : activity,
            );
      if (outcome === 'exhausted') {
        isExhausted = true;
        break;
      }
      if (outcome === 'made') outcome = emit(micros) ?? outcome;
      consumed++;
      if (outcome === 'dropped') dropped++;
      if (typeof outcome === 'object') {
        failed++;
        const failure = outcome;
        failures.report(() => ({ ...describe(failure), timestamp: printed(micros) }));
      }
    }
    const produced = { consumed, events: made.take(), failed, dropped, exhausted: isExhausted };
    return makers === null ? produced : { ...produced, templates: makers.take() };
  };

  return {
    produce,
    close: async () => failures.close(),
    memory: templateMemory(program),
    ...templatePosition(program, marker, restored),
  };
};

/** A state as JSON; keys that are no strings are printed. */
const namedValues = (valuesNow: () => PyDict): NamedValues => ({
  read: () =>
    Object.fromEntries(
      valuesNow()
        .pairList()
        .map(([key, value]) => [str(key), toJson(value)]),
    ) satisfies JsonObject,
  merge: (given) => {
    for (const [key, value] of Object.entries(given)) valuesNow().set(key, fromJson(value));
  },
  delete: (key) => void valuesNow().delete(key),
  clear: () => valuesNow().clear(),
});

/** `shared` and the `locals` of each template, for previews; with instances those of the last step. */
const templateMemory = ({ templates, sharedValues, instances }: TemplateProgram): EventMemory => {
  const locals = new Map(
    templates.map(({ alias, localValues }) => [
      alias,
      namedValues(instances === null ? () => localValues : instances.localValues),
    ]),
  );
  return { shared: namedValues(() => sharedValues), local: (alias) => locals.get(alias) };
};

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
const templatePosition = (
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
