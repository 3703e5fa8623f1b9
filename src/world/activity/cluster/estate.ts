import { MICROS_PER_HOUR, type Micros } from '../../../domain/time/micros.js';
import { type KeyedDraws, textNumber, weighted } from '../../draw.js';
import type { Person, WorldHost } from '../../population/entities.js';
import type { WorldGround } from '../../population/population.js';
import { rememberAll, rememberOfWorld } from '../../remember.js';
import type { ClusterSubject } from './clusterCalls.js';
import {
  AUTHENTICATED,
  accountName,
  type ClusterCaller,
  type ClusterUser,
  clusterGrant,
  SERVICE_ACCOUNTS_GROUP,
} from './clusterUser.js';

/** Purposes of draws: names that stay, and those of pods. */
const WHY = { name: 540, pod: 541 } as const;

/** A program that runs in pods, with what it reads of its namespace. */
export interface Workload {
  readonly name: string;
  readonly namespace: string;
  readonly account: string;
  readonly image: string;
  readonly agent: string;
  /** Pods on three nodes. */
  readonly pods: number;
}

const VERSION = 'v1.33.1';
const COMMIT = '8adc0f0';
const agentOf = (program: string, version = VERSION, os = 'linux/amd64'): string =>
  `${program}/${version} (${os}) kubernetes/${COMMIT}`;

const workload = (
  place: string,
  pods: number,
  account: string | null = null,
  version = 'v2.4.1',
): Workload => {
  const [namespace = '', name = ''] = place.split('/');
  return {
    ...{ name, namespace, pods, account: account ?? name },
    image: `registry.example.com/${namespace}/${name}:2026.${1 + (textNumber(name, 31) % 3)}.${textNumber(name, 33) % 30}`,
    agent: agentOf(name, version),
  };
};

/** Programs of the organization, then those that run the cluster. Some are those that use the database. */
export const WORKLOADS: readonly Workload[] = [
  workload('shop/shop-api', 6),
  workload('shop/cart-service', 4),
  workload('shop/shop-worker', 3),
  workload('shop/storefront', 4, 'default'),
  workload('shop/catalog', 3, 'default'),
  workload('shop/checkout', 3),
  workload('payments/payments', 3),
  workload('payments/fraud-check', 2),
  workload('payments/ledger', 2, 'default'),
  workload('data/stream-ingest', 3),
  workload('data/feature-store', 2),
  workload('data/notebooks', 2, 'default'),
  workload('batch/scheduler', 1, 'batch-runner'),
  workload('support/ticket-bot', 1),
];
export const OPERATORS: Readonly<Record<OperatorName, Workload>> = {
  ingress: workload('ingress/ingress-nginx', 2, null, 'v1.12.2'),
  certificates: workload('cert-manager/cert-manager', 1, null, 'v1.17.2'),
  secrets: workload('security/external-secrets', 1, null, 'v0.17.0'),
  policy: workload('security/policy-checker', 2, null, 'v3.18.2'),
  monitoring: workload('monitoring/prometheus', 1, null, 'v3.4.1'),
  state: workload('monitoring/kube-state-metrics', 1, null, 'v2.15.0'),
  metrics: workload('kube-system/metrics-server', 1, null, 'v0.7.2'),
  delivery: workload('argocd/argocd-application-controller', 1, null, 'v3.0.6'),
  backup: workload('backup/velero', 1, null, 'v1.16.1'),
  maintenance: workload('kube-system/node-maintenance', 1, null, 'v1.8.0'),
};
type OperatorName =
  | ('ingress' | 'certificates' | 'secrets' | 'policy' | 'monitoring')
  | ('state' | 'metrics' | 'delivery' | 'backup' | 'maintenance');

/** Jobs by the clock: minutes between two runs, and those after the hour. */
export const CLUSTER_JOBS: readonly (readonly [workload: Workload, every: number, after: number])[] = [
  [workload('shop/clean-carts', 0, 'shop-worker'), 5, 1],
  [workload('shop/sync-prices', 0, 'default'), 10, 4],
  [workload('batch/resize-images', 0, 'batch-runner'), 3, 0],
  [workload('batch/send-mails', 0, 'batch-runner'), 5, 2],
  [workload('batch/run-invoices', 0, 'batch-runner'), 30, 12],
  [workload('data/export-orders', 0, 'stream-ingest'), 15, 7],
  [workload('data/build-reports', 0, 'default'), 20, 9],
  [workload('payments/settle', 0, 'payments'), 15, 3],
  [workload('backup/snapshot', 0, 'velero'), 60, 41],
];

export const NAMESPACES = [
  ...new Set([...WORKLOADS, ...Object.values(OPERATORS)].map(({ namespace }) => namespace)),
];

