import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { WorldHost } from '../../population/entities.js';
import type { Surroundings } from '../scribe.js';
import { CLUSTER_CALLS, type ClusterSubject, NODE_SHELL_CALLS } from './clusterCalls.js';
import type { ClusterCaller } from './clusterUser.js';
import { type ClusterEstate, keyedUuid, podLetters, secretsOf, type Workload } from './estate.js';
import { type ClusterWriter, clusterSubject } from './steps.js';

/** Where something is done in the cluster. */
export interface ClusterScene {
  readonly world: Surroundings;
  readonly cluster: ClusterEstate;
  readonly own: KeyedDraws;
  readonly at: Micros;
}

/** A pod that is about to be made, and the node for it. */
interface NewPod {
  readonly about: ClusterSubject;
  readonly node: WorldHost;
}

/** What a pod belongs to. */
type Owner = NonNullable<ClusterSubject['owner']>;

const newUid = (own: KeyedDraws): string => keyedUuid(own.word(), own.word());

const newPod = (
  { cluster, own }: ClusterScene,
  { name, namespace, image, account }: Workload,
  owner: Owner,
): NewPod => {
  const node = own.pick(cluster.nodes);
  const about = {
    ...{ namespace, name: `${owner[1]}-${podLetters(own, 5)}`, uid: newUid(own) },
    ...{ app: name, image, account, node: node.name, owner },
  };
  return { about, node };
};

/** The pods of one version of a program. */
const replicaSet = (own: KeyedDraws, { name }: Workload): Owner => [
  'ReplicaSet',
  `${name}-7${podLetters(own, 5)}d`,
  newUid(own),
];

const C = CLUSTER_CALLS;

/** The account that a node asks a token of, for a pod. */
export const tokenFor = ({ namespace, name, uid, account }: ClusterSubject): ClusterSubject => ({
  ...{ namespace, name: account, uid: null, app: null, image: null, account: null, node: null },
  owner: ['Pod', name ?? '', uid ?? ''],
});

/** What a node does to run a pod that it was given. `seconds` is how long images and volumes take. */
const runOnNode = (
  writer: ClusterWriter,
  { cluster, own }: ClusterScene,
  { about, node }: NewPod,
  seconds: number,
): void => {
  const kubelet = cluster.kubelet(node);
  const { namespace } = about;
  writer.ask(kubelet, C.podStarts, about, own.exponential(0.06));
  writer.ask(kubelet, C.getToken, tokenFor(about), own.exponential(0.05));
  if (own.chance(0.7))
    writer.ask(kubelet, C.getConfigMap, clusterSubject(namespace, 'kube-root-ca.crt'), 0.01);
  if (own.chance(0.6))
    writer.ask(kubelet, C.getSecret, clusterSubject(namespace, own.pick(secretsOf(namespace))), 0.01);
  writer.ask(kubelet, C.createEvent, clusterSubject(namespace), own.exponential(0.2));
  writer.ask(kubelet, C.podRuns, about, seconds);
};

/** A pod is made by a controller, placed by the scheduler and run by its node. */
const startPod = (
  writer: ClusterWriter,
  scene: ClusterScene,
  one: Workload,
  maker: string,
  owner: Owner,
): NewPod => {
  const { cluster, own } = scene;
  const pod = newPod(scene, one, owner);
  writer.ask(cluster.controller(maker), C.createPod, pod.about, own.exponential(0.02));
  writer.ask(cluster.scheduler, C.bindPod, pod.about, own.exponential(0.03));
  runOnNode(writer, scene, pod, own.lognormal(2.4, 0.6));
  return pod;
};

/** A pod is told to stop, and its node says that it has. */
const stopPod = (
  writer: ClusterWriter,
  { cluster, own }: ClusterScene,
  { about, node }: NewPod,
  deleter: ClusterCaller,
): void => {
  const kubelet = cluster.kubelet(node);
  writer.ask(deleter, C.deletePod, about, own.exponential(0.03));
  writer.ask(kubelet, C.podStops, about, own.lognormal(1.5, 0.8));
  writer.ask(kubelet, C.deletePod, about, own.exponential(0.2));
};

/** A job of the clock: its pod does the work and goes. */
export const runCronJob = (writer: ClusterWriter, scene: ClusterScene, one: Workload): void => {
  const { cluster, own, at } = scene;
  const { namespace, name, image } = one;
  const minute = Math.floor(at / (60 * MICROS_PER_SECOND));
  const owner: Owner = ['Job', `${name}-${minute}`, newUid(own)];
  const job = { ...clusterSubject(namespace, owner[1]), uid: owner[2], app: name, image };
  const [clock, jobs] = [cluster.controller('cronjob-controller'), cluster.controller('job-controller')];
  writer.ask(clock, C.createJob, job, own.lognormal(0.3, 0.6));
  writer.ask(clock, C.cronJobRuns, clusterSubject(namespace, name), own.exponential(0.02));
  const pod = startPod(writer, scene, one, 'job-controller', owner);
  writer.ask(jobs, C.jobStarts, job, own.exponential(0.05));
  writer.ask(cluster.kubelet(pod.node), C.podSucceeds, pod.about, own.lognormal(35, 1));
  writer.ask(jobs, C.jobEnds, job, own.exponential(0.1));
  writer.ask(cluster.controller('generic-garbage-collector'), C.deletePod, pod.about, own.lognormal(50, 0.4));
  writer.ask(cluster.controller('ttl-after-finished-controller'), C.deleteJob, job, own.exponential(0.4));
};

