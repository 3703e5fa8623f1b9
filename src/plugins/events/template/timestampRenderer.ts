import * as E from 'fp-ts/lib/Either.js';
import type { Random } from '../../../domain/random.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Log } from '../../../ports/log.js';
import {
  beginScope,
  endScope,
  Fault,
  type PyDateTime,
  type PyDict,
  PyTuple,
  type RenderNames,
  type SavedKind,
  Signal,
  type Template,
  type TemplateError,
  takeTrail,
  type Value,
} from '../../../template/index.js';
import type { EventContext } from '../../kit.js';
import type { Marker } from '../../shared/marker.js';
import { DROP_MEMBER, EXHAUST_MEMBER, NEXT } from './context/dispatch.js';
import type { Scene } from './fsm/conditions.js';
import type { Instances } from './fsm/instances.js';
import type { Picker } from './picker.js';
import type { StateObject, TemplateGlobals } from './state.js';

export interface CompiledTemplate {
  readonly alias: string;
  readonly template: Template;
  readonly names: RenderNames;
  /** Variable part of `names`: `timestamp`, `tags` and `activity`, set before each render. */
  readonly variables: Map<string, Value>;
  readonly locals: StateObject;
  readonly localValues: PyDict;
}

/** A loaded generator of templates. */
export interface TemplateProgram {
  readonly templates: readonly CompiledTemplate[];
  readonly picker: Picker;
  /** Instances of mode fsm. Null in other modes, and for one run of the state machine. */
  readonly instances: Instances | null;
  readonly shared: StateObject;
  readonly sharedValues: PyDict;
  readonly globals: TemplateGlobals;
  /** Random streams restored by checkpoints, by their saved name. */
  readonly streams: ReadonlyMap<string, Random>;
  /** More kinds of objects that a state may hold. */
  readonly kinds: readonly SavedKind[];
  /** Templates are picked by the activity of each timestamp. */
  readonly needsActivity: boolean;
  /** The current timestamp: 'now' of the modules. */
  readonly moment: { micros: Micros };
}

export interface RenderFailure {
  /** `null` if no template was picked. */
  readonly alias: string | null;
  readonly error: Pick<TemplateError, 'message' | 'locations'>;
}

type RenderOutcome = 'made' | 'dropped' | 'exhausted' | RenderFailure;

export interface RendererOptions {
  readonly program: TemplateProgram;
  readonly context: EventContext;
  /** Marks the events. Null when they get no marks. */
  readonly marker: Marker | null;
  readonly dropsEmpty: boolean;
}

type AddEvent = (event: string, template: number) => void;

interface TimestampRenderer {
  /** Picks and renders the templates of a timestamp, within one deadline. */
  readonly render: (timestamp: PyDateTime, tags: readonly string[], activity?: Value) => RenderOutcome;
  /** Hands the rendered events out. Returns why they cannot be marked, or `null`. */
  readonly emit: (micros: Micros) => RenderFailure | null;
  /** Reads the last template from a restored picker. */
  readonly restored: () => void;
}

/** Characters of an event in a trace line. */
const MAX_SHOWN = 120;

const logTrail = (log: Log, alias: string, event: string): void =>
  log.write('info', 'event made', {
    template_alias: alias,
    lines: takeTrail(),
    event: event.length > MAX_SHOWN ? `${event.slice(0, MAX_SHOWN)}...` : event,
  });

/** An input has one frozen array of tags for all timestamps: each is converted once. */
const tagTuples = (): ((tags: readonly string[]) => PyTuple) => {
  const tuples = new WeakMap<readonly string[], PyTuple>();
  let [lastTags, lastTuple]: [readonly string[] | null, PyTuple] = [null, new PyTuple([])];
  return (tags) => {
    if (tags === lastTags) return lastTuple;
    const tuple = tuples.get(tags) ?? new PyTuple(tags);
    tuples.set(tags, tuple);
    [lastTags, lastTuple] = [tags, tuple];
    return tuple;
  };
};

const failed = (alias: string | null, message: string): RenderFailure => ({
  alias,
  error: { message, locations: [] },
});

