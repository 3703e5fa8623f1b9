import { textNumber } from '../../draw.js';

/** Something that a database writes a line about: a statement, what came of it, or a step of a connection. */
export interface DatabaseLine {
  readonly action: string;
  readonly severity: 'LOG' | 'WARNING' | 'ERROR' | 'FATAL';
  /** SQLSTATE, and its name where something is wrong. */
  readonly code: string;
  readonly condition: string | null;
  /** What the database says. Null where it follows from the action and the numbers. */
  readonly text: string | null;
  readonly detail: string | null;
  readonly hint: string | null;
  /** Parts of the statement, with a number between each two. Null without a statement. */
  readonly statement: readonly string[] | null;
  readonly tag: string;
  readonly query_id: string | null;
  /** Rows, and the usual time. */
  readonly rows: number;
  readonly ms: number;
}

/** Where the number of an order, a customer and so on goes. */
const ID = '{id}';

/** Nineteen digits that follow from a text. */
const queryId = (text: string): string => {
  const part = (factor: number): string => String(textNumber(text, factor) % 1_000_000_000).padStart(9, '0');
  return `${1 + (textNumber(text, 29) % 8)}${part(31)}${part(37)}`;
};

/** One literal for all lines: they have one shape. */
export const databaseLine = (
  action: string,
  text: string | null,
  given: Partial<DatabaseLine> = {},
): DatabaseLine => ({
  action,
  severity: given.severity ?? 'LOG',
  code: given.code ?? '00000',
  condition: given.condition ?? null,
  text: given.text ?? null,
  detail: given.detail ?? null,
  hint: given.hint ?? null,
  statement: text === null ? null : text.split(ID),
  tag: given.tag ?? text?.split(' ')[0] ?? '',
  query_id: text === null ? null : queryId(text),
  rows: given.rows ?? 0,
  ms: given.ms ?? 0,
});

export const loggedStatement = (text: string, ms: number, rows: number): DatabaseLine =>
  databaseLine('statement', text, { ms, rows });
const prepared = (text: string, detail: string, ms: number, rows: number): DatabaseLine =>
  databaseLine('prepared-execute', text, { detail: `parameters: ${detail}`, ms, rows });

/** What the database writes about a connection and its transactions, whatever it is used for. */
export const SESSION_LINES = {
  connected: databaseLine('connection-received', null),
  authorized: databaseLine('connection-authorized', null, { tag: 'authentication' }),
  refused: databaseLine('authentication-failed', null, {
    ...{ severity: 'FATAL', code: '28P01', condition: 'invalid_password', tag: 'authentication' },
  }),
  disconnected: databaseLine('disconnection', null, { tag: 'idle' }),
  spilled: databaseLine('temporary-file', null, { tag: 'SELECT' }),
  begin: loggedStatement('BEGIN', 0.03, 0),
  commit: loggedStatement('COMMIT', 2.4, 0),
  rollback: loggedStatement('ROLLBACK', 0.1, 0),
} as const;

/** A table, with its size. */
export interface DatabaseTable {
  /** With its database and schema, as in `shop.public.orders`. */
  readonly name: string;
  readonly oid: number;
  readonly rows: number;
  readonly pages: number;
}

export type DatabaseName = 'shop' | 'billing' | 'analytics';

/** Tables by database: schema, name, the column by which it is mostly read, and thousands of rows. */
const LAYOUT: Readonly<
  Record<DatabaseName, readonly (readonly [schema: string, name: string, key: string, thousands: number])[]>
> = {
  shop: [
    ['public', 'customers', 'id', 102],
    ['public', 'addresses', 'customer_id', 170],
    ['public', 'carts', 'customer_id', 2_603],
    ['public', 'cart_items', 'cart_id', 4_527],
    ['public', 'orders', 'id', 969],
    ['public', 'order_lines', 'order_id', 2_263],
    ['public', 'products', 'id', 13],
    ['public', 'prices', 'product_id', 43],
    ['public', 'stock', 'product_id', 18],
    ['public', 'reviews', 'product_id', 396],
    ['public', 'vouchers', 'id', 91],
    ['public', 'sessions', 'customer_id', 136],
  ],
  billing: [
    ['public', 'invoices', 'account_id', 1_653],
    ['public', 'invoice_lines', 'account_id', 6_594],
    ['public', 'payments', 'account_id', 1_523],
    ['public', 'refunds', 'account_id', 28],
    ['public', 'accounts', 'account_id', 22],
    ['public', 'ledger_entries', 'account_id', 18_414],
  ],
  analytics: [
    ['mart', 'daily_sales', 'day', 19],
    ['mart', 'page_views', 'hour', 33_911],
    ['mart', 'funnels', 'week', 5],
    ['mart', 'cohorts', 'month', 2],
    ['mart', 'attribution', 'day', 847],
    ['mart', 'exports', 'day', 171],
    ['staging', 'orders_raw', 'day', 595],
    ['staging', 'clicks_raw', 'hour', 7_638],
  ],
};

