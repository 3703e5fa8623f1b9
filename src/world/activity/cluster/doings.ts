import { weighted } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import {
  CLUSTER_CALLS,
  type ClusterCall,
  HEALTH_CALLS,
  PROBE_CALLS,
  SHELL_CALLS,
  VERSION_CALL,
  WATCH_CALLS,
} from './clusterCalls.js';
import { ANONYMOUS, type ClusterCaller, UNKNOWN_TOKEN } from './clusterUser.js';
import {
  CONFIG_MAPS,
  LINUX_KUBECTL,
  NAMESPACES,
  OPERATORS,
  SCRIPT_AGENTS,
  secretsOf,
  someWorkload,
  WORKLOADS,
  type Workload,
} from './estate.js';
import { type ClusterScene, rollOut, shellOnNode } from './pods.js';
import { type ClusterWriter, clusterSubject, NO_SUBJECT } from './steps.js';

const C = CLUSTER_CALLS;

const FORBIDDEN_SHARE = 0.04;

/** Looks at the secrets of one or two namespaces, and reads some: what may I do, what is there, what is in it. */
export const tourSecrets = (
  writer: ClusterWriter,
  { own }: ClusterScene,
  caller: ClusterCaller,
  pause: number,
): void => {
  const wait = (): number => own.lognormal(pause, 0.7);
  const namespace = own.pick(NAMESPACES);
  if (own.chance(0.5)) writer.ask(caller, C.askRules, clusterSubject(namespace), wait());
  if (own.chance(0.5)) writer.ask(caller, C.listNamespaces, NO_SUBJECT, wait());
  if (own.chance(0.4))
    writer.ask(caller, C.listAllSecrets, NO_SUBJECT, wait(), own.chance(0.3) ? 403 : undefined);
  else writer.ask(caller, C.listSecrets, clusterSubject(namespace), wait());
  for (const name of secretsOf(namespace)) {
    if (own.chance(0.25)) continue;
    writer.ask(
      caller,
      C.getSecret,
      clusterSubject(namespace, name),
      wait(),
      own.chance(0.06) ? 403 : undefined,
    );
  }
};

/** Tries paths that are known without a token, or with one that is guessed. */
export const probeApi = (
  writer: ClusterWriter,
  { own }: ClusterScene,
  ip: string,
  agent: string,
  count: number,
  pause: number,
): void => {
  const base = { agent, ip, pod: null, node: null };
  for (let left = count; left > 0; left--) {
    const call = own.pick(PROBE_CALLS);
    const about = clusterSubject(own.pick(NAMESPACES), call.subresource === null ? null : 'web-0');
    const isGuess = own.chance(0.3);
    const user = isGuess ? UNKNOWN_TOKEN : ANONYMOUS;
    writer.ask({ ...base, user }, call, about, own.lognormal(pause, 0.9), isGuess ? 401 : call.code);
  }
};

export const PROBE_AGENTS = [
  ...SCRIPT_AGENTS,
  'Mozilla/5.0 zgrab/0.x',
  'masscan/1.3',
  LINUX_KUBECTL,
] as const;

type PersonTask = 'look' | 'log' | 'shell' | 'change' | 'restart' | 'secrets' | 'refused' | 'node' | 'rights';
const taskAt = weighted<PersonTask>([
  [46, 'look'],
  [20, 'log'],
  [7, 'shell'],
  [6, 'change'],
  [5, 'restart'],
  [3, 'secrets'],
  [6, 'refused'],
  [1.4, 'node'],
  [6, 'rights'],
]);

const LOOKS: readonly (keyof typeof CLUSTER_CALLS)[] = [
  ...(['listPods', 'listPods', 'listPods', 'listDeployments', 'listEvents', 'listServices'] as const),
  ...([
    'listReplicaSets',
    'listJobs',
    'listConfigMaps',
    'listIngresses',
    'podMetrics',
    'listAllPods',
  ] as const),
  ...(['listNodes', 'listNamespaces', 'nodeMetrics'] as const),
];
const REFUSED: readonly (keyof typeof CLUSTER_CALLS)[] = [
  ...(['listAllSecrets', 'listSecrets', 'listRoles', 'listBindings', 'listNodes', 'listVolumes'] as const),
];

