import * as E from 'fp-ts/lib/Either.js';
import type { AskActor, Messages } from '../../../actors/ask.js';
import { scenarioKey } from '../../cluster/keys.js';
import { failure, type Result } from '../../domain/errors.js';
import { generatorIdOf, partitionIds } from '../../domain/partitions.js';
import type { Requests } from '../../messages/ask.js';
import type { DeadLetterBox } from '../../messages/deadLetters.js';
import type { BulkStart, GeneratorListItem } from '../../messages/generators.js';
import { absentItem, absentStatus, noNode } from './absent.js';
import { askNode, type RemoteType } from './calls.js';
import type { ClusterNode } from './node.js';
import { followedTails, mergeEvents } from './nodeStreams.js';
import { leaseKeyOf } from './view.js';

type Payload<K extends keyof Messages> = Messages[K]['payload'];
type Answer<K extends keyof Messages> = Messages[K]['answer'];
type Handlers = {
  readonly [K in keyof Messages]?: (payload: Payload<K>) => Promise<Result<Answer<K>>>;
};

/** How often a merged stream looks for nodes that joined. */
const LOOK_EVERY_MS = 2_000;

interface RoutingOptions {
  readonly local: AskActor;
  readonly node: Pick<ClusterNode, 'link' | 'view' | 'member' | 'wanted' | 'directories'>;
  readonly shownPath: (path: string) => string;
  readonly every: (ms: number, run: () => void) => () => void;
}

