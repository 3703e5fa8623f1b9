import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, printed, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import { emptyBatch } from '../../domain/events/eventBatch.js';
import { serialQueue } from '../../domain/waiting.js';
import type { Fields } from '../../schema/shape.js';
import type { PluginOf } from '../declare.js';
import type {
  Built,
  EventProducer,
  Formatted,
  Formatter,
  Input,
  Output,
  PluginContext,
  PluginKind,
  Produced,
} from '../kit.js';
import { errorFault, formattedFault, producedFault, takenFault, writtenFault } from './faults.js';

/** How long a third-party plugin may take to build or open. */
export const BUILD_LIMIT_MS = 30_000;

/** Reports what a plugin did that its contract does not allow. */
export type OnFault = (what: string) => void;

interface Guard {
  /** E.g. `output spool (./spool.mjs)`. */
  readonly name: string;
  readonly onFault: OnFault;
}

const ADVICE = 'Report it to the author of the plugin.';

const fault = ({ name, onFault }: Guard, what: string): SpateError => {
  onFault(what);
  return failure('plugin_failed', `${name}: ${what}. ${ADVICE}`);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isResult = (value: unknown): value is Result<unknown> =>
  isObject(value) &&
  ((value['_tag'] === 'Right' && 'right' in value) || (value['_tag'] === 'Left' && isObject(value['left'])));

/** A result of a plugin; anything else is a fault. */
const asResult = (guard: Guard, call: string, value: unknown): Result<unknown> => {
  if (!isResult(value)) return E.left(fault(guard, `${call} returned ${printed(value)}, not a result`));
  if (E.isRight(value)) return value;
  const wrong = errorFault(value.left);
  if (wrong !== null) return E.left(fault(guard, `${call} ${wrong}`));
  return E.left({ ...value.left, message: `${guard.name}: ${value.left.message}` });
};

const lacking = (value: unknown, methods: readonly string[]): string | null =>
  isObject(value)
    ? (methods.find((method) => typeof value[method] !== 'function') ?? null)
    : (methods[0] ?? null);

/** Builds within the limit. What comes later is closed. */
const build = async <A>(
  guard: Guard,
  call: 'build' | 'open',
  methods: readonly string[],
  make: () => Built<A>,
  { clock, signal }: PluginContext,
): Promise<Result<A>> => {
  const state = { isLate: false };
  const made = (async (): Promise<Result<A>> => {
    let result: Result<unknown>;
    try {
      result = asResult(guard, call, await make());
    } catch (thrown) {
      return E.left(fault(guard, `${call} threw: ${reasonOf(thrown)}`));
    }
    if (E.isLeft(result)) return result;
    const part = result.right;
    if (state.isLate) await closeQuietly(part);
    const missing = lacking(part, methods);
    return missing === null
      ? E.right(part as A)
      : E.left(fault(guard, `${call} gave no function \`${missing}\``));
  })();
  let cancel = (): void => {};
  const late = new Promise<Result<A>>((resolve) => {
    const giveUp = (why: string): void => {
      state.isLate = true;
      resolve(E.left(failure('timed_out', `${guard.name}: ${why}`)));
    };
    cancel = clock.after(BUILD_LIMIT_MS, () =>
      giveUp(`${call} took longer than ${BUILD_LIMIT_MS / 1_000} s. ${ADVICE}`),
    );
    signal.addEventListener('abort', () => giveUp(`the generator ended during ${call}`), { once: true });
  });
  const result = await Promise.race([made, late]);
  cancel();
  return result;
};

const closeQuietly = async (part: unknown): Promise<void> => {
  try {
    if (isObject(part) && typeof part['close'] === 'function') await part['close']();
  } catch {
    // The run has ended with an error already.
  }
};

const thrownBy = (guard: Guard, call: string, thrown: unknown): Failed =>
  thrown instanceof Failed ? thrown : new Failed(fault(guard, `${call} threw: ${reasonOf(thrown)}`));

/** Calls a plugin that cannot return an error. A throw ends the run with it. */
const called = <A>(guard: Guard, call: string, run: () => A): A => {
  try {
    return run();
  } catch (thrown) {
    throw thrownBy(guard, call, thrown);
  }
};

const checked = <A>(guard: Guard, call: string, value: A, problem: string | null): A => {
  if (problem === null) return value;
  throw new Failed(fault(guard, `${call} ${problem}`));
};

const guardedInput = (guard: Guard, input: Input): Input => {
  let last = Number.NEGATIVE_INFINITY;
  return {
    ...input,
    fill: (out) => {
      const count = called(guard, 'fill', () => input.fill(out));
      checked(guard, 'fill', count, takenFault(count, out, last));
      if (count > 0) last = out[count - 1] as number;
      return count;
    },
    snapshot: () => called(guard, 'snapshot', () => input.snapshot()),
    restore: (state) => called(guard, 'restore', () => input.restore(state)),
  };
};

const guardedProducer = (guard: Guard, producer: EventProducer): EventProducer => {
  let isClosed = false;
  const check = (produced: Produced, count: number): Produced =>
    checked(guard, 'produce', produced, producedFault(produced, count));
  const wait = async (produced: Promise<Produced>, count: number): Promise<Produced> => {
    let value: Produced;
    try {
      value = await produced;
    } catch (thrown) {
      throw thrownBy(guard, 'produce', thrown);
    }
    return check(value, count);
  };
  const { snapshot, restore } = producer;
  return {
    ...producer,
    produce: (request) => {
      const count = request.to - request.from;
      const produced = called(guard, 'produce', () => producer.produce(request));
      return isObject(produced) && 'then' in produced
        ? wait(produced as Promise<Produced>, count)
        : check(produced as Produced, count);
    },
    ...(snapshot === undefined ? {} : { snapshot: () => snapshot.call(producer) }),
    ...(restore === undefined ? {} : { restore: (state) => restore.call(producer, state) }),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await producer.close();
    },
  };
};

