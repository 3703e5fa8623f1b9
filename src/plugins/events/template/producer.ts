import * as E from 'fp-ts/lib/Either.js';
import { emptyBatch } from '../../../domain/events/eventBatch.js';
import { eventCollector } from '../../../domain/events/eventCollector.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Log } from '../../../ports/log.js';
import {
  beginScope,
  dateTimeAt,
  endScope,
  Fault,
  type PyDateTime,
  PyTuple,
  type TemplateError,
  takeTrail,
  UTC_ZONE,
  zoneValue,
} from '../../../template/index.js';
import type { EventContext, EventProducer, Produced, ProduceRequest } from '../../kit.js';
import type { Marker } from '../shared/marker.js';
import { problemLog } from '../shared/problemLog.js';
import type { CompiledTemplate, TemplateProgram } from './compiled.js';
import { DROP, EXHAUST, NEXT } from './context/dispatch.js';
import type { Scene } from './fsm/conditions.js';
import { templateMemory } from './memory.js';
import { templatePosition } from './position.js';

interface Failure {
  /** `null` if no template was picked. */
  readonly alias: string | null;
  readonly error: Pick<TemplateError, 'message' | 'places'>;
}

type Outcome = 'made' | 'dropped' | 'exhausted' | Failure;

export interface ProducerOptions {
  readonly program: TemplateProgram;
  readonly context: EventContext;
  /** `null`: no marks. */
  readonly marker: Marker | null;
  readonly drops_empty: boolean;
}

const asError = (message: string): Failure['error'] => ({ message, places: [] });

/** The error in one line, with template and call chain. */
const describe = ({ alias, error }: Failure) => {
  const [reason = ''] = error.message.split('\n');
  const [place, ...outer] = error.places;
  return {
    reason,
    ...(alias === null ? {} : { template_alias: alias }),
    ...(place === undefined ? {} : { source: place.text.trim().slice(0, 200) }),
    ...(outer.length === 0
      ? {}
      : {
          traceback: outer.map(({ template, line, column }) => `${template}:${line}:${column}`).join(' < '),
        }),
  };
};

/** Characters of an event in a trace line. */
const MAX_SHOWN = 120;

const showTrail = (log: Log, alias: string, event: string): void =>
  log.write('info', 'event made', {
    template_alias: alias,
    lines: takeTrail(),
    event: event.length > MAX_SHOWN ? `${event.slice(0, MAX_SHOWN)}...` : event,
  });

