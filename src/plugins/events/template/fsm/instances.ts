import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';
import type { Random } from '../../../../domain/random.js';
import { MICROS_PER_SECOND, type Micros } from '../../../../domain/time/micros.js';
import { PyDict, restoreValue, type SavedKind, saveValue } from '../../../../template/index.js';
import { StateObject } from '../state.js';

/** Seconds between two events of one instance. */
export interface Think {
  readonly min: number;
  readonly max: number;
}

interface InstancesOptions {
  /** Ids of the instances, ascending: partitions share them. */
  readonly ids: readonly number[];
  /** By state. */
  readonly thinks: readonly Think[];
  readonly initial: number;
  readonly random: Random;
  /** Timestamp under way. */
  readonly now: () => Micros;
}

/** Many runs of one state machine that take turns. Each has a state, its `locals`, and a time when it is due. */
export interface Instances {
  /** Locals of the current instance, as templates and conditions see them. */
  readonly locals: StateObject;
  readonly localValues: () => PyDict;
  /** Id of the instance of the last step; the first one before. */
  readonly currentId: () => number;
  /**
   * Steps the instance that has been due for the longest, or the current one again. `next` tells its new state from
   * its former one, null before its first. Null when no instance is due.
   */
  readonly step: (next: (state: number | null) => number, isAgain: boolean) => number | null;
  readonly snapshot: (kinds: readonly SavedKind[]) => Json;
  readonly restore: (saved: JsonObject, kinds: readonly SavedKind[]) => void;
}

const NOT_BEGUN = -1;

/** A malformed state throws, as in the position of the plugin. */
const numbersOf = (value: Json | undefined): readonly number[] => {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'number'))
    throw new Error('the saved instances are malformed');
  return value;
};

export const makeInstances = (options: InstancesOptions): Instances => {
  const { ids, thinks, initial, random, now } = options;
  const count = ids.length;
  const states = new Int32Array(count).fill(NOT_BEGUN);
  const due = new Float64Array(count);
  /** Order of steps: of two instances due at the same time, the one that waits longer is first. */
  const turns = new Float64Array(count);
  const values: (PyDict | undefined)[] = [];
  /** A binary heap of instances, the next one first. */
  const heap = Uint32Array.from({ length: count }, (_, index) => index);
  let lastTurn = 0;
  let hasBegun = false;
  let current = 0;

  const isBefore = (a: number, b: number): boolean => {
    const [left, right] = [due[a] as number, due[b] as number];
    return left === right ? (turns[a] as number) < (turns[b] as number) : left < right;
  };

  const sink = (from: number): void => {
    for (let at = from; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < count && isBefore(heap[child] as number, heap[least] as number)) least = child;
      }
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] as number, heap[at] as number];
      at = least;
    }
  };

  const order = (): void => {
    for (let at = (count >> 1) - 1; at >= 0; at--) sink(at);
  };

  const drawMicros = ({ min, max }: Think): number =>
    Math.round((min + (max - min) * random.next()) * MICROS_PER_SECOND);

  /** The first instance begins at once, the others spread over the longest pause of the initial state. */
  const begin = (): void => {
    hasBegun = true;
    const spread = { min: 0, max: (thinks[initial] as Think).max };
    for (let index = 0; index < count; index++) {
      due[index] = now() + drawMicros(spread);
      turns[index] = ++lastTurn;
    }
    due[0] = now();
    order();
  };

  const valuesOf = (index: number): PyDict => {
    values[index] ??= new PyDict();
    return values[index];
  };

  const store = {
    get: (key: Parameters<PyDict['get']>[0]) => valuesOf(current).get(key),
    set: (...entry: Parameters<PyDict['set']>) => void valuesOf(current).set(...entry),
    delete: (key: Parameters<PyDict['delete']>[0]) => valuesOf(current).delete(key),
    clear: () => valuesOf(current).clear(),
    copy: () => valuesOf(current).copy(),
  };

  /** Its next step comes later than the one before, so it only sinks. */
  const wait = (index: number, state: number): void => {
    due[index] = now() + drawMicros(thinks[state] as Think);
    turns[index] = ++lastTurn;
    if (heap[0] === index) sink(0);
    else order();
  };

  return {
    locals: new StateObject('locals', store),
    localValues: () => valuesOf(current),
    currentId: () => ids[current] ?? 0,
    step: (next, isAgain) => {
      if (count === 0) return null;
      if (!hasBegun) begin();
      const index = isAgain ? current : (heap[0] as number);
      if (!isAgain && (due[index] as number) > now()) return null;
      current = index;
      const former = states[index] as number;
      let state = former === NOT_BEGUN ? initial : former;
      try {
        state = next(former === NOT_BEGUN ? null : former);
        states[index] = state;
        return state;
      } finally {
        // Also after a failed condition: one instance does not hold up the others.
        wait(index, state);
      }
    },
    snapshot: (kinds) => ({
      ids: [...ids],
      states: [...states],
      due: [...due],
      turns: [...turns],
      current: ids[current] ?? 0,
      has_begun: hasBegun,
      locals: ids.flatMap((id, index) => {
        const own = values[index];
        return own === undefined || own.count === 0
          ? []
          : [[id, saveValue(own, `locals of instance ${id}`, kinds)]];
      }),
    }),
    restore: (saved, kinds) => {
      if (saved['has_begun'] !== true) return;
      begin();
      const known = new Map(ids.map((id, index) => [id, index]));
      const [oldStates, oldDue, oldTurns] = [saved['states'], saved['due'], saved['turns']].map(numbersOf);
      for (const [at, id] of numbersOf(saved['ids']).entries()) {
        const index = known.get(id);
        if (index === undefined) continue;
        states[index] = Math.min(oldStates?.[at] ?? NOT_BEGUN, thinks.length - 1);
        due[index] = oldDue?.[at] ?? 0;
        turns[index] = oldTurns?.[at] ?? 0;
      }
      lastTurn = turns.reduce((most, one) => Math.max(most, one), lastTurn);
      current = known.get(Number(saved['current'])) ?? 0;
      const locals = saved['locals'];
      for (const entry of Array.isArray(locals) ? (locals as readonly Json[]) : []) {
        const [id, object] = entry as readonly [number, Json];
        const index = known.get(id);
        if (index === undefined || !isJsonObject(object)) continue;
        const restored = restoreValue(object, kinds);
        if (restored instanceof PyDict) values[index] = restored;
      }
      order();
    },
  };
};
