/** A pod, secret or other object that a call is about. */
export interface ClusterSubject {
  readonly namespace: string;
  /** Null for all of them. */
  readonly name: string | null;
  readonly uid: string | null;
  /** Program that a pod runs, its image, and the node that it is on, for the body of the request. */
  readonly app: string | null;
  readonly image: string | null;
  readonly account: string | null;
  readonly node: string | null;
  /** What it belongs to, by kind, name and identifier. */
  readonly owner: readonly [kind: string, name: string, uid: string] | null;
}

/** Writes the object that a request sends, as JSON. `drawn` is a number from 0 to below 1. */
type ClusterBody = (about: ClusterSubject, drawn: number) => string;

/** Something that the API of the cluster is asked for. */
export interface ClusterCall {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  /** Null for a path that is no resource. */
  readonly resource: string | null;
  readonly subresource: string | null;
  /** Empty for the first group, which has no name. */
  readonly group: string;
  readonly version: string;
  readonly isNamespaced: boolean;
  /** The path up to the namespace or the resource. */
  readonly base: string;
  readonly query: string;
  readonly level: 'Metadata' | 'Request';
  readonly code: number;
  /** Usual time, in milliseconds. */
  readonly ms: number;
  readonly body: ClusterBody | null;
}

type Given = Partial<Pick<ClusterCall, 'isNamespaced' | 'query' | 'level' | 'code' | 'ms' | 'body'>>;

/** `what` is as in `get apps/v1/deployments/scale`; the first group is `core`. */
const call = (what: string, given: Given = {}): ClusterCall => {
  const [verb, path = ''] = what.split(' ') as [ClusterCall['verb'], string];
  const [named = '', version = '', resource = '', subresource = null] = path.split('/');
  const group = named === 'core' ? '' : named;
  return {
    verb,
    resource,
    subresource,
    group,
    version,
    isNamespaced: given.isNamespaced ?? true,
    base: group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    query: given.query ?? (verb === 'list' ? 'limit=500' : ''),
    level: given.body === undefined ? (given.level ?? 'Metadata') : 'Request',
    code: given.code ?? (verb === 'create' ? 201 : 200),
    ms: given.ms ?? (verb === 'list' ? 9 : verb === 'get' ? 4 : 9),
    body: given.body ?? null,
  };
};

const wide = { isNamespaced: false } as const;
const path = (base: string, code: number, ms = 1): ClusterCall => ({
  ...call(`get core/v1/paths`, { ms, code }),
  ...{ resource: null, base },
});

const core = (kind: string): string => `{"kind":"${kind}","apiVersion":"v1"`;
const text = (value: unknown): string => JSON.stringify(value);
const metadataOf = ({ namespace, name }: ClusterSubject): string =>
  `"metadata":{"name":${text(name)},"namespace":${text(namespace)}}`;

const podBody: ClusterBody = ({ namespace, app, image, account, owner }, drawn) =>
  `${core('Pod')},"metadata":{"generateName":"${owner?.[1]}-","namespace":"${namespace}","labels":{"app":"${app}"},"ownerReferences":[{"kind":"${owner?.[0]}","name":"${owner?.[1]}","uid":"${owner?.[2]}","controller":true}]},"spec":{"serviceAccountName":"${account}","restartPolicy":"Always","containers":[{"name":"${app}","image":"${image}","resources":{"requests":{"cpu":"${drawn < 0.5 ? 250 : 500}m","memory":"${drawn < 0.3 ? 128 : 256}Mi"}}}]}}`;

/** A pod that has the node in its hands: all of its files, processes and addresses. */
const shellPodBody: ClusterBody = (about) =>
  `${core('Pod')},${metadataOf(about)},"spec":{"nodeName":"${about.node}","hostPID":true,"hostNetwork":true,"restartPolicy":"Never","containers":[{"name":"${about.app}","image":"${about.image}","stdin":true,"tty":true,"securityContext":{"privileged":true},"volumeMounts":[{"name":"host","mountPath":"/host"}]}],"volumes":[{"name":"host","hostPath":{"path":"/"}}]}}`;