/** Namespaces with their secrets, those of the organization first. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  shop: ['db-credentials', 'payments-api', 'tls-cert', 'registry-pull', 'session-keys', 'smtp'],
  payments: ['psp-key', 'ledger-db', 'hsm-pin', 'registry-pull', 'tls-cert'],
  data: ['warehouse-admin', 'stream-sasl', 'bucket-writer', 'registry-pull'],
  batch: ['db-readonly', 'sftp-partner', 'invoice-signing'],
  support: ['ticket-token', 'smtp'],
  ingress: ['default-tls', 'shop-tls'],
  'cert-manager': ['acme-account', 'issuer-ca'],
  security: ['vault-token', 'webhook-tls'],
  monitoring: ['alert-webhook', 'remote-write'],
  argocd: ['argocd-secret', 'repo-deploy-key'],
  backup: ['cloud-credentials'],
  'kube-system': ['bootstrap-token', 'cloud-provider'],
};
export const CONFIG_MAPS = ['settings', 'feature-flags', 'kube-root-ca.crt', 'limits'];

export const secretsOf = (namespace: string): readonly string[] => SECRETS[namespace] ?? ['registry-pull'];

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
export const podLetters = (own: KeyedDraws, count: number): string => {
  let word = own.word();
  let text = '';
  for (let left = count; left > 0; left--) {
    text += LETTERS[word % LETTERS.length];
    word = Math.floor(word / LETTERS.length);
  }
  return text;
};

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const bytes = (word: number): readonly [string, string] => [
  (HEX[word >>> 24] as string) + HEX[(word >>> 16) & 255],
  (HEX[(word >>> 8) & 255] as string) + HEX[word & 255],
];

/** A number below 2^32 from another one: two purposes of one give unrelated ones (the last steps of MurmurHash3). */
export const mixedKey = (key: number, purpose: number): number => {
  let word = Math.imul(key ^ Math.imul(purpose, 0x9e37_79b1), 0x85eb_ca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2_ae35);
  return (word ^ (word >>> 16)) >>> 0;
};

/** An identifier (UUID, version 4) from a number and a moment: there is room for more than numbers. */
export const keyedUuid = (key: number, at: Micros): string => {
  const moment = (at % 0x1_0000_0000) >>> 0;
  const [a, b] = bytes(mixedKey(key, 1));
  const [c, d] = bytes((mixedKey(key ^ moment, 2) & 0xffff_0fff) | 0x4000);
  const [e, f] = bytes(((mixedKey(moment, 3) ^ key) & 0x3fff_ffff) | 0x8000_0000);
  const [g, h] = bytes(mixedKey(moment ^ key, 4));
  return `${a}${b}-${c}-${d}-${e}-${f}${g}${h}`;
};

/** What a world has in its cluster. Made once for each. */
export interface ClusterEstate {
  readonly nodes: readonly WorldHost[];
  /** Nodes, for three of them. */
  readonly scale: number;
  readonly kubelet: (node: WorldHost) => ClusterCaller;
  readonly scheduler: ClusterCaller;
  /** A controller of the control plane, such as `job-controller`. */
  readonly controller: (name: string) => ClusterCaller;
  /** A pod that runs a workload at a moment: its token, from its node. */
  readonly pod: (workload: Workload, number: number, at: Micros) => ClusterCaller;
  readonly podCount: (workload: Workload) => number;
  readonly subjectOf: (workload: Workload, number: number, at: Micros) => ClusterSubject;
  /** The account of a program that is no pod of the cluster. */
  readonly account: (namespace: string, name: string) => ClusterUser;
  readonly staff: (person: Person) => ClusterUser;
}

export const clusterEstateOf = rememberOfWorld((world: WorldGround): ClusterEstate => makeCluster(world));

/** A pod lives so long before another one takes its place. */
const POD_LIFE = 31 * MICROS_PER_HOUR;
const STACKED_NODES = 3;

const STAFF_ROLES = { 'platform-admins': 'admin', developers: 'edit' } as const;

