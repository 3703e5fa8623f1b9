import {
  asIndex,
  HostModule,
  type Kwargs,
  native,
  raise,
  Signal,
  type Value,
} from '../../../../template/index.js';

/** One object each: signals need no stack traces. */
export const DROP_MEMBER = new Signal('dispatch.drop() ends a render');
export const EXHAUST_MEMBER = new Signal('dispatch.exhaust() ends a render');

class Next extends Signal {
  max_repicks = 0;
}
export const NEXT = new Next('dispatch.next() ends a render');

type Ending = (args: readonly Value[], kwargs: Kwargs | null) => Signal;

/** What each function gives; outside of a plain statement of a template it is thrown. */
const endings = (): ReadonlyMap<string, Ending> => {
  let given: Signal = DROP_MEMBER;
  const ending = (signature: string, signal: (value: Value) => Signal): Ending => {
    const bind = native(signature, (value = null) => {
      given = signal(value);
      return null;
    });
    return (args, kwargs) => {
      bind(args, kwargs);
      return given;
    };
  };
  return new Map([
    ['drop', ending('drop()', () => DROP_MEMBER)],
    [
      'next',
      ending('next(max_repicks=64)', (max_repicks) => {
        const limit = asIndex(max_repicks);
        if (limit === undefined || limit < 1)
          return raise('ValueError', 'next() takes the most picks of a timestamp, an integer of at least 1');
        NEXT.max_repicks = limit;
        return NEXT;
      }),
    ],
    ['exhaust', ending('exhaust()', () => EXHAUST_MEMBER)],
  ]);
};

class DispatchModule extends HostModule {
  constructor(private readonly endings: ReadonlyMap<string, Ending>) {
    super(
      'dispatch',
      new Map(
        [...endings].map(([name, ending]): [string, Value] => [
          name,
          (args, kwargs) => {
            throw ending(args, kwargs);
          },
        ]),
      ),
    );
  }
  override ending(name: string, args: readonly Value[], kwargs: Kwargs | null): Signal | undefined {
    return this.endings.get(name)?.(args, kwargs);
  }
}

export const dispatchModule = (): HostModule => new DispatchModule(endings());
