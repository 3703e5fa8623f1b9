import { weighted } from '../../draw.js';
import type { HostRole, Person } from '../../population/entities.js';
import type { DatabaseName } from './statements.js';

/** What a client does at once. */
export type DatabaseJob =
  | 'read'
  | 'prepared'
  | 'write'
  | 'transaction'
  | 'slow'
  | 'copy'
  | 'fault'
  | 'lock'
  | 'catalog'
  | 'injected';

const HABITS = {
  /** Services that answer requests from outside: strangers put SQL into some of them. */
  site: weighted<DatabaseJob>([
    [40, 'prepared'],
    [22, 'read'],
    [13, 'transaction'],
    [10, 'write'],
    [1.6, 'slow'],
    [2.8, 'fault'],
    [1.2, 'lock'],
    [1.2, 'injected'],
    [0.3, 'catalog'],
  ]),
  service: weighted<DatabaseJob>([
    [38, 'prepared'],
    [22, 'read'],
    [14, 'transaction'],
    [12, 'write'],
    [2, 'slow'],
    [2.8, 'fault'],
    [1.6, 'lock'],
    [0.6, 'catalog'],
    [1, 'copy'],
  ]),
  batch: weighted<DatabaseJob>([
    [26, 'read'],
    [22, 'prepared'],
    [16, 'transaction'],
    [12, 'write'],
    [6, 'slow'],
    [14, 'copy'],
    [3, 'fault'],
    [1, 'lock'],
  ]),
  person: weighted<DatabaseJob>([
    [52, 'read'],
    [16, 'catalog'],
    [9, 'slow'],
    [7, 'copy'],
    [9, 'fault'],
    [5, 'write'],
    [2, 'transaction'],
  ]),
  monitor: weighted<DatabaseJob>([
    [97, 'catalog'],
    [3, 'fault'],
  ]),
  backup: weighted<DatabaseJob>([
    [88, 'copy'],
    [10, 'catalog'],
    [2, 'fault'],
  ]),
} as const;

/** A median, and the sigma of its lognormal. */
type Spread = readonly [median: number, sigma: number];

/** How somebody uses the database. */
export interface DatabaseClient {
  readonly application: string;
  readonly user: string;
  readonly database: DatabaseName;
  readonly habit: (drawn: number) => DatabaseJob;
  readonly jobs: Spread;
  /** Seconds between jobs. */
  readonly pause: Spread;
}

/** A program that uses the database from servers of a role. */
export interface DatabaseProgram extends DatabaseClient {
  readonly role: HostRole;
  /** Connections an hour when it has most to do, in an organization of the usual size; 0 for one with a schedule. */
  readonly perHour: number;
  /** When it has most to do. */
  readonly load: 'visitors' | 'office' | 'steady';
  /** Minutes between two runs, and those after the hour; null for one without a schedule. */
  readonly schedule: readonly [every: number, after: number] | null;
}

const program = (
  [application, user, database, role]: readonly [string, string, DatabaseName, HostRole],
  habit: keyof typeof HABITS,
  jobs: Spread,
  pause: Spread,
  [load, perHour]: readonly [load: DatabaseProgram['load'], perHour: number],
  schedule: DatabaseProgram['schedule'] = null,
): DatabaseProgram => ({
  ...{ application, user, database, role, habit: HABITS[habit], jobs, pause, load, perHour, schedule },
});

/** Connections of a pool last some minutes; those of a page, a moment. */
const POOL: readonly [Spread, Spread] = [
  [10, 0.3],
  [8, 0.7],
];
const PAGE: readonly [Spread, Spread] = [
  [4, 0.5],
  [0.03, 0.8],
];

/** Programs that use the database, those of the site first. */
export const SITE_PROGRAMS: readonly DatabaseProgram[] = [
  program(['shop-api', 'shop_app', 'shop', 'kubernetes_node'], 'site', ...POOL, ['visitors', 440]),
  program(['shop-web', 'shop_app', 'shop', 'web_server'], 'site', ...PAGE, ['visitors', 1_100]),
  program(['cart-service', 'cart_app', 'shop', 'kubernetes_node'], 'site', ...POOL, ['visitors', 200]),
  program(['billing-api', 'billing_app', 'billing', 'application_server'], 'site', ...POOL, [
    'visitors',
    210,
  ]),
  program(['payment-hooks', 'billing_app', 'billing', 'web_server'], 'site', ...PAGE, ['visitors', 260]),
];

const OTHER_PROGRAMS: readonly DatabaseProgram[] = [
  program(['shop-worker', 'shop_worker', 'shop', 'kubernetes_node'], 'service', ...POOL, ['visitors', 150]),
  program(['search-indexer', 'search_app', 'shop', 'application_server'], 'service', ...POOL, ['steady', 20]),
  program(['dashboards', 'dashboard_ro', 'analytics', 'application_server'], 'service', ...POOL, [
    'office',
    80,
  ]),
  program(
    ['price-import', 'price_app', 'shop', 'application_server'],
    'batch',
    [8, 0.4],
    [0.3, 0.8],
    ['steady', 18],
  ),
  program(['schema-migrate', 'owner', 'shop', 'build_server'], 'batch', [6, 0.4], [0.5, 0.8], ['office', 2]),
  program(
    ['billing-batch', 'billing_batch', 'billing', 'application_server'],
    'batch',
    [30, 0.4],
    [1, 0.8],
    ['steady', 0],
    [30, 10],
  ),
  program(
    ['ledger-sync', 'ledger_app', 'billing', 'application_server'],
    'batch',
    [10, 0.4],
    [0.5, 0.8],
    ['steady', 0],
    [10, 3],
  ),
  program(
    ['etl-loader', 'etl', 'analytics', 'application_server'],
    'batch',
    [16, 0.4],
    [0.8, 0.8],
    ['steady', 0],
    [15, 5],
  ),
  program(
    ['report-runner', 'reporting', 'analytics', 'application_server'],
    'batch',
    [12, 0.4],
    [1, 0.8],
    ['steady', 0],
    [20, 2],
  ),
  program(
    ['metrics-exporter', 'monitor', 'shop', 'proxy'],
    'monitor',
    [4, 0.2],
    [0.02, 0.5],
    ['steady', 0],
    [1, 0],
  ),
  program(
    ['backup-agent', 'backup', 'shop', 'file_server'],
    'backup',
    [12, 0.2],
    [0.4, 0.5],
    ['steady', 0],
    [60, 40],
  ),
];
export const DATABASE_PROGRAMS: readonly DatabaseProgram[] = [...SITE_PROGRAMS, ...OTHER_PROGRAMS];

/** Engineers use a shell, every third of the others a tool for reports. Null for those who use none. */
export const databaseClientOf = ({ number, user, is_engineer }: Person): DatabaseClient | null => {
  const base = { user, habit: HABITS.person, jobs: [11, 0.6], pause: [22, 0.9] } as const;
  if (is_engineer) return { ...base, application: 'psql', database: number % 2 === 0 ? 'shop' : 'analytics' };
  if (number % 3 !== 0) return null;
  return { ...base, application: 'SQL console', database: number % 2 === 0 ? 'billing' : 'analytics' };
};