const statusBody =
  (phase: string, isReady: boolean): ClusterBody =>
  ({ uid }, drawn) =>
    `{"metadata":{"uid":"${uid}"},"status":{"phase":"${phase}","conditions":[{"type":"Ready","status":"${isReady ? 'True' : 'False'}"}],"containerStatuses":[{"restartCount":${drawn < 0.95 ? 0 : 1},"ready":${isReady}}]}}`;

const deleteBody: ClusterBody = ({ uid }, drawn) =>
  `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":${drawn < 0.7 ? 30 : drawn < 0.85 ? 0 : 60},"propagationPolicy":"Background","preconditions":{"uid":"${uid}"}}`;

const scaleBody: ClusterBody = ({ name, namespace }, drawn) =>
  `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"${name}","namespace":"${namespace}"},"spec":{"replicas":${2 + Math.floor(drawn * 8)}}}`;

const workloadBody =
  (kind: string, group: string): ClusterBody =>
  (about, drawn) =>
    `{"kind":"${kind}","apiVersion":"${group}",${metadataOf(about)},"spec":{"replicas":${2 + Math.floor(drawn * 8)},"template":{"metadata":{"labels":{"app":"${about.app}"}},"spec":{"containers":[{"name":"${about.app}","image":"${about.image}"}]}}}}`;

const jobBody: ClusterBody = ({ namespace, name, app, image }) =>
  `{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"${name}","namespace":"${namespace}","ownerReferences":[{"kind":"CronJob","name":"${app}","controller":true}]},"spec":{"backoffLimit":2,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"${app}","image":"${image}"}]}}}}`;

const jobStatusBody =
  (succeeded: number): ClusterBody =>
  (about) =>
    `{"kind":"Job","apiVersion":"batch/v1",${metadataOf(about)},"status":{"active":${1 - succeeded},"succeeded":${succeeded}}}`;

const endpointsBody: ClusterBody = ({ namespace, app }, drawn) =>
  `{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"generateName":"${app}-","namespace":"${namespace}"},"addressType":"IPv4","endpoints":[{"addresses":["10.244.${Math.floor(drawn * 3)}.${2 + Math.floor(drawn * 250)}"],"conditions":{"ready":true}}]}`;

