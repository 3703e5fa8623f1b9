import * as E from 'fp-ts/lib/Either.js';
import type { AskActor, AskMessages } from '../../../actors/ask.js';
import { bulkStart, bulkStop } from '../../../actors/generators/roster.js';
import { generatorKey, scenarioKey } from '../../cluster/keys.js';
import { failure, type Result } from '../../domain/errors.js';
import { generatorIdOf, partitionIds } from '../../domain/partitions.js';
import { busiest, mergeParts } from '../../domain/stats/series.js';
import type { Requests } from '../../messages/ask.js';
import type { GeneratorListItem, GeneratorStatus } from '../../messages/generators.js';
import { askNode, type RemoteType } from './calls.js';
import type { ClusterNode } from './node.js';
import { followedTails, mergeEvents } from './nodeStreams.js';
import {
  absentItem,
  absentStatus,
  noNode,
  problemsById,
  quarantinedStatus,
  type ReportedNode,
} from './report.js';
import { quarantineOf } from './view.js';

type Payload<K extends keyof AskMessages> = AskMessages[K]['payload'];
type Answer<K extends keyof AskMessages> = AskMessages[K]['answer'];
type Handlers = {
  readonly [K in keyof AskMessages]?: (payload: Payload<K>) => Promise<Result<Answer<K>>>;
};

/** How long lists and streams of several nodes wait for each of them. */
const ANSWER_MS = 700;

/** Requests that change a generator directory. */
const EDITS = [
  ...(['configs.create', 'configs.update', 'configs.patch', 'configs.delete', 'configs.import'] as const),
  ...(['configs.create_file', 'configs.replace_file', 'configs.delete_file'] as const),
  ...(['configs.make_directory', 'configs.move_file', 'configs.copy_file', 'library.copy'] as const),
];

const NO_RENAME = failure(
  'wrong_state',
  'generators of a cluster cannot be renamed: add an entry with the new id to the startup list, which begins a new stream, and delete the former one',
);

interface RoutingOptions {
  readonly local: AskActor;
  readonly node: ReportedNode & Pick<ClusterNode, 'link' | 'directories'>;
  readonly shownPath: (path: string) => string;
  /** Runs now and again until the result is called. */
  readonly every: (run: () => void) => () => void;
}

