import type { Micros } from '../../domain/time/micros.js';
import type { InternetAccess, Person, WorldHost } from '../population/entities.js';
import type { CloudClient, CloudPrincipal } from './cloud/principals.js';
import type { ClusterUser } from './cluster/clusterUser.js';
import type { DatabaseConnection } from './database/connection.js';
import type { SensorDevice } from './devices/sensorDevice.js';
import type { MailMessage } from './mail/mailMessage.js';
import type { Payment, PayPod, PayShop } from './payments/payment.js';
import type { WebItem, WebVisit } from './web/webVisit.js';

/** What a Windows domain adds. */
const WINDOWS_ACTS = [
  'start_service',
  'request_ticket',
  'mistype_password',
  'use_credentials',
  'try_remotely',
  'work_remotely',
  'finish_remotely',
] as const;

/** Anything a fact can be: what templates and scripts read as `activity.facts`. */
export type ActivityFact =
  | string
  | number
  | boolean
  | null
  | WorldHost
  | Person
  | InternetAccess
  | MailMessage
  | WebItem
  | WebVisit
  | CloudPrincipal
  | CloudClient
  | DatabaseConnection
  | ClusterUser
  | SensorDevice
  | Payment
  | PayPod
  | PayShop
  | readonly string[];
export type ActivityFacts = Readonly<Record<string, ActivityFact>>;

/**
 * The vocabulary: what can happen in a world. A kind under `acts` is what a person or a machine decides to do; everything
 * else has one as its first cause. `vocabulary.ts` says what each means.
 */
export const ACTIVITY_KINDS = {
  acts: [
    'sign_in',
    'sign_out',
    'lock',
    'unlock',
    'browse',
    'use_share',
    'run_program',
    'close_program',
    'use_application',
    'send_mail',
    'administer',
    'finish_work',
    'connect_vpn',
    'disconnect_vpn',
    'save_file',
    'set_value',
    'open_process',
    'use_pipe',
    'change_account',
    'try_password',
    'probe',
    'look_up',
    'count_queries',
    'receive_mail',
    'try_ssh',
    'run_job',
    'finish_job',
    'use_sudo',
    'open_file',
    'reach_server',
    'change_unit',
    'set_up_host',
    'change_local_account',
    'update_package',
    'report_state',
    'try_port',
    'sign_on',
    'check_factor',
    'open_application',
    'change_sign_on',
    'sign_off',
    'try_outside',
    'keep_vpn',
    'report_load',
    'use_cloud',
    ...WINDOWS_ACTS,
    'request_web',
    'use_database',
    'keep_database',
    'meter_flow',
    'keep_network',
    'use_cluster',
    'use_broker',
    'pay',
    'serve_payments',
  ],
  identity: [
    'logon',
    'logoff',
    'logon_failed',
    'special_privileges',
    'explicit_logon',
    'kerberos',
    'ntlm',
    'account_changed',
    'group_changed',
    'locked_out',
    'sso_login',
    'sso_access',
    'sso_logout',
    'sso_factor',
    'sso_policy',
    'sso_token',
    'sso_changed',
    'vpn_start',
    'vpn_step',
    'vpn_end',
    'vpn_failed',
    'session_step',
  ],
  endpoint: [
    'process_start',
    'process_end',
    'file_created',
    'file_removed',
    'registry_set',
    'process_opened',
    'pipe_used',
    'library_loaded',
    'share_access',
  ],
  network: ['dns_query', 'dns_update', 'connection', 'connection_end', 'inspection', 'flow_record'],
  mail: ['message', 'mail_step'],
  cloud: ['cloud_sign_in', 'cloud_call'],
} as const;

type Table = typeof ACTIVITY_KINDS;
export type ActivityKind = Table[keyof Table][number];
export const ALL_ACTIVITY_KINDS: readonly ActivityKind[] = Object.values(ACTIVITY_KINDS).flat();

/** Connections, and what a firewall tells of them. */
export const isOfConnections = (kind: ActivityKind): boolean =>
  kind === 'connection' || kind === 'connection_end' || kind === 'inspection';

/** That an activity belongs to an attack. */
export interface AttackTruth {
  /** Name of the recipe. */
  readonly attack: string;
  /** Number of the campaign, for one attack. */
  readonly campaign: number;
  readonly phase: string;
  /** MITRE ATT&CK, such as `T1110.001`. */
  readonly technique: string;
}

/** Those of whom a scenario can show a part: people of the organization, or visitors and strangers. */
export type Crowd = 'people' | 'outside';

/** An activity is shown from this share of its crowd on: above 0, and at most 1. Whoever shows more of a crowd shows all that others do. */
export interface ShownFrom {
  readonly crowd: Crowd;
  readonly share: number;
}

/** Something that happens at a moment. Of the same world and number, it is the same everywhere. */
export interface Activity {
  /** Unique in the world. */
  readonly id: number;
  readonly at: Micros;
  readonly kind: ActivityKind;
  /** Null for machines and for the outside. */
  readonly person: Person | null;
  /** Where it happens; null outside of the organization. */
  readonly host: WorldHost | null;
  /** Names a logon session of a host, a VPN session or a session of the single sign-on. */
  readonly session: string | null;
  readonly facts: ActivityFacts;
  /** The activity that led to it. Null for an act. */
  readonly cause: number | null;
  /** Null for normal traffic. */
  readonly truth: AttackTruth | null;
  /** Null for what is always shown: that of servers and services, and attacks. */
  readonly shown_from: ShownFrom | null;
}