/** Outcome of a thrown signal or fault; `null` to pick again. Rethrows bugs. */
const outcomeOf = (thrown: unknown, repicks: number, alias: string | null): RenderOutcome | null => {
  if (thrown === DROP_MEMBER) return 'dropped';
  if (thrown === EXHAUST_MEMBER) return 'exhausted';
  if (thrown === NEXT) {
    return repicks < NEXT.max_repicks
      ? null
      : failed(alias, `dispatch.next() exceeded ${NEXT.max_repicks} repicks for one timestamp`);
  }
  if (thrown instanceof Fault) return failed(null, `a condition failed: ${thrown.message}`);
  throw thrown;
};

/** `add` takes each event with the number of its template. */
export const timestampRenderer = (options: RendererOptions, add: AddEvent): TimestampRenderer => {
  const { program, context, marker, dropsEmpty } = options;
  const { templates, picker, instances } = program;
  const { isTraced } = context.templates;
  const tupleOf = tagTuples();
  /** Only the first `count` are current: shortening an array makes it grow anew. */
  const [events, templateOf]: [string[], number[]] = [[], []];
  let count = 0;
  /** The last rendered template: conditions read its locals. */
  let last: CompiledTemplate | undefined = templates[picker.position() ?? 0];
  /** Undefined without an input that observes a world. */
  let activity: Value | undefined;

  const sceneOf = (timestamp: PyDateTime, tags: readonly string[]): Scene => ({
    timestamp,
    tags,
    activity: activity ?? null,
    state: (scope) => {
      if (scope === 'locals') return last?.locals ?? program.shared;
      return scope === 'shared' ? program.shared : program.globals.object;
    },
  });

  const renderOne = (
    picked: CompiledTemplate,
    timestamp: PyDateTime,
    tags: PyTuple,
  ): RenderFailure | Signal | null => {
    last = picked;
    picked.variables.set('timestamp', timestamp);
    picked.variables.set('tags', tags);
    if (activity !== undefined) picked.variables.set('activity', activity);
    if (instances !== null) picked.variables.set('instance', instances.currentId());
    // Drop the trail of an aborted render.
    if (isTraced) takeTrail();
    const rendered = picked.template.renderOrEnd(picked.names);
    if (E.isLeft(rendered)) return { alias: picked.alias, error: rendered.left };
    if (typeof rendered.right !== 'string') return rendered.right;
    if (isTraced) logTrail(context.log, picked.alias, rendered.right);
    if (rendered.right !== '' || !dropsEmpty) events[count++] = rendered.right;
    return null;
  };

  const renderPicked = (
    timestamp: PyDateTime,
    tags: readonly string[],
    isAgain: boolean,
  ): RenderFailure | Signal | null => {
    for (const index of picker.pick(sceneOf(timestamp, tags), isAgain)) {
      const picked = templates[index];
      templateOf[count] = index;
      const end = picked === undefined ? null : renderOne(picked, timestamp, tupleOf(tags));
      if (end !== null) return end;
    }
    return null;
  };

  /** Repeats after `dispatch.next()`. */
  const renderUntilDone = (timestamp: PyDateTime, tags: readonly string[]): RenderOutcome => {
    for (let repicks = 0; ; repicks++) {
      count = 0;
      try {
        const end = renderPicked(timestamp, tags, repicks > 0);
        if (end === null) return count > 0 ? 'made' : 'dropped';
        if (!(end instanceof Signal)) return end;
        const outcome = outcomeOf(end, repicks, last?.alias ?? null);
        if (outcome !== null) return outcome;
      } catch (thrown) {
        const outcome = outcomeOf(thrown, repicks, last?.alias ?? null);
        if (outcome !== null) return outcome;
      } finally {
        program.globals.endOfRender();
      }
    }
  };

  return {
    render: (timestamp, tags, observed) => {
      activity = observed;
      beginScope();
      try {
        return renderUntilDone(timestamp, tags);
      } finally {
        endScope();
      }
    },
    emit: (micros) => {
      if (marker !== null) {
        events.length = count;
        const problem = marker.markAll(events, micros);
        if (problem !== null) return failed(last?.alias ?? null, problem);
      }
      for (let i = 0; i < count; i++) add(events[i] as string, templateOf[i] as number);
      return null;
    },
    restored: () => {
      last = templates[picker.position() ?? 0];
    },
  };
};
