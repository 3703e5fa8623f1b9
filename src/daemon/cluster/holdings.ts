import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import type { Holdings } from '../../../actors/cluster.js';
import { leaseSubjectOf, scenarioKey } from '../../cluster/keys.js';
import type { ClusterMember } from '../../cluster/member.js';
import type { Result, SpateError } from '../../domain/errors.js';
import type { Registration } from '../../domain/generator.js';
import { generatorIdOf } from '../../domain/partitions.js';
import { type SerialQueue, serialQueue } from '../../domain/waiting.js';
import type { Log } from '../../ports/log.js';
import { type ClusterView, shouldRun } from './view.js';

interface HoldingsOptions {
  readonly view: ClusterView;
  /** Asks the actors of this node. */
  readonly ask: AskActor;
  readonly member: Pick<ClusterMember, 'epochOf' | 'taskOf'>;
  /** Returns the registration of a generator or partition of the list, or null when it is gone. */
  readonly registrationOf: (id: string) => Registration | null;
  /** Reads the config of a generator as its start does. */
  readonly define: (registration: Registration) => Promise<Result<unknown>>;
  readonly onRefused: (task: string, reason: string) => void;
  readonly log: Log;
}

const REFUSALS: ReadonlySet<string> = new Set(['missing_secret', 'unreadable_secret']);

/** Returns why another node may succeed where this one failed, or null when it would fail there, too. */
const refusalOf = ({ issues = [], code, message }: SpateError): string | null =>
  code === 'keyring_locked' || issues.some(({ type }) => REFUSALS.has(type)) ? message : null;

/** Generators and scenarios that this node holds: registered, run and stopped in the order of the member's orders. */
export const nodeHoldings = (options: HoldingsOptions) => {
  const { view, member, ask, log } = options;
  const queues = new Map<string, SerialQueue>();
  /** Leases by which the globals of scenarios were loaded. */
  const loadedBy = new Map<string, number>();
  /** Ids of generators and partitions here, by lease key. */
  const here = new Map<string, string>();

  const inTurn = <A>(key: string, work: () => Promise<A>): Promise<A> => {
    const queue = queues.get(key) ?? serialQueue();
    queues.set(key, queue);
    return queue(work);
  };

  const complain = (done: Result<unknown>, id: string, what: string): void => {
    if (E.isLeft(done)) log.write('error', what, { generator_id: id, reason: done.left.message });
  };

  const forgetGlobals = async (key: string): Promise<void> => {
    const subject = leaseSubjectOf(key);
    if (subject?.kind === 'scenario') await ask('scenarios.forget', { name: subject.name });
  };

  /** Another node may have changed them since they were loaded here. */
  const freshGlobals = async (key: string): Promise<void> => {
    const epoch = member.epochOf(key);
    if (epoch === null || loadedBy.get(key) === epoch) return;
    await forgetGlobals(key);
    loadedBy.set(key, epoch);
  };

  /** Orders to run and to stop are about generators. */
  const idOf = (key: string): string => leaseSubjectOf(key)?.name ?? '';

  const begin = async (key: string): Promise<void> => {
    const id = idOf(key);
    const registration = options.registrationOf(id);
    if (registration === null) return;
    here.set(key, id);
    for (const name of registration.scenarios) await freshGlobals(scenarioKey(name));
    complain(
      await ask('generators.add', { registration }),
      id,
      'a generator of the cluster cannot be registered',
    );
    if (!shouldRun(view, generatorIdOf(id))) return;
    const started = await ask('generators.start', { id });
    const reason = E.isLeft(started) ? refusalOf(started.left) : null;
    const task = member.taskOf(key);
    if (reason !== null && task !== null) options.onRefused(task, reason);
  };

  const end = async (key: string, isLost: boolean): Promise<void> => {
    const id = idOf(key);
    const ended = await (isLost ? ask('generators.abandon', { id }) : ask('generators.delete', { id }));
    if (E.isLeft(ended) && ended.left.code !== 'not_found')
      complain(ended, id, 'a generator that moves to another node did not stop cleanly');
    here.delete(key);
    queues.delete(key);
  };

  const holdings: Holdings = {
    run: (key) => void inTurn(key, () => begin(key)),
    // A lost generator does not wait for a start or stop under way.
    stop: (key, isLost) => (isLost ? end(key, true) : inTurn(key, () => end(key, false))),
    taken: freshGlobals,
    released: async (key) => {
      loadedBy.delete(key);
      await forgetGlobals(key);
    },
    whyNot: async (name) => {
      const task = view.tasks.find((one) => one.name === name);
      for (const { id } of task?.generators ?? []) {
        const registration = options.registrationOf(id);
        const defined = registration === null ? null : await options.define(registration);
        const reason = defined !== null && E.isLeft(defined) ? refusalOf(defined.left) : null;
        if (reason !== null) return reason;
      }
      return null;
    },
  };
  return {
    ...holdings,
    /** Applies a changed entry of the startup list to what runs here. */
    reload: async (entry: string): Promise<void> => {
      const those = [...here].filter(([, id]) => generatorIdOf(id) === entry);
      await Promise.all(
        those.map(([key, id]) =>
          inTurn(key, async () => {
            const registration = options.registrationOf(id);
            if (registration === null || !here.has(key)) return;
            await ask('generators.reload', { registration, autostart: shouldRun(view, entry) });
          }),
        ),
      );
    },
  };
};