/** Calls with names of what they do, where another one would not say it. */
export const CLUSTER_CALLS = {
  // The life of pods.
  createPod: call('create core/v1/pods', { body: podBody, ms: 11 }),
  bindPod: call('create core/v1/pods/binding', {
    body: ({ name, namespace, uid, node }) =>
      `${core('Binding')},"metadata":{"name":"${name}","namespace":"${namespace}","uid":"${uid}"},"target":{"kind":"Node","name":"${node}"}}`,
  }),
  getPod: call('get core/v1/pods'),
  podStarts: call('patch core/v1/pods/status', { body: statusBody('Pending', false) }),
  podRuns: call('patch core/v1/pods/status', { body: statusBody('Running', true) }),
  podStops: call('patch core/v1/pods/status', { body: statusBody('Running', false) }),
  podSucceeds: call('patch core/v1/pods/status', { body: statusBody('Succeeded', false) }),
  deletePod: call('delete core/v1/pods', { body: deleteBody, ms: 12 }),
  createEvent: call('create core/v1/events', { ms: 6 }),
  patchEvent: call('patch core/v1/events', { ms: 6 }),
  getToken: call('create core/v1/serviceaccounts/token', {
    body: ({ owner }) =>
      `{"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","spec":{"audiences":["https://kubernetes.default.svc"],"expirationSeconds":3607,"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"${owner?.[1]}","uid":"${owner?.[2]}"}}}`,
  }),
  updateEndpoints: call('update discovery.k8s.io/v1/endpointslices', { body: endpointsBody }),
  createJob: call('create batch/v1/jobs', { body: jobBody }),
  jobStarts: call('update batch/v1/jobs/status', { body: jobStatusBody(0) }),
  jobEnds: call('update batch/v1/jobs/status', { body: jobStatusBody(1) }),
  cronJobRuns: call('update batch/v1/cronjobs/status', { level: 'Metadata' }),
  deleteJob: call('delete batch/v1/jobs', { body: deleteBody }),
  scale: call('patch apps/v1/deployments/scale', { body: scaleBody, ms: 12 }),
  getScale: call('get apps/v1/deployments/scale'),
  patchDeployment: call('patch apps/v1/deployments', {
    body: workloadBody('Deployment', 'apps/v1'),
    ...{ query: 'fieldValidation=Strict', ms: 15 },
  }),
  deploymentStatus: call('update apps/v1/deployments/status', { level: 'Metadata' }),
  createReplicaSet: call('create apps/v1/replicasets', { body: workloadBody('ReplicaSet', 'apps/v1') }),
  updateReplicaSet: call('update apps/v1/replicasets', { body: workloadBody('ReplicaSet', 'apps/v1') }),
  replicaSetStatus: call('update apps/v1/replicasets/status', { level: 'Metadata' }),
  shellPod: call('create core/v1/pods', { body: shellPodBody, ms: 11 }),

  // Nodes.
  lease: call('update coordination.k8s.io/v1/leases', {
    query: 'timeout=10s',
    ms: 4,
    body: ({ name, namespace }) =>
      `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"${name}","namespace":"${namespace}"},"spec":{"holderIdentity":"${name}","leaseDurationSeconds":40}}`,
  }),
  nodeStatus: call('patch core/v1/nodes/status', {
    ...wide,
    query: 'timeout=10s',
    body: () =>
      '{"status":{"conditions":[{"type":"MemoryPressure","status":"False"},{"type":"DiskPressure","status":"False"},{"type":"Ready","status":"True"}]}}',
  }),
  getNode: call('get core/v1/nodes', wide),
  listNodes: call('list core/v1/nodes', wide),
  patchNode: call('patch core/v1/nodes', { ...wide, body: () => '{"spec":{"unschedulable":true}}' }),

  // What programs and people read.
  listPods: call('list core/v1/pods'),
  listAllPods: call('list core/v1/pods', { ...wide, ms: 22 }),
  getSecret: call('get core/v1/secrets'),
  listSecrets: call('list core/v1/secrets', { ms: 12 }),
  listAllSecrets: call('list core/v1/secrets', { ...wide, ms: 24 }),
  updateSecret: call('update core/v1/secrets'),
  getConfigMap: call('get core/v1/configmaps'),
  listConfigMaps: call('list core/v1/configmaps'),
  updateConfigMap: call('update core/v1/configmaps'),
  getService: call('get core/v1/services'),
  listServices: call('list core/v1/services'),
  getEndpoints: call('get core/v1/endpoints'),
  listEndpoints: call('list core/v1/endpoints'),
  listEvents: call('list core/v1/events', { ms: 18 }),
  getLog: call('get core/v1/pods/log', { query: 'container={app}&tailLines=100', ms: 40 }),
  getNamespace: call('get core/v1/namespaces', wide),
  listNamespaces: call('list core/v1/namespaces', wide),
  getDeployment: call('get apps/v1/deployments'),
  listDeployments: call('list apps/v1/deployments'),
  listReplicaSets: call('list apps/v1/replicasets'),
  listDaemonSets: call('list apps/v1/daemonsets'),
  listJobs: call('list batch/v1/jobs'),
  getIngress: call('get networking.k8s.io/v1/ingresses'),
  listIngresses: call('list networking.k8s.io/v1/ingresses'),
  ingressStatus: call('update networking.k8s.io/v1/ingresses/status', { level: 'Metadata' }),
  nodeMetrics: call('list metrics.k8s.io/v1beta1/nodes', { ...wide, ms: 14 }),
  podMetrics: call('list metrics.k8s.io/v1beta1/pods', { ms: 14 }),
  listRoles: call('list rbac.authorization.k8s.io/v1/clusterroles', wide),
  listBindings: call('list rbac.authorization.k8s.io/v1/clusterrolebindings', wide),
  listVolumes: call('list core/v1/persistentvolumes', wide),
  getCertificate: call('get cert-manager.io/v1/certificates'),
  certificateStatus: call('update cert-manager.io/v1/certificates/status', { level: 'Metadata' }),
  getApplication: call('get argoproj.io/v1alpha1/applications'),
  patchApplication: call('patch argoproj.io/v1alpha1/applications', {
    body: () => '{"status":{"sync":{"status":"Synced"},"health":{"status":"Healthy"}}}',
  }),

  // Who may do what.
  askRules: call('create authorization.k8s.io/v1/selfsubjectrulesreviews', {
    ...wide,
    body: ({ namespace }) =>
      `{"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","spec":{"namespace":"${namespace}"}}`,
  }),
  askAccess: call('create authorization.k8s.io/v1/selfsubjectaccessreviews', {
    ...wide,
    body: ({ namespace }) =>
      `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"resourceAttributes":{"namespace":"${namespace}","verb":"create","resource":"deployments","group":"apps"}}}`,
  }),
  reviewToken: call('create authentication.k8s.io/v1/tokenreviews', {
    ...wide,
    body: () =>
      '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","spec":{"audiences":["https://kubernetes.default.svc"]}}',
  }),
  reviewAccess: call('create authorization.k8s.io/v1/subjectaccessreviews', {
    ...wide,
    body: ({ namespace, account }) =>
      `{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"resourceAttributes":{"namespace":"${namespace}","verb":"get","resource":"nodes","subresource":"metrics"},"user":"system:serviceaccount:${namespace}:${account}"}}`,
  }),
} as const satisfies Readonly<Record<string, ClusterCall>>;