export const templateProducer = (options: ProducerOptions): EventProducer => {
  const { program, context, marker, drops_empty } = options;
  const { templates, picker, moment } = program;
  const { log, clock } = context;
  const zone = zoneValue(context.zone.id) ?? UTC_ZONE;
  const printed = isoFormatter(context.zone);
  const failures = problemLog(log, clock, 'error', 'the template failed; the timestamp got no event');
  /** An input has one frozen array of tags for all timestamps. */
  const tagValues = new WeakMap<readonly string[], PyTuple>();
  const { isTraced } = context.templates;
  const made = eventCollector();
  /** Only the first `count` are current: shortening an array makes it grow anew. */
  const events: string[] = [];
  let count = 0;
  let isExhausted = false;
  /** The last rendered template: conditions read its locals. */
  let last: CompiledTemplate | undefined = templates[picker.position() ?? 0];

  let [lastTags, lastTuple]: [readonly string[] | null, PyTuple] = [null, new PyTuple([])];

  const tagsOf = (tags: readonly string[]): PyTuple => {
    if (tags === lastTags) return lastTuple;
    const tuple = tagValues.get(tags) ?? new PyTuple(tags);
    tagValues.set(tags, tuple);
    [lastTags, lastTuple] = [tags, tuple];
    return tuple;
  };

  const sceneOf = (timestamp: PyDateTime, tags: readonly string[]): Scene => ({
    timestamp,
    tags,
    state: (scope) => {
      if (scope === 'locals') return last?.locals ?? program.shared;
      return scope === 'shared' ? program.shared : program.globals.object;
    },
  });

  const render = (picked: CompiledTemplate, timestamp: PyDateTime, tags: PyTuple): Failure | null => {
    last = picked;
    picked.variables.set('timestamp', timestamp);
    picked.variables.set('tags', tags);
    // Drop the trail of an aborted render.
    if (isTraced) takeTrail();
    const rendered = picked.template.render(picked.names);
    if (E.isLeft(rendered)) return { alias: picked.alias, error: rendered.left };
    if (isTraced) showTrail(log, picked.alias, rendered.right);
    if (rendered.right !== '' || !drops_empty) events[count++] = rendered.right;
    return null;
  };

  const attempt = (timestamp: PyDateTime, tags: readonly string[]): Failure | null => {
    for (const index of picker.pick(sceneOf(timestamp, tags))) {
      const picked = templates[index];
      const failed = picked === undefined ? null : render(picked, timestamp, tagsOf(tags));
      if (failed !== null) return failed;
    }
    return null;
  };

  /** Repeats after `dispatch.next()`. */
  const makeAny = (timestamp: PyDateTime, tags: readonly string[]): Outcome => {
    for (let repicks = 0; ; ) {
      count = 0;
      try {
        const failed = attempt(timestamp, tags);
        if (failed !== null) return failed;
        return count > 0 ? 'made' : 'dropped';
      } catch (thrown) {
        if (thrown === DROP) return 'dropped';
        if (thrown === EXHAUST) return 'exhausted';
        if (thrown === NEXT) {
          if (++repicks <= NEXT.max_repicks) continue;
          const message = `dispatch.next() exceeded ${NEXT.max_repicks} repicks for one timestamp`;
          return { alias: last?.alias ?? null, error: asError(message) };
        }
        if (thrown instanceof Fault)
          return { alias: null, error: asError(`a condition failed: ${thrown.message}`) };
        throw thrown;
      } finally {
        program.globals.endOfRender();
      }
    }
  };

  /** Renders a timestamp within one deadline. */
  const make = (timestamp: PyDateTime, tags: readonly string[]): Outcome => {
    beginScope();
    try {
      return makeAny(timestamp, tags);
    } finally {
      endScope();
    }
  };

  /** Emits the events of a timestamp. Returns an error or `null`. */
  const handOn = (micros: Micros): string | null => {
    if (marker !== null) {
      events.length = count;
      const wrong = marker.markAll(events, micros);
      if (wrong !== null) return wrong;
    }
    for (let index = 0; index < count; index++) made.add(events[index] as string);
    return null;
  };

  const produce = (request: ProduceRequest): Produced => {
    if (isExhausted) return { consumed: 0, events: emptyBatch, failed: 0, dropped: 0, exhausted: true };
    let [consumed, failed, dropped] = [0, 0, 0];
    for (let index = request.from; index < request.to; index++) {
      if (consumed > 0 && request.isSpent()) break;
      const micros = request.micros[index] as number;
      moment.micros = micros;
      let outcome = make(dateTimeAt(micros, zone), request.tagsOf(index));
      if (outcome === 'exhausted') {
        isExhausted = true;
        break;
      }
      if (outcome === 'made') {
        const wrong = handOn(micros);
        if (wrong !== null) outcome = { alias: last?.alias ?? null, error: asError(wrong) };
      }
      consumed++;
      if (outcome === 'dropped') dropped++;
      if (typeof outcome === 'object') {
        failed++;
        const failure = outcome;
        failures.report(() => ({ ...describe(failure), timestamp: printed(micros) }));
      }
    }
    return { consumed, events: made.take(), failed, dropped, exhausted: isExhausted };
  };

  return {
    produce,
    close: async () => failures.close(),
    memory: templateMemory(program),
    ...templatePosition(program, marker, () => {
      last = templates[picker.position() ?? 0];
    }),
  };
};
