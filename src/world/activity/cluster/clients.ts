import type { Micros } from '../../../domain/time/micros.js';
import { weighted } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import { accessAbroad, scannerNumber } from '../../population/population.js';
import { bump, HOURS_PER_WEEK, solarHours, weekendAt } from '../../schedule/week.js';
import { estateOf } from '../cloud/principals.js';
import type { Surroundings } from '../scribe.js';
import { shareOfVisitors } from '../web/webMinute.js';
import { CLUSTER_CALLS } from './clusterCalls.js';
import type { ClusterCaller } from './clusterUser.js';
import {
  askHealth,
  deployProgram,
  operate,
  PROBE_AGENTS,
  probeApi,
  readAsProgram,
  tourSecrets,
  watchSomething,
  workAtKeyboard,
} from './doings.js';
import {
  CLUSTER_JOBS,
  LINUX_KUBECTL,
  OPERATORS,
  PIPELINE_AGENTS,
  SCRIPT_AGENTS,
  STAFF_AGENTS,
  secretsOf,
  someWorkload,
  type Workload,
} from './estate.js';
import { type ClusterScene, scaleForAWhile, shellOnNode, tokenFor } from './pods.js';
import { type ClusterWriter, clusterSubject, NO_SUBJECT } from './steps.js';

/** Something that is done in the cluster again and again. */
export interface ClusterHabit {
  readonly name: string;
  /** How often in an hour when there is most to do, with three nodes. */
  readonly perHour: number;
  readonly load: 'visitors' | 'office' | 'steady';
  readonly write: (writer: ClusterWriter, scene: ClusterScene) => void;
}

const C = CLUSTER_CALLS;
const CONTROLLERS = [
  ...['deployment-controller', 'replicaset-controller', 'job-controller', 'cronjob-controller'],
  ...['endpointslice-controller', 'generic-garbage-collector', 'namespace-controller', 'node-controller'],
  ...['horizontal-pod-autoscaler', 'resourcequota-controller', 'service-account-controller'],
];
const OPERATOR_NAMES = Object.keys(OPERATORS) as (keyof typeof OPERATORS)[];
const operatorAt = weighted<keyof typeof OPERATORS>([
  [26, 'ingress'],
  [12, 'certificates'],
  [12, 'secrets'],
  [18, 'policy'],
  [22, 'monitoring'],
  [14, 'state'],
  [18, 'metrics'],
  [20, 'delivery'],
  [3, 'backup'],
  [4, 'maintenance'],
]);

/** One of the pods of a program. */
export const podCaller = (scene: ClusterScene, one: Workload): ClusterCaller => {
  const { cluster, own, at } = scene;
  return cluster.pod(one, own.integer(0, cluster.podCount(one) - 1), at);
};

/** A node looks after its pods: tokens, settings, their state. */
const careForPods = (writer: ClusterWriter, { cluster, own, at }: ClusterScene): void => {
  const kubelet = cluster.kubelet(own.pick(cluster.nodes));
  const one = someWorkload(own.next());
  const { namespace } = one;
  const about = cluster.subjectOf(one, own.integer(0, cluster.podCount(one) - 1), at);
  const drawn = own.next();
  if (drawn < 0.34) writer.ask(kubelet, C.getToken, tokenFor(about), 0);
  else if (drawn < 0.52) writer.ask(kubelet, C.getConfigMap, clusterSubject(namespace, 'settings'), 0);
  else if (drawn < 0.66)
    writer.ask(kubelet, C.getSecret, clusterSubject(namespace, own.pick(secretsOf(namespace))), 0);
  else if (drawn < 0.84) writer.ask(kubelet, C.reviewToken, NO_SUBJECT, 0);
  else if (drawn < 0.92) writer.ask(kubelet, C.getNode, clusterSubject('', own.pick(cluster.nodes).name), 0);
  else {
    // A container starts again.
    writer.ask(kubelet, C.podStops, about, 0);
    writer.ask(kubelet, C.patchEvent, clusterSubject(namespace, `${about.name}.17`), own.exponential(0.1));
    writer.ask(kubelet, C.podRuns, about, own.lognormal(9, 0.8));
  }
};

/** The account with which pipelines of the organization put programs into the cluster. */
export const pipelineCaller = ({ world, cluster, own }: ClusterScene): ClusterCaller => {
  const servers = world.population.serversOf('build_server');
  const user = cluster.account('ci', 'deployer');
  const [ip, agent] = [own.pick(servers).ip, own.pick(PIPELINE_AGENTS)];
  return { user, agent, ip, pod: null, node: null };
};

/** Tools outside of the cluster have tokens of some accounts, too: those of the cloud, and scripts on servers. */
export const outsideCaller = (scene: ClusterScene, one: Workload): ClusterCaller => {
  const { world, cluster, own } = scene;
  const ip = own.chance(0.5)
    ? own.pick(estateOf(world).machines).client.access.ip
    : own.pick(world.population.serversOf(own.chance(0.5) ? 'jump_host' : 'build_server')).ip;
  const agent = own.chance(0.7) ? own.pick(SCRIPT_AGENTS) : LINUX_KUBECTL;
  return { user: cluster.account(one.namespace, one.account), agent, ip, pod: null, node: null };
};

const renewLease = (writer: ClusterWriter, { cluster, own }: ClusterScene): void => {
  const node = own.pick(cluster.nodes);
  writer.ask(cluster.kubelet(node), C.lease, clusterSubject('kube-node-lease', node.name), 0);
};

const habit = (
  name: string,
  perHour: number,
  load: ClusterHabit['load'],
  write: ClusterHabit['write'],
): ClusterHabit => ({ name, perHour, load, write });