/** What somebody does at a keyboard for some minutes. */
export const workAtKeyboard = (
  writer: ClusterWriter,
  scene: ClusterScene,
  caller: ClusterCaller,
  tasks: number,
  person: Person | null,
): void => {
  const { cluster, own, at } = scene;
  const one = someWorkload(own.next());
  const { namespace } = one;
  const pod = (): ReturnType<typeof cluster.subjectOf> =>
    cluster.subjectOf(one, own.integer(0, cluster.podCount(one) - 1), at);
  const wait = (): number => own.lognormal(14, 0.9);
  for (let left = tasks; left > 0; left--) {
    switch (taskAt(own.next())) {
      case 'look':
        writer.ask(caller, C[own.pick(LOOKS)], clusterSubject(namespace), wait());
        if (own.chance(0.5)) writer.ask(caller, C.getPod, pod(), own.lognormal(4, 0.8));
        break;
      case 'log':
        writer.ask(caller, C.getPod, pod(), wait());
        writer.ask(caller, C.getLog, pod(), 0.05);
        break;
      case 'shell': {
        const about = pod();
        writer.ask(caller, C.getPod, about, wait());
        for (let count = own.integer(1, 3); count > 0; count--)
          writer.ask(caller, own.pick(SHELL_CALLS), about, own.lognormal(6, 0.9));
        break;
      }
      case 'change': {
        const about = { ...clusterSubject(namespace, one.name), app: one.name, image: one.image };
        writer.ask(caller, C.getDeployment, about, wait());
        writer.ask(caller, own.chance(0.4) ? C.scale : C.patchDeployment, about, own.lognormal(9, 0.6));
        rollOut(writer, scene, one, 1);
        break;
      }
      case 'restart':
        writer.ask(caller, C.deletePod, pod(), wait());
        break;
      case 'secrets':
        tourSecrets(writer, scene, caller, 3);
        break;
      case 'refused':
        writer.ask(caller, C[own.pick(REFUSED)], clusterSubject(own.pick(NAMESPACES)), wait(), 403);
        break;
      case 'node':
        if (person?.is_admin !== false) shellOnNode(writer, scene, caller, own.integer(2, 5), 8);
        break;
      case 'rights':
        writer.ask(caller, own.chance(0.5) ? C.askRules : C.askAccess, clusterSubject(namespace), wait());
        break;
    }
  }
};

/** A pipeline puts a new version of a program into the cluster. */
export const deployProgram = (writer: ClusterWriter, scene: ClusterScene, caller: ClusterCaller): void => {
  const { own } = scene;
  const one = someWorkload(own.next());
  const about = { ...clusterSubject(one.namespace, one.name), app: one.name, image: one.image };
  const wait = (): number => own.exponential(0.4);
  writer.ask(caller, C.askAccess, about, 0);
  writer.ask(caller, C.listSecrets, about, wait());
  writer.ask(caller, C.getConfigMap, clusterSubject(one.namespace, own.pick(CONFIG_MAPS)), wait());
  writer.ask(caller, C.getDeployment, about, wait());
  if (own.chance(0.5))
    writer.ask(caller, C.updateConfigMap, clusterSubject(one.namespace, 'settings'), wait());
  if (own.chance(0.3))
    writer.ask(
      caller,
      C.updateSecret,
      clusterSubject(one.namespace, own.pick(secretsOf(one.namespace))),
      wait(),
    );
  writer.ask(caller, C.patchDeployment, about, wait());
  rollOut(writer, scene, one, own.integer(1, 3));
  for (let left = own.integer(2, 6); left > 0; left--) writer.ask(caller, C.getDeployment, about, 2);
};

/** What programs read of their namespace, by their own account. */
const READS = weighted<keyof typeof CLUSTER_CALLS>([
  [22, 'getConfigMap'],
  [10, 'getSecret'],
  [14, 'getEndpoints'],
  [6, 'listEndpoints'],
  [10, 'getService'],
  [14, 'listPods'],
  [4, 'listConfigMaps'],
  [6, 'listServices'],
  [4, 'listJobs'],
  [4, 'getPod'],
  [1.5, 'listSecrets'],
  [1, 'listNamespaces'],
  [1, 'askRules'],
]);

const nameFor = (scene: ClusterScene, one: Workload, call: ClusterCall): string | null => {
  const { own } = scene;
  if (call.verb === 'list') return null;
  if (call.resource === 'configmaps') return own.pick(CONFIG_MAPS);
  if (call.resource === 'secrets') return own.pick(secretsOf(one.namespace));
  return own.pick(WORKLOADS.filter(({ namespace }) => namespace === one.namespace)).name;
};

