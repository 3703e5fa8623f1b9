/** Who asks the API of the cluster, as it knows them. One object for all of their calls. */
export interface ClusterUser {
  /** Empty for those whose token is wrong. */
  readonly username: string;
  /** Null for those who are no object of the cluster. */
  readonly uid: string | null;
  readonly groups: readonly string[];
  /** Why the cluster lets them, with `{namespace}` for the one that they ask about; empty when no role does. */
  readonly grant: string;
  /** The same for what is in no namespace. */
  readonly cluster_grant: string;
}

/** A user at a program on a computer. */
export interface ClusterCaller {
  readonly user: ClusterUser;
  readonly agent: string;
  readonly ip: string;
  /** Pod that the token is for. Null for other tokens. */
  readonly pod: string | null;
  /** Node of that pod. */
  readonly node: string | null;
}

export const SERVICE_ACCOUNTS_GROUP = 'system:serviceaccounts';
export const AUTHENTICATED = 'system:authenticated';

/** A name of the cluster for an account of a program in a namespace. */
export const accountName = (namespace: string, account: string): string =>
  `system:serviceaccount:${namespace}:${account}`;

/** Why a role that is bound in the whole cluster lets somebody, in words of the API server. */
export const clusterGrant = (role: string, subject: string): string =>
  `RBAC: allowed by ClusterRoleBinding "${role}" of ClusterRole "${role}" to ${subject}`;

export const ANONYMOUS: ClusterUser = {
  username: 'system:anonymous',
  uid: null,
  groups: ['system:unauthenticated'],
  grant: '',
  cluster_grant: clusterGrant('system:public-info-viewer', 'Group "system:unauthenticated"'),
};

/** Somebody whose token is not valid. */
export const UNKNOWN_TOKEN: ClusterUser = {
  username: '',
  uid: null,
  groups: [],
  grant: '',
  cluster_grant: '',
};