/** Whoever uses the cluster but people and the clock. */
export const CLUSTER_HABITS: readonly ClusterHabit[] = [
  habit('reads', 2_200, 'visitors', (writer, scene) => {
    const one = someWorkload(scene.own.next());
    readAsProgram(writer, scene, podCaller(scene, one), one);
  }),
  habit('operators', 3_000, 'steady', (writer, scene) => {
    const name = operatorAt(scene.own.next());
    operate(writer, scene, podCaller(scene, OPERATORS[name]), name);
  }),
  habit('nodes', 2_000, 'steady', careForPods),
  habit('leases', 1_080, 'steady', renewLease),
  habit('status', 40, 'steady', (writer, { cluster, own }) => {
    const node = own.pick(cluster.nodes);
    writer.ask(cluster.kubelet(node), C.nodeStatus, clusterSubject('', node.name), 0);
  }),
  habit('watches', 1_200, 'steady', (writer, scene) => {
    const { cluster, own } = scene;
    const drawn = own.next();
    const caller =
      drawn < 0.35
        ? cluster.controller(own.pick(CONTROLLERS))
        : drawn < 0.6
          ? cluster.kubelet(own.pick(cluster.nodes))
          : podCaller(scene, OPERATORS[own.pick(OPERATOR_NAMES)]);
    watchSomething(writer, scene, caller);
  }),
  habit('scaling', 70, 'visitors', (writer, scene) =>
    scaleForAWhile(writer, scene, someWorkload(scene.own.next())),
  ),
  habit('health', 700, 'steady', (writer, scene) =>
    askHealth(writer, scene, (scene.cluster.nodes[0] ?? scene.own.pick(scene.cluster.nodes)).ip),
  ),
  habit('pipelines', 26, 'office', (writer, scene) => deployProgram(writer, scene, pipelineCaller(scene))),
  habit('tools', 60, 'steady', (writer, scene) => {
    const one = someWorkload(scene.own.next());
    readAsProgram(writer, scene, outsideCaller(scene, one), one);
  }),
  habit('inventory', 26, 'steady', (writer, scene) => {
    const { cluster, own } = scene;
    const drawn = own.next();
    const one = someWorkload(own.next());
    const caller =
      drawn < 0.4
        ? podCaller(scene, OPERATORS[drawn < 0.2 ? 'backup' : 'secrets'])
        : drawn < 0.7
          ? outsideCaller(scene, one)
          : drawn < 0.85
            ? pipelineCaller(scene)
            : cluster.pod(one, 0, scene.at);
    tourSecrets(writer, scene, caller, 0.8);
  }),
  habit('maintenance', 12, 'steady', (writer, scene) => {
    const { own } = scene;
    const caller = own.chance(0.5) ? pipelineCaller(scene) : podCaller(scene, OPERATORS.maintenance);
    shellOnNode(writer, scene, caller, own.integer(2, 6), 3);
  }),
  habit('strangers', 16, 'steady', (writer, scene) => {
    const { world, own } = scene;
    const ip = world.population.outsider(scannerNumber(own)).ip;
    probeApi(writer, scene, ip, own.pick(PROBE_AGENTS), own.integer(2, 16), 2);
  }),
  // Whoever tests the organization from inside.
  habit('audits', 12, 'steady', (writer, scene) => {
    const { world, own } = scene;
    const ip = own.pick(
      world.population.serversOf(own.pick(['jump_host', 'build_server', 'kubernetes_node'])),
    ).ip;
    probeApi(writer, scene, ip, own.pick(PROBE_AGENTS), own.integer(4, 20), 2);
  }),
];

/** Jobs by the clock: how many begin in an hour. */
export const CRON_RUNS_PER_HOUR = CLUSTER_JOBS.reduce((sum, [, every]) => sum + 60 / every, 0);

/** Sittings an hour of an engineer at work. */
export const SITTINGS_PER_HOUR = 1.6;

/** Somebody at a program on their own computer; administrators are at a server now and then. */
export const staffCaller = (
  { world, cluster, own, at }: ClusterScene,
  person: Person,
): ClusterCaller | null => {
  const user = cluster.staff(person);
  const [jump] = world.population.serversOf('jump_host');
  const base = { user, pod: null, node: null };
  if (person.is_admin && jump !== undefined && own.chance(0.3))
    return { ...base, agent: LINUX_KUBECTL, ip: jump.ip };
  const ip = own.chance(0.06) ? accessAbroad(world, own).ip : world.addressOf(person, at)?.ip;
  if (ip === undefined) return null;
  const drawn = own.next();
  if (drawn < 0.06) return { ...base, ip, agent: own.pick(SCRIPT_AGENTS) };
  // Every other one opens the dashboard in a browser, too.
  if (drawn < 0.2) return { ...base, ip, agent: person.user_agent };
  return { ...base, ip, agent: STAFF_AGENTS[person.number % STAFF_AGENTS.length] ?? LINUX_KUBECTL };
};

export const sitDown = (
  writer: ClusterWriter,
  scene: ClusterScene,
  caller: ClusterCaller,
  person: Person,
): void =>
  workAtKeyboard(writer, scene, caller, Math.max(1, Math.round(scene.own.lognormal(9, 0.6))), person);

/** The share of the most that is done at a moment. */
export const clusterLoadAt = (
  load: ClusterHabit['load'],
  { population }: Pick<Surroundings, 'population'>,
  at: Micros,
): number => {
  const longitude = population.sites[0]?.longitude ?? 0;
  if (load === 'steady') return 1;
  if (load === 'visitors') return shareOfVisitors(longitude, at);
  const hours = solarHours(longitude, at) % HOURS_PER_WEEK;
  return (0.15 + 0.85 * bump(hours % 24, 13, 4)) * (1 - 0.7 * weekendAt(hours));
};