/** Objects that users make have numbers from here on. */
const FIRST_OID = 16_384;
const ROWS_PER_PAGE = 40;

export const DATABASES = Object.keys(LAYOUT) as readonly DatabaseName[];
export const DATABASE_TABLES: readonly DatabaseTable[] = DATABASES.flatMap((database) =>
  LAYOUT[database].map(([schema, name, , thousands]) => {
    const full = `${database}.${schema}.${name}`;
    const rows = thousands * 1_000 + (textNumber(full, 31) % 1_000);
    const oid = FIRST_OID + (textNumber(full, 33) % 9_000);
    return { name: full, oid, rows, pages: Math.ceil(rows / ROWS_PER_PAGE) };
  }),
);

/** Reads by a number, and the same prepared. */
const READS: Readonly<Record<DatabaseName, (table: string, key: string) => readonly DatabaseLine[]>> = {
  shop: (table, key) => [
    loggedStatement(`SELECT id, status, updated_at FROM ${table} WHERE ${key} = {id}`, 0.4, 4),
    prepared(`SELECT * FROM ${table} WHERE ${key} = $1 LIMIT $2`, "$1 = '{id}', $2 = '50'", 0.3, 6),
  ],
  billing: (table, key) => [
    loggedStatement(
      `SELECT id, amount, currency, state FROM ${table} WHERE ${key} = {id} ORDER BY id DESC LIMIT 20`,
      0.6,
      14,
    ),
    prepared(`SELECT id, amount, state FROM ${table} WHERE id = $1`, "$1 = '{id}'", 0.5, 1),
  ],
  analytics: (table, key) => [
    loggedStatement(
      `SELECT ${key}, count(*) AS n FROM ${table} WHERE ${key} >= now() - interval '30 days' GROUP BY ${key} ORDER BY ${key}`,
      24,
      30,
    ),
    prepared(
      `SELECT * FROM ${table} WHERE ${key} = $1 AND region_id = $2`,
      "$1 = '2026-01-01', $2 = '{id}'",
      12,
      8,
    ),
  ],
};

/** Tables that are written to, with their column of states and one of these. */
const WRITTEN: Readonly<
  Record<DatabaseName, readonly (readonly [table: string, column: string, state: string])[]>
> = {
  shop: [
    ['public.orders', 'status', 'paid'],
    ['public.carts', 'status', 'open'],
    ['public.stock', 'state', 'reserved'],
    ['public.sessions', 'state', 'active'],
  ],
  billing: [
    ['public.invoices', 'state', 'sent'],
    ['public.payments', 'state', 'booked'],
    ['public.accounts', 'state', 'active'],
  ],
  analytics: [['mart.exports', 'state', 'done']],
};

const writesOf = (database: DatabaseName): readonly DatabaseLine[] =>
  WRITTEN[database].flatMap(([table, column, state]) => [
    loggedStatement(`UPDATE ${table} SET ${column} = '${state}', updated_at = now() WHERE id = {id}`, 1.4, 1),
    loggedStatement(
      `INSERT INTO ${table} (id, ${column}, created_at) VALUES ({id}, '${state}', now()) RETURNING id`,
      1.1,
      1,
    ),
    loggedStatement(`DELETE FROM ${table} WHERE id = {id} AND ${column} = 'expired'`, 1.2, 1),
  ]);