/** Sends each request to the nodes that it concerns, and joins their answers. */
export const routedAsk = ({ local, node, shownPath, every }: RoutingOptions): AskActor => {
  const { link, view, member, wanted, directories } = node;
  const remote = askNode(link.calls);

  const at = <K extends RemoteType>(
    name: string,
    type: K,
    payload: Requests[K]['payload'],
  ): Promise<Result<Requests[K]['answer']>> =>
    name === view.node
      ? (local(type as keyof Messages, payload as never) as Promise<Result<Requests[K]['answer']>>)
      : remote(name, type, payload);

  const nodes = (): readonly string[] => [
    view.node,
    ...[...view.nodes.keys()].filter((name) => name !== view.node),
  ];

  /** Answers of all nodes that answer, this one first. */
  const everywhere = async <K extends RemoteType>(type: K, payload: Requests[K]['payload']) => {
    const answers = await Promise.all(
      nodes().map(async (name) => [name, await at(name, type, payload)] as const),
    );
    return answers.flatMap(([name, answer]) => (E.isRight(answer) ? [[name, answer.right] as const] : []));
  };

  /** Ids of a generator or its partitions, as the nodes know them. */
  const partsOf = (id: string): readonly string[] => {
    const entry = view.entries.get(id);
    return entry === undefined ? [id] : partitionIds(entry);
  };

  /** Node that answers for a generator; `null`: it is listed, but no node has it. */
  const nodeOf = (id: string): string | null => {
    if (view.entries.has(generatorIdOf(id))) return member.holderOf(leaseKeyOf(id));
    return [...view.nodes].find(([, { document }]) => document.local.includes(id))?.[0] ?? view.node;
  };

  const whyNowhere = (id: string): string => {
    if (!link.isConnected()) return 'this node has lost the cluster and does not know how it is elsewhere';
    const unit = member.unitOf(leaseKeyOf(id));
    const owner = unit === null ? null : member.ownerOf(unit);
    const refusals = [...view.nodes].flatMap(([name, { document }]) =>
      document.refused.flatMap(({ reason, units }) =>
        units.includes(unit ?? '') ? [`${name}: ${reason}`] : [],
      ),
    );
    if (refusals.length > 0) return `no node can run it (${refusals.join('; ')})`;
    return owner === null
      ? 'no node of the cluster can run it now: look at `spate cluster status`'
      : `no node runs it yet; node "${owner}" takes it in some seconds`;
  };

  const byGenerator =
    <K extends RemoteType>(type: K, absent?: (id: string) => Result<Requests[K]['answer']>) =>
    async (payload: Requests[K]['payload']): Promise<Result<Requests[K]['answer']>> => {
      const { id } = payload as unknown as { readonly id: string };
      const place = nodeOf(id);
      if (place !== null) return at(place, type, payload);
      return absent?.(id) ?? E.left(noNode(`generator "${id}"`, whyNowhere(id)));
    };

  const byScenario =
    <K extends RemoteType>(type: K) =>
    async (payload: Requests[K]['payload']): Promise<Result<Requests[K]['answer']>> => {
      const { name } = payload as unknown as { readonly name: string };
      const isListed = [...view.entries.values()].some(({ scenarios }) => scenarios.includes(name));
      if (!isListed) return at(view.node, type, payload);
      const place = member.holderOf(scenarioKey(name));
      if (place !== null) return at(place, type, payload);
      return E.left(
        noNode(`scenario "${name}"`, 'no node holds it at the moment; try again in some seconds'),
      );
    };

  /** Remembers what people want, so that the next node does it too. */
  const noteWanted = async (id: string, state: 'running' | 'stopped'): Promise<Result<null>> =>
    view.entries.has(generatorIdOf(id)) ? wanted.setGenerator(generatorIdOf(id), state) : E.right(null);

  const start =
    (type: 'generators.start' | 'generators.restart') => async (payload: { readonly id: string }) => {
      const noted = await noteWanted(payload.id, 'running');
      return E.isLeft(noted) ? noted : byGenerator(type)(payload);
    };

  const stop = async (payload: { readonly id: string }): Promise<Result<null>> => {
    const noted = await noteWanted(payload.id, 'stopped');
    return E.isLeft(noted) ? noted : byGenerator('generators.stop', () => E.right(null))(payload);
  };

  const list = async (): Promise<Result<readonly GeneratorListItem[]>> => {
    const found = new Map<string, GeneratorListItem>();
    for (const [name, items] of await everywhere('generators.list', null))
      for (const item of items) found.set(item.id, { ...item, node: name });
    for (const entry of view.entries.values())
      for (const id of partsOf(entry.id))
        if (!found.has(id))
          found.set(
            id,
            absentItem({ id, path: shownPath(entry.path), scenarios: entry.scenarios }, whyNowhere(id)),
          );
    return E.right([...found.values()]);
  };

  const bulkStart =
    (act: (payload: { readonly id: string }) => Promise<Result<true>>) =>
    async ({ ids }: { readonly ids: readonly string[] }) => {
      const answers = await Promise.all(
        [...new Set(ids)].map(async (id) => [id, await act({ id })] as const),
      );
      const failed = answers.flatMap(([id, answer]) =>
        E.isLeft(answer) ? [[id, answer.left.message] as const] : [],
      );
      const answer: BulkStart = {
        running_generator_ids: answers.flatMap(([id, one]) => (E.isRight(one) ? [id] : [])),
        non_running_generator_ids: failed.map(([id]) => id),
        reasons: Object.fromEntries(failed),
      };
      return E.right(answer);
    };

  const bulkStop =
    (act: (payload: { readonly id: string }) => Promise<Result<null>>) =>
    async ({ ids }: { readonly ids: readonly string[] }) => {
      const answers = await Promise.all([...new Set(ids)].map((id) => act({ id })));
      return answers.filter(E.isLeft).find(({ left }) => left.code !== 'not_found') ?? E.right(null);
    };

  const remove = byGenerator('generators.delete');
  const restart = start('generators.restart');

  const create = async (payload: Payload<'generators.create'>) => {
    const isTaken = view.entries.has(payload.id) || nodeOf(payload.id) !== view.node;
    return isTaken
      ? E.left(failure('already_exists', `generator "${payload.id}" already exists`))
      : local('generators.create', payload);
  };

  const letterBoxes = async (payload: Payload<'letters.list'>): Promise<Result<readonly DeadLetterBox[]>> =>
    E.right((await everywhere('letters.list', payload)).flatMap(([, boxes]) => boxes));

  const events = async (payload: Payload<'observe.events'>): Promise<Result<Answer<'observe.events'>>> => {
    const own = await local('observe.events', { ...payload, last_event_id: null });
    if (E.isLeft(own)) return own;
    let stopLooking = (): void => {};
    const merged = mergeEvents(
      (id) => view.entries.has(generatorIdOf(id)),
      () => stopLooking(),
    );
    merged.add(view.node, own.right);
    const look = async (): Promise<void> => {
      for (const name of nodes()) {
        if (merged.has(name) || name === view.node) continue;
        const stream = await remote(name, 'observe.events', { ...payload, last_event_id: null });
        if (E.isRight(stream)) merged.add(name, stream.right);
      }
    };
    stopLooking = every(LOOK_EVERY_MS, () => void look());
    void look();
    return E.right(merged.stream);
  };

  const tails = ({ ids, ...limits }: Payload<'observe.tails'>): Promise<Result<Answer<'observe.tails'>>> =>
    followedTails(ids, {
      own: view.node,
      nodeOf: (id) => nodeOf(id) ?? view.node,
      open: (name, those) => at(name, 'observe.tails', { ids: those, ...limits }),
      isKnown: (id) => view.entries.has(generatorIdOf(id)),
      every: (run) => every(LOOK_EVERY_MS, run),
    });

  const edit =
    <K extends keyof Messages>(type: K, nameOf: (payload: Payload<K>) => string) =>
    (payload: Payload<K>): Promise<Result<Answer<K>>> =>
      directories.edit(nameOf(payload), () => local(type, payload));
  const byName = ({ name }: { readonly name: string }): string => name;

  const handlers: Handlers = {
    'generators.list': list,
    'generators.stats_running': async () =>
      E.right((await everywhere('generators.stats_running', null)).flatMap(([, stats]) => stats)),
    'generators.read': byGenerator('generators.read'),
    'generators.status': byGenerator('generators.status', (id) => E.right(absentStatus(whyNowhere(id)))),
    'generators.stats': byGenerator('generators.stats'),
    'generators.history': byGenerator('generators.history', () => E.right([])),
    'generators.start': start('generators.start'),
    'generators.stop': stop,
    'generators.restart': restart,
    'generators.create': create,
    'generators.replace': byGenerator('generators.replace'),
    'generators.delete': remove,
    'generators.patch': byGenerator('generators.patch'),
    'generators.bulk_start': bulkStart(start('generators.start')),
    'generators.bulk_restart': bulkStart(restart),
    'generators.bulk_stop': bulkStop(stop),
    'generators.bulk_delete': bulkStop(remove),
    'globals.change': byScenario('globals.change'),
    'globals.history': byScenario('globals.history'),
    'globals.read': byScenario('globals.read'),
    'globals.read_key': byScenario('globals.read_key'),
    'letters.list': letterBoxes,
    'letters.read': byGenerator('letters.read'),
    'letters.replay': byGenerator('letters.replay'),
    'letters.purge': byGenerator('letters.purge'),
    'observe.tail': byGenerator('observe.tail'),
    'observe.tails': tails,
    'observe.log': async (payload) =>
      payload.id === null
        ? local('observe.log', payload)
        : byGenerator('observe.log')({ ...payload, id: payload.id }),
    'observe.events': events,
    'configs.create': edit('configs.create', byName),
    'configs.update': edit('configs.update', byName),
    'configs.patch': edit('configs.patch', byName),
    'configs.delete': edit('configs.delete', byName),
    'configs.import': edit('configs.import', byName),
    'configs.create_file': edit('configs.create_file', byName),
    'configs.replace_file': edit('configs.replace_file', byName),
    'configs.delete_file': edit('configs.delete_file', byName),
    'configs.make_directory': edit('configs.make_directory', byName),
    'configs.move_file': edit('configs.move_file', byName),
    'configs.copy_file': edit('configs.copy_file', byName),
    'library.copy': edit('library.copy', byName),
  };

  return (type, payload) => {
    const handler = handlers[type] as
      | ((given: typeof payload) => Promise<Result<Messages[typeof type]['answer']>>)
      | undefined;
    return handler === undefined ? local(type, payload) : handler(payload);
  };
};