/** A shell in a pod, or a command in one. */
const execCall = (...command: readonly string[]): ClusterCall =>
  call('get core/v1/pods/exec', {
    query: `${command.map((word) => `command=${encodeURIComponent(word)}`).join('&')}&container={app}&stdin=true&stdout=true&tty=true`,
    ...{ code: 101, ms: 60 },
    body: ({ app }) =>
      `${core('PodExecOptions')},"stdin":true,"stdout":true,"tty":true,"container":"${app}","command":${text(command)}}`,
  });
export const SHELL_CALLS = [
  execCall('sh'),
  execCall('bash'),
  execCall('env'),
  execCall('ls', '-la'),
  execCall('ps', 'aux'),
];
/** In a pod that has the files of its node below /host. */
export const NODE_SHELL_CALLS = [
  execCall('chroot', '/host'),
  execCall('cat', '/host/etc/shadow'),
  execCall('cat', '/host/var/lib/kubelet/kubeconfig'),
  execCall('ls', '/host/root'),
  execCall('crictl', 'ps'),
  execCall('journalctl', '-u', 'kubelet'),
];

/** A watch, which is told of when it begins and when it ends. */
const watchOf = (resource: string): ClusterCall =>
  call(`watch ${resource}`, {
    ...wide,
    query: 'allowWatchBookmarks=true&resourceVersion={version}&timeoutSeconds={seconds}&watch=true',
    ms: 3,
  });
export const WATCH_CALLS = [
  ...['core/v1/pods', 'core/v1/pods', 'core/v1/services', 'core/v1/configmaps', 'core/v1/nodes'],
  ...['core/v1/namespaces', 'discovery.k8s.io/v1/endpointslices', 'apps/v1/deployments'],
  ...['apps/v1/replicasets', 'batch/v1/jobs', 'networking.k8s.io/v1/ingresses', 'core/v1/secrets'],
].map(watchOf);

/** What the API server tells anybody. */
export const HEALTH_CALLS = [path('/livez', 200), path('/readyz', 200), path('/healthz', 200)];
export const VERSION_CALL = path('/version', 200);
/** Paths that are known, and asked for without a token. */
export const PROBE_CALLS: readonly ClusterCall[] = [
  ...HEALTH_CALLS,
  VERSION_CALL,
  ...[
    '/',
    '/api',
    '/apis',
    '/api/v1',
    '/openapi/v2',
    '/metrics',
    '/swagger.json',
    '/.well-known/openid-configuration',
  ].map((base) => path(base, 403)),
  ...['namespaces', 'pods', 'secrets', 'nodes', 'configmaps', 'serviceaccounts', 'services'].map((resource) =>
    call(`list core/v1/${resource}`, { ...wide, code: 403, ms: 1 }),
  ),
  ...['secrets', 'pods', 'configmaps'].map((resource) =>
    call(`list core/v1/${resource}`, { code: 403, ms: 1 }),
  ),
  call('list apps/v1/deployments', { ...wide, code: 403, ms: 1 }),
  call('list rbac.authorization.k8s.io/v1/clusterroles', { ...wide, code: 403, ms: 1 }),
  call('create core/v1/pods', { code: 403, ms: 1 }),
  call('get core/v1/pods/exec', { query: 'command=sh', code: 403, ms: 1 }),
];