/** Statements that take more than a second. */
const SLOW: Readonly<Record<DatabaseName, readonly DatabaseLine[]>> = {
  shop: [
    loggedStatement(
      "SELECT c.id, c.email, sum(l.quantity * l.price) AS total FROM public.customers c JOIN public.orders o ON o.customer_id = c.id JOIN public.order_lines l ON l.order_id = o.id WHERE o.created_at > now() - interval '90 days' GROUP BY c.id, c.email ORDER BY total DESC LIMIT 100",
      2_400,
      100,
    ),
    loggedStatement(
      "SELECT p.id, p.name, avg(r.stars) FROM public.products p LEFT JOIN public.reviews r ON r.product_id = p.id WHERE p.name ILIKE '%lamp%' GROUP BY p.id, p.name ORDER BY 3 DESC",
      900,
      60,
    ),
    loggedStatement(
      "SELECT count(*) FROM public.sessions WHERE last_seen < now() - interval '1 day'",
      1_400,
      1,
    ),
  ],
  billing: [
    loggedStatement(
      "SELECT a.id, sum(e.amount) FROM public.accounts a JOIN public.ledger_entries e ON e.account_id = a.id WHERE e.booked_at >= date_trunc('month', now()) GROUP BY a.id HAVING sum(e.amount) <> 0",
      1_500,
      900,
    ),
    loggedStatement(
      'SELECT i.id, i.due_on FROM public.invoices i WHERE NOT EXISTS (SELECT 1 FROM public.payments p WHERE p.invoice_id = i.id) AND i.due_on < current_date',
      1_500,
      140,
    ),
  ],
  analytics: [
    loggedStatement(
      "INSERT INTO mart.daily_sales SELECT date_trunc('day', o.created_at), o.region_id, count(*), sum(o.total) FROM staging.orders_raw o WHERE o.loaded_at > now() - interval '1 day' GROUP BY 1, 2",
      2_600,
      40,
    ),
    loggedStatement(
      "SELECT f.step, count(DISTINCT v.visitor_id) FROM mart.page_views v JOIN mart.funnels f ON f.page_id = v.page_id WHERE v.seen_at BETWEEN now() - interval '7 days' AND now() GROUP BY f.step ORDER BY f.step",
      2_600,
      9,
    ),
    loggedStatement(
      'SELECT cohort, month, retained::numeric / size AS rate FROM mart.cohorts ORDER BY cohort, month',
      1_200,
      300,
    ),
  ],
};

/** Whole tables as CSV: what backups, exports and analysts read. */
const copiesOf = (database: DatabaseName): readonly DatabaseLine[] =>
  LAYOUT[database].map(([schema, name, , thousands]) =>
    loggedStatement(
      `COPY (SELECT * FROM ${schema}.${name}) TO STDOUT WITH (FORMAT csv, HEADER)`,
      2_000 + 9 * Math.min(thousands, 2_000),
      thousands * 1_000,
    ),
  );

/** What people and monitors ask the database about itself. */
const CATALOG: readonly DatabaseLine[] = [
  loggedStatement(
    'SELECT schemaname, relname, n_live_tup FROM pg_stat_user_tables ORDER BY n_live_tup DESC',
    14,
    30,
  ),
  loggedStatement('SELECT rolname, rolsuper, rolcreaterole FROM pg_roles', 6, 28),
  loggedStatement('SELECT datname, pg_database_size(datname) FROM pg_database', 11, 5),
  loggedStatement("SELECT current_setting('data_directory')", 3, 1),
  loggedStatement('SELECT state, count(*) FROM pg_stat_activity GROUP BY state', 4, 4),
  loggedStatement("SELECT pg_size_pretty(pg_total_relation_size('public.customers'))", 9, 1),
  loggedStatement('SELECT datname, xact_commit, blks_read FROM pg_stat_database', 5, 5),
];

/** What a database has to say to those who use it. */
export interface StatementBook {
  readonly reads: readonly DatabaseLine[];
  readonly prepared: readonly DatabaseLine[];
  readonly writes: readonly DatabaseLine[];
  readonly slow: readonly DatabaseLine[];
  readonly copies: readonly DatabaseLine[];
  readonly catalog: readonly DatabaseLine[];
}

const bookOf = (database: DatabaseName): StatementBook => {
  const all = LAYOUT[database].flatMap(([schema, name, key]) => READS[database](`${schema}.${name}`, key));
  return {
    reads: all.filter(({ action }) => action === 'statement'),
    prepared: all.filter(({ action }) => action !== 'statement'),
    writes: writesOf(database),
    slow: SLOW[database],
    copies: copiesOf(database),
    catalog: CATALOG,
  };
};

export const STATEMENTS: Readonly<Record<DatabaseName, StatementBook>> = {
  shop: bookOf('shop'),
  billing: bookOf('billing'),
  analytics: bookOf('analytics'),
};