/** A program asks for settings, secrets and its neighbors. */
export const readAsProgram = (
  writer: ClusterWriter,
  scene: ClusterScene,
  caller: ClusterCaller,
  one: Workload,
): void => {
  const { cluster, own, at } = scene;
  for (let left = own.integer(1, 4); left > 0; left--) {
    const call = C[READS(own.next())];
    const about =
      call.resource === 'pods' && call.verb === 'get'
        ? cluster.subjectOf(one, own.integer(0, cluster.podCount(one) - 1), at)
        : clusterSubject(one.namespace, nameFor(scene, one, call));
    const isRefused = own.chance(FORBIDDEN_SHARE / 4);
    writer.ask(caller, call, about, own.exponential(0.3), isRefused ? 403 : undefined);
  }
};

/** What such a program reads and writes of its own. */
const OWN_CALLS = [C.getConfigMap, C.getConfigMap, C.updateConfigMap, C.getSecret, C.listSecrets, C.listPods];

/** One of the programs that run the cluster looks after what it is for. */
export const operate = (
  writer: ClusterWriter,
  scene: ClusterScene,
  caller: ClusterCaller,
  operator: keyof typeof OPERATORS,
): void => {
  const { own, cluster, at } = scene;
  const one = someWorkload(own.next());
  const here = clusterSubject(one.namespace);
  const named = { ...clusterSubject(one.namespace, one.name), app: one.name, image: one.image };
  const ask = (call: ClusterCall, about = here): void =>
    writer.ask(caller, call, about, own.exponential(0.2));
  const home = OPERATORS[operator].namespace;
  if (own.chance(0.25)) {
    const call = own.pick(OWN_CALLS);
    const name = call === C.getSecret ? own.pick(secretsOf(home)) : own.pick(CONFIG_MAPS);
    ask(call, clusterSubject(home, call.verb === 'list' ? null : name));
  }
  switch (operator) {
    case 'ingress':
      ask(own.chance(0.5) ? C.listIngresses : C.listEndpoints);
      if (own.chance(0.4))
        ask(C.getSecret, clusterSubject(one.namespace, own.pick(secretsOf(one.namespace))));
      if (own.chance(0.3)) ask(C.ingressStatus, named);
      break;
    case 'certificates':
      ask(C.getCertificate, named);
      ask(own.chance(0.6) ? C.getSecret : C.updateSecret, clusterSubject(one.namespace, 'tls-cert'));
      if (own.chance(0.3)) ask(C.certificateStatus, named);
      break;
    case 'secrets':
      ask(C.getSecret, clusterSubject(one.namespace, own.pick(secretsOf(one.namespace))));
      if (own.chance(0.3))
        ask(C.updateSecret, clusterSubject(one.namespace, own.pick(secretsOf(one.namespace))));
      break;
    case 'policy':
      ask(
        own.chance(0.5) ? C.getNamespace : C.listPods,
        own.chance(0.5) ? clusterSubject('', one.namespace) : here,
      );
      break;
    case 'monitoring':
      ask(own.chance(0.4) ? C.listEndpoints : own.chance(0.5) ? C.listServices : C.listPods);
      break;
    case 'state':
      ask(
        own.pick([
          C.listAllPods,
          C.listDeployments,
          C.listReplicaSets,
          C.listJobs,
          C.listDaemonSets,
          C.listNodes,
        ]),
      );
      break;
    case 'metrics':
      ask(C.reviewAccess, { ...here, account: one.account });
      if (own.chance(0.4)) ask(C.listNodes);
      break;
    case 'delivery':
      ask(C.getApplication, named);
      if (own.chance(0.4)) ask(C.patchApplication, named);
      if (own.chance(0.5)) ask(C.getDeployment, named);
      break;
    case 'backup':
      ask(C.listNamespaces, NO_SUBJECT);
      ask(C.listConfigMaps);
      ask(C.listSecrets);
      if (own.chance(0.3)) ask(C.listVolumes, NO_SUBJECT);
      break;
    case 'maintenance':
      ask(C.listNodes, NO_SUBJECT);
      ask(C.getNode, clusterSubject('', own.pick(cluster.nodes).name));
      if (own.chance(0.5)) ask(C.getPod, cluster.subjectOf(one, 0, at));
      break;
  }
};

/** A watch of a controller, an operator or a node. */
export const watchSomething = (writer: ClusterWriter, { own }: ClusterScene, caller: ClusterCaller): void =>
  writer.watch(caller, own.pick(WATCH_CALLS), own.integer(300, 599));

/** Whoever balances the load asks whether the API server is well. */
export const askHealth = (writer: ClusterWriter, { own }: ClusterScene, ip: string): void => {
  const caller = { user: ANONYMOUS, agent: 'kube-probe/1.33', ip, pod: null, node: null };
  writer.ask(caller, own.chance(0.92) ? own.pick(HEALTH_CALLS) : VERSION_CALL, NO_SUBJECT, 0);
};