/** Sends each request to the nodes that it concerns, and joins their answers. */
export const routedAsk = ({ local, node, shownPath, every }: RoutingOptions): AskActor => {
  const { link, view, member, wanted, directories } = node;
  const remote = askNode(link.calls);
  /** Nodes that did not answer in time, and their last beat before they were asked. */
  const silentSince = new Map<string, number>();

  const at = <K extends RemoteType>(
    name: string,
    type: K,
    payload: Requests[K]['payload'],
  ): Promise<Result<Requests[K]['answer']>> =>
    name === view.node
      ? (local(type as keyof AskMessages, payload as never) as Promise<Result<Requests[K]['answer']>>)
      : remote(name, type, payload);

  /** Asks no node that is lost, and one that was silent only after its next beat. */
  const askSoon = async <K extends RemoteType>(
    name: string,
    type: K,
    payload: Requests[K]['payload'],
  ): Promise<Result<Requests[K]['answer']>> => {
    if (name === view.node) return at(name, type, payload);
    const { isLost, revision } = member.sightOf(name);
    if (isLost) return E.left(noNode(`node "${name}"`, 'it is lost'));
    if (silentSince.get(name) === revision) return E.left(noNode(`node "${name}"`, 'it does not answer'));
    const answer = await remote(name, type, payload, ANSWER_MS);
    if (E.isLeft(answer) && answer.left.code === 'timed_out') silentSince.set(name, revision);
    else silentSince.delete(name);
    return answer;
  };

  const nodes = (): readonly string[] => [
    ...new Set([view.node, ...view.nodes.keys(), ...view.unreadable.nodes.keys()]),
  ];

  /** Answers of all nodes, this one first. */
  const everywhere = <K extends RemoteType>(type: K, payload: Requests[K]['payload']) =>
    Promise.all(nodes().map(async (name) => [name, await askSoon(name, type, payload)] as const));

  const rightsOf = <A>(answers: readonly (readonly [string, Result<A>])[]): readonly A[] =>
    answers.flatMap(([, answer]) => (E.isRight(answer) ? [answer.right] : []));

  /** Joins the answers of the nodes that answer; this one refuses wrong queries. */
  const joined = async <K extends RemoteType, A>(
    type: K,
    payload: Requests[K]['payload'],
    join: (answers: readonly Requests[K]['answer'][]) => A,
  ): Promise<Result<A>> => {
    const answers = await everywhere(type, payload);
    const own = answers[0]?.[1];
    return own !== undefined && E.isLeft(own) ? own : E.right(join(rightsOf(answers)));
  };

  const isListed = (id: string | null): boolean => id !== null && view.entries.has(generatorIdOf(id));

  /** Ids of a generator or its partitions, as the nodes know them. */
  const partsOf = (id: string): readonly string[] => {
    const entry = view.entries.get(id);
    return entry === undefined ? [id] : partitionIds(entry);
  };

  /** Returns the node that answers for a generator, or null when it is listed, but no node has it. */
  const nodeOf = (id: string): string | null => {
    if (isListed(id)) return member.holderOf(generatorKey(id));
    return [...view.nodes].find(([, { local: ids }]) => ids.includes(id))?.[0] ?? view.node;
  };

  const whyNowhere = (id: string, known = problemsById(node)): string =>
    link.isConnected()
      ? (known.get(id) ?? 'no node runs it yet')
      : 'this node has lost the cluster and does not know how it is elsewhere';

  const shownStatus = (id: string, status: GeneratorStatus): GeneratorStatus => {
    const reason = status.is_running ? undefined : quarantineOf(view, id);
    return reason === undefined ? status : quarantinedStatus(status, reason);
  };

  const byGenerator =
    <K extends RemoteType>(type: K, absent?: (id: string) => Result<Requests[K]['answer']>) =>
    async (payload: Requests[K]['payload']): Promise<Result<Requests[K]['answer']>> => {
      const { id } = payload as unknown as { readonly id: string };
      const place = nodeOf(id);
      if (place !== null && place !== view.node && member.sightOf(place).isLost)
        return E.left(noNode(`generator "${id}"`, `its node "${place}" is lost`));
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
    const silent = new Map<string, string>();
    for (const [name, answer] of await everywhere('generators.list', null)) {
      if (E.isLeft(answer)) silent.set(name, `its node does not answer (${answer.left.message})`);
      else for (const item of answer.right) found.set(item.id, { ...item, node: name });
    }
    const absent = [...view.entries.values()].flatMap(({ id: entry, path, scenarios }) =>
      partsOf(entry)
        .filter((id) => !found.has(id))
        .map((id) => ({ id, path: shownPath(path), scenarios })),
    );
    const known = absent.length === 0 ? new Map<string, string>() : problemsById(node);
    for (const item of absent) {
      const place = nodeOf(item.id);
      const silence = place === null || !link.isConnected() ? undefined : silent.get(place);
      const reason = silence ?? whyNowhere(item.id, known);
      found.set(item.id, absentItem(item, reason, place));
    }
    for (const [name, reason] of silent)
      for (const id of view.nodes.get(name)?.local ?? [])
        if (!found.has(id)) found.set(id, absentItem({ id, path: '', scenarios: [] }, reason, name));
    return E.right(
      [...found.values()].map((item) => ({ ...item, status: shownStatus(item.id, item.status) })),
    );
  };

  const status = byGenerator('generators.status', (id) => E.right(absentStatus(whyNowhere(id))));
  const remove = byGenerator('generators.delete');
  const restart = start('generators.restart');

  const create = async (payload: Payload<'generators.create'>) => {
    const isTaken = view.entries.has(payload.id) || nodeOf(payload.id) !== view.node;
    return isTaken
      ? E.left(failure('already_exists', `generator "${payload.id}" already exists`))
      : local('generators.create', payload);
  };

  const events = async (payload: Payload<'observe.events'>): Promise<Result<Answer<'observe.events'>>> => {
    const own = await local('observe.events', { ...payload, last_event_id: null });
    if (E.isLeft(own)) return own;
    let stopLooking = (): void => {};
    const merged = mergeEvents(isListed, () => stopLooking());
    merged.add(view.node, own.right);
    const opening = new Set<string>();
    const look = (): void => {
      for (const name of nodes()) {
        if (merged.has(name) || opening.has(name)) continue;
        opening.add(name);
        void askSoon(name, 'observe.events', { ...payload, last_event_id: null }).then((stream) => {
          opening.delete(name);
          if (E.isRight(stream)) merged.add(name, stream.right);
        });
      }
    };
    stopLooking = every(look);
    look();
    return E.right(merged.stream);
  };

  const followed = { isKnown: isListed, every };
  const tails = ({ ids, ...limits }: Payload<'observe.tails'>): Promise<Result<Answer<'observe.tails'>>> =>
    followedTails(ids, {
      ...followed,
      own: view.node,
      nodeOf: (id) => nodeOf(id) ?? view.node,
      isLabeled: true,
      open: (name, those) => askSoon(name, 'observe.tails', { ids: those, ...limits }),
    });

  const tail = async (payload: Payload<'observe.tail'>): Promise<Result<Answer<'observe.tail'>>> => {
    const { id } = payload;
    const place = nodeOf(id);
    if (place === null) return E.left(noNode(`generator "${id}"`, whyNowhere(id)));
    return followedTails([id], {
      ...followed,
      own: place,
      nodeOf,
      isLabeled: false,
      open: (name) => askSoon(name, 'observe.tail', payload),
    });
  };

  const edits = Object.fromEntries(
    EDITS.map((type) => [
      type,
      (payload: Payload<typeof type>) => directories.edit(payload.name, () => local(type, payload)),
    ]),
  );

  const handlers: Handlers = {
    'generators.list': list,
    'generators.stats_running': async () =>
      E.right(rightsOf(await everywhere('generators.stats_running', null)).flat()),
    'generators.read': byGenerator('generators.read'),
    'generators.status': async (payload) =>
      E.map((found: GeneratorStatus) => shownStatus(payload.id, found))(await status(payload)),
    'generators.stats': byGenerator('generators.stats'),
    'generators.history': byGenerator('generators.history', () => E.right([])),
    'generators.check_outputs': byGenerator('generators.check_outputs'),
    'generators.start': start('generators.start'),
    'generators.stop': stop,
    'generators.restart': restart,
    'generators.create': create,
    'generators.replace': byGenerator('generators.replace'),
    'generators.delete': remove,
    'generators.rename': async () => E.left(NO_RENAME),
    'generators.patch': byGenerator('generators.patch'),
    'generators.bulk_start': ({ ids }) => bulkStart(ids, (id) => start('generators.start')({ id })),
    'generators.bulk_restart': ({ ids }) => bulkStart(ids, (id) => restart({ id })),
    'generators.bulk_stop': ({ ids }) => bulkStop(ids, (id) => stop({ id })),
    'generators.bulk_delete': ({ ids }) => bulkStop(ids, (id) => remove({ id })),
    'globals.change': byScenario('globals.change'),
    'globals.history': byScenario('globals.history'),
    'globals.read': byScenario('globals.read'),
    'globals.read_key': byScenario('globals.read_key'),
    'dead_letters.list': async (payload) =>
      E.right(rightsOf(await everywhere('dead_letters.list', payload)).flat()),
    'dead_letters.read': byGenerator('dead_letters.read'),
    'dead_letters.resend': byGenerator('dead_letters.resend'),
    'dead_letters.purge': byGenerator('dead_letters.purge'),
    'observe.tail': tail,
    'observe.tails': tails,
    'observe.series': (payload) =>
      payload.id === null
        ? joined('observe.series', payload, mergeParts)
        : byGenerator('observe.series')(payload),
    'observe.busiest': (payload) =>
      joined('observe.busiest', payload, (parts) => busiest(parts.flat(), payload.count)),
    'observe.log': async (payload) =>
      payload.id === null
        ? local('observe.log', payload)
        : byGenerator('observe.log')({ ...payload, id: payload.id }),
    'observe.events': events,
    ...edits,
  };

  return (type, payload) => {
    const handler = handlers[type] as
      | ((given: typeof payload) => Promise<Result<AskMessages[typeof type]['answer']>>)
      | undefined;
    return handler === undefined ? local(type, payload) : handler(payload);
  };
};