const guardedFormatter = (guard: Guard, formatter: Formatter): Formatter => ({
  ...formatter,
  format: (events) => {
    const failAll = (error: SpateError): Formatted => ({
      batch: emptyBatch,
      eventsPerItem: 1,
      failures: events.texts().map((event) => ({ event, reason: error.message })),
      failedTogether: true,
    });
    try {
      const formatted = formatter.format(events);
      const problem = formattedFault(formatted, events.count);
      return problem === null ? formatted : failAll(fault(guard, `format ${problem}`));
    } catch (thrown) {
      return failAll(fault(guard, `format threw: ${reasonOf(thrown)}`));
    }
  },
});

const guardedOutput = (guard: Guard, output: Output): Output => {
  let isClosed = false;
  // A write that was given up may still run.
  const inTurn = serialQueue();
  const result = async (call: 'flush' | 'close'): Promise<Result<void>> => {
    try {
      const given = asResult(guard, call, await output[call]());
      return E.isLeft(given) ? given : E.right(undefined);
    } catch (thrown) {
      return E.left(fault(guard, `${call} threw: ${reasonOf(thrown)}`));
    }
  };
  const write: Output['write'] = async (batch, signal) => {
    if (isClosed)
      return E.left(failure('unwritable', `${guard.name}: the output is closed. Start the generator again.`));
    let given: Result<unknown>;
    try {
      given = asResult(guard, 'write', await output.write(batch, signal));
    } catch (thrown) {
      // Clients throw when a destination is down: a retry may help. After an abort it is part of the ending.
      if (signal.aborted)
        return E.left(failure('timed_out', `${guard.name}: write was ended: ${reasonOf(thrown)}`));
      return E.left({
        ...fault(guard, `write threw: ${reasonOf(thrown)}`),
        code: 'output_failed',
        isSuspect: true,
      });
    }
    if (E.isLeft(given)) return given;
    const problem = writtenFault(given.right, batch.count);
    return problem === null
      ? (given as Awaited<ReturnType<Output['write']>>)
      : E.left(fault(guard, `write ${problem}`));
  };
  return {
    ...output,
    isBulk: output.isBulk === true,
    isOrdered: output.isOrdered === true,
    write: output.isOrdered === true ? (batch, signal) => inTurn(() => write(batch, signal)) : write,
    flush: async () => (isClosed ? E.right(undefined) : result('flush')),
    close: async () => {
      if (isClosed) return E.right(undefined);
      isClosed = true;
      return result('close');
    },
  };
};

type Plugins = PluginOf<Fields>;
type ThirdPartyPlugin = Plugins[PluginKind];

/** Makes the faults of a third-party plugin fail its generator. `shown` says where the plugin comes from. */
export const guardedPlugin = (
  plugin: ThirdPartyPlugin,
  shown: string,
  onFault: OnFault = () => {},
): ThirdPartyPlugin => {
  const { spec } = plugin;
  const guard: Guard = { name: `${spec.kind} ${spec.name} (${shown})`, onFault };
  const building =
    <A, C extends PluginContext>(
      methods: readonly string[],
      make: (params: never, context: C) => Built<A>,
      guardPart: (guard: Guard, part: A) => A,
    ) =>
    async (params: unknown, context: C): Built<A> =>
      E.map((part: A) => guardPart(guard, part))(
        await build(
          guard,
          spec.kind === 'output' ? 'open' : 'build',
          methods,
          () => make(params as never, context),
          context,
        ),
      );
  switch (spec.kind) {
    case 'input': {
      const own = plugin as Plugins['input'];
      return {
        spec: own.spec,
        build: building(['fill', 'snapshot', 'restore'], own.build.bind(own), guardedInput),
      };
    }
    case 'event': {
      const own = plugin as Plugins['event'];
      return { spec: own.spec, build: building(['produce', 'close'], own.build.bind(own), guardedProducer) };
    }
    case 'formatter': {
      const own = plugin as Plugins['formatter'];
      return { spec: own.spec, build: building(['format'], own.build.bind(own), guardedFormatter) };
    }
    case 'output': {
      const own = plugin as Plugins['output'];
      return {
        spec: own.spec,
        open: building(['write', 'flush', 'close'], own.open.bind(own), guardedOutput),
      };
    }
  }
};