const makeCluster = ({ draws, population }: WorldGround): ClusterEstate => {
  const nodes = population.serversOf('kubernetes_node');
  const [first] = nodes;
  if (first === undefined) throw new Error('a world has no nodes');
  const scale = nodes.length / STACKED_NODES;
  const plain = (user: ClusterUser, agent: string, ip: string): ClusterCaller => ({
    ...{ user, agent, ip, pod: null, node: null },
  });
  const idOf = (name: string): string => {
    const own = draws.of(textNumber(name, 31), 0, WHY.name);
    return keyedUuid(own.word(), own.word());
  };
  const accountOf = rememberAll((place: string): ClusterUser => {
    const [namespace = '', name = ''] = place.split('/');
    const username = accountName(namespace, name);
    const isOfCluster = namespace === 'kube-system' && name.endsWith('-controller');
    const subject = `ServiceAccount "${name}/${namespace}"`;
    return {
      ...{ username, uid: idOf(username) },
      groups: [SERVICE_ACCOUNTS_GROUP, `${SERVICE_ACCOUNTS_GROUP}:${namespace}`, AUTHENTICATED],
      grant: isOfCluster
        ? clusterGrant(`system:controller:${name}`, subject)
        : `RBAC: allowed by RoleBinding "${name}/{namespace}" of Role "${name}" to ${subject}`,
      cluster_grant: clusterGrant(
        isOfCluster ? `system:controller:${name}` : `${namespace}-${name}`,
        subject,
      ),
    };
  });
  /** The pods that were asked for last, each by its workload and number. */
  const pods = new Map<
    string,
    { readonly epoch: number; readonly subject: ClusterSubject; readonly caller: ClusterCaller }
  >();
  const podAt = (one: Workload, number: number, at: Micros) => {
    const key = `${one.namespace}/${one.name}/${number}`;
    const place = textNumber(key, 31);
    const epoch = Math.floor((at + place * 1_000) / POD_LIFE);
    const known = pods.get(key);
    if (known?.epoch === epoch) return known;
    const own = draws.of(place, epoch, WHY.pod);
    const host = own.pick(nodes);
    const set = podLetters(draws.of(textNumber(one.name, 31), 0, WHY.pod), 5);
    const name = `${one.name}-7${set}d-${podLetters(own, 5)}`;
    const made = {
      epoch,
      subject: {
        ...{ namespace: one.namespace, name, uid: keyedUuid(own.word(), own.word()), app: one.name },
        ...{ image: one.image, account: one.account, node: host.name, owner: null },
      },
      caller: {
        ...{ user: accountOf(`${one.namespace}/${one.account}`), agent: one.agent, ip: host.ip },
        ...{ pod: name, node: host.name },
      },
    };
    pods.set(key, made);
    return made;
  };
  return {
    nodes,
    scale,
    kubelet: rememberAll(({ name, ip }: WorldHost) =>
      plain(
        {
          ...{ username: `system:node:${name}`, uid: null, grant: '', cluster_grant: '' },
          groups: ['system:nodes', AUTHENTICATED],
        },
        agentOf('kubelet'),
        ip,
      ),
    ),
    scheduler: plain(
      {
        ...{ username: 'system:kube-scheduler', uid: null, groups: [AUTHENTICATED] },
        grant: clusterGrant('system:kube-scheduler', 'User "system:kube-scheduler"'),
        cluster_grant: clusterGrant('system:kube-scheduler', 'User "system:kube-scheduler"'),
      },
      `${agentOf('kube-scheduler')}/scheduler`,
      first.ip,
    ),
    controller: rememberAll((name: string) => {
      const user = accountOf(`kube-system/${name}`);
      return plain(user, `${agentOf('kube-controller-manager')}/${user.username}`, first.ip);
    }),
    pod: (one, number, at) => podAt(one, number, at).caller,
    podCount: ({ pods: count }) => Math.max(1, Math.round(count * scale)),
    subjectOf: (one, number, at) => podAt(one, number, at).subject,
    account: (namespace, name) => accountOf(`${namespace}/${name}`),
    staff: rememberAll((person: Person): ClusterUser => {
      const group = person.is_admin ? 'platform-admins' : 'developers';
      return {
        ...{ username: person.email, uid: null, groups: [group, AUTHENTICATED] },
        grant: `RBAC: allowed by RoleBinding "${group}/{namespace}" of ClusterRole "${STAFF_ROLES[group]}" to Group "${group}"`,
        cluster_grant: clusterGrant(group, `Group "${group}"`),
      };
    }),
  };
};

/** Programs on the computers of people, by number of the person; the last ones are for anybody now and then. */
export const STAFF_AGENTS = [
  agentOf('kubectl', VERSION, 'windows/amd64'),
  agentOf('kubectl', 'v1.32.4', 'windows/amd64'),
  agentOf('k9s', 'v0.50.6', 'windows/amd64'),
  agentOf('kubectl', 'v1.31.9', 'windows/amd64'),
  agentOf('kubectl', 'v1.30.13', 'windows/amd64'),
] as const;
export const SCRIPT_AGENTS = ['curl/8.14.1', 'python-requests/2.31.0', 'Go-http-client/2.0'] as const;
export const LINUX_KUBECTL = agentOf('kubectl');
export const PIPELINE_AGENTS = ['Helm/3.18.2', LINUX_KUBECTL, 'Terraform/1.12.1 kubernetes-provider/2.37'];

/** Programs of the organization by how many pods they have. */
export const someWorkload = weighted(WORKLOADS.map((one) => [one.pods, one] as const));