/** The set of pods of a program, and what is said of it when their number changes. */
const resize = (
  writer: ClusterWriter,
  { cluster, own }: ClusterScene,
  { namespace, name, image }: Workload,
  [, setName, uid]: Owner,
): void => {
  const set = { ...clusterSubject(namespace, setName), uid, app: name, image };
  writer.ask(cluster.controller('deployment-controller'), C.updateReplicaSet, set, own.exponential(0.03));
};

const tellEndpoints = (writer: ClusterWriter, { cluster, own }: ClusterScene, one: Workload): void => {
  const slice = { ...clusterSubject(one.namespace, `${one.name}-${podLetters(own, 5)}`), app: one.name };
  writer.ask(cluster.controller('endpointslice-controller'), C.updateEndpoints, slice, own.exponential(0.15));
  const status = { ...clusterSubject(one.namespace, one.name), app: one.name };
  if (own.chance(0.6))
    writer.ask(cluster.controller('deployment-controller'), C.deploymentStatus, status, own.exponential(0.1));
};

/** More pods for some minutes, as many visitors come. */
export const scaleForAWhile = (writer: ClusterWriter, scene: ClusterScene, one: Workload): void => {
  const { cluster, own } = scene;
  const scaler = cluster.controller('horizontal-pod-autoscaler');
  const target = { ...clusterSubject(one.namespace, one.name), app: one.name, image: one.image };
  writer.ask(scaler, C.getScale, target, 0);
  writer.ask(scaler, C.scale, target, 0.01);
  const owner = replicaSet(own, one);
  resize(writer, scene, one, owner);
  const pod = startPod(writer, scene, one, 'replicaset-controller', owner);
  tellEndpoints(writer, scene, one);
  writer.ask(scaler, C.scale, target, own.lognormal(150, 0.5));
  resize(writer, scene, one, owner);
  stopPod(writer, scene, pod, cluster.controller('replicaset-controller'));
  tellEndpoints(writer, scene, one);
};

/** A new version of a program: some of its pods after each other. */
export const rollOut = (writer: ClusterWriter, scene: ClusterScene, one: Workload, pods: number): void => {
  const { cluster, own } = scene;
  const deployments = cluster.controller('deployment-controller');
  const [before, now] = [replicaSet(own, one), replicaSet(own, one)];
  const set = { ...clusterSubject(one.namespace, now[1]), uid: now[2], app: one.name, image: one.image };
  writer.ask(deployments, C.createReplicaSet, set, own.exponential(0.05));
  for (let left = pods; left > 0; left--) {
    startPod(writer, scene, one, 'replicaset-controller', now);
    writer.ask(cluster.controller('replicaset-controller'), C.replicaSetStatus, set, own.exponential(0.05));
    tellEndpoints(writer, scene, one);
    resize(writer, scene, one, before);
    stopPod(writer, scene, newPod(scene, one, before), cluster.controller('replicaset-controller'));
  }
};

const SHELL_NAMES = ['node-debugger-', 'node-shell-'];
const SHELL_NAMESPACES = ['default', 'kube-system', 'shop'];
const SHELL_IMAGES = [
  'docker.io/library/busybox:1.37',
  'docker.io/library/alpine:3.22',
  'docker.io/nicolaka/netshoot:v0.14',
];

/** A pod that has its node in its hands: it is made, entered some times and deleted. */
export const shellOnNode = (
  writer: ClusterWriter,
  scene: ClusterScene,
  caller: ClusterCaller,
  commands: number,
  pause: number,
): void => {
  const { cluster, own } = scene;
  const node = own.pick(cluster.nodes);
  const namespace = own.pick(SHELL_NAMESPACES);
  const about = {
    ...{ namespace, name: `${own.pick(SHELL_NAMES)}${podLetters(own, 5)}`, uid: newUid(own) },
    ...{ app: 'shell', image: own.pick(SHELL_IMAGES), account: 'default', node: node.name, owner: null },
  };
  const pod = { about, node };
  writer.ask(caller, C.shellPod, about, 0);
  // The one who made it waits for it.
  runOnNode(writer, scene, pod, own.lognormal(1.8, 0.5));
  writer.ask(caller, C.getPod, about, own.exponential(0.4));
  for (let left = commands; left > 0; left--)
    writer.ask(caller, own.pick(NODE_SHELL_CALLS), about, own.lognormal(pause, 0.8));
  stopPod(writer, scene, pod, caller);
};
