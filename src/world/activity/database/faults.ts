import { weighted } from '../../draw.js';
import { type DatabaseLine, databaseLine, loggedStatement } from './statements.js';

/** `state`: SQLSTATE and its name. */
const fault = (
  state: string,
  text: string,
  about: string,
  more: Partial<Pick<DatabaseLine, 'severity' | 'detail' | 'hint'>> = {},
): DatabaseLine => {
  const [code = '', condition = null] = state.split(' ');
  return databaseLine('error', about, { severity: 'ERROR', code, condition, text, ...more });
};

/** What goes wrong, with the statement that did it. */
export const faultAt = weighted<DatabaseLine>([
  [
    9,
    fault(
      '23505 unique_violation',
      'duplicate key value violates unique constraint "orders_pkey"',
      "INSERT INTO public.orders (id, status) VALUES ({id}, 'open')",
      { detail: 'Key (id)=({id}) already exists.' },
    ),
  ],
  [
    8,
    fault(
      '23505 unique_violation',
      'duplicate key value violates unique constraint "customers_email_key"',
      "INSERT INTO public.customers (id, email) VALUES ({id}, 'user{id}@example.com')",
      { detail: 'Key (email)=(user{id}@example.com) already exists.' },
    ),
  ],
  [
    6,
    fault(
      '23503 foreign_key_violation',
      'insert or update on table "order_lines" violates foreign key constraint "order_lines_product_id_fkey"',
      'INSERT INTO public.order_lines (order_id, product_id) VALUES ({id}, {id})',
      { detail: 'Key (product_id)=({id}) is not present in table "products".' },
    ),
  ],
  [
    5,
    fault(
      '23514 check_violation',
      'new row for relation "stock" violates check constraint "stock_quantity_check"',
      'UPDATE public.stock SET quantity = quantity - 9 WHERE product_id = {id}',
      { detail: 'Failing row contains ({id}, -3).' },
    ),
  ],
  [
    3,
    fault(
      '42P01 undefined_table',
      'relation "public.order_archive" does not exist',
      'SELECT * FROM public.order_archive WHERE id = {id}',
    ),
  ],
  [
    3,
    fault(
      '42703 undefined_column',
      'column "delivery_slot" does not exist',
      'SELECT id, delivery_slot FROM public.orders WHERE id = {id}',
      { hint: 'Perhaps you meant to reference the column "orders.delivery_day".' },
    ),
  ],
  [
    4,
    fault(
      '42501 insufficient_privilege',
      'permission denied for table accounts',
      'SELECT * FROM public.accounts WHERE id = {id}',
    ),
  ],
  [
    6,
    fault(
      '57014 query_canceled',
      'canceling statement due to statement timeout',
      'SELECT count(*) FROM public.ledger_entries WHERE account_id = {id}',
    ),
  ],
  [
    2,
    fault(
      '55P03 lock_not_available',
      'canceling statement due to lock timeout',
      'ALTER TABLE public.orders ADD COLUMN note_{id} text',
    ),
  ],
  [
    6,
    fault(
      '40001 serialization_failure',
      'could not serialize access due to concurrent update',
      'UPDATE public.accounts SET balance = balance + 1 WHERE id = {id}',
    ),
  ],
  [
    5,
    fault(
      '22P02 invalid_text_representation',
      'invalid input syntax for type integer: "n/a"',
      "SELECT * FROM public.products WHERE id = 'n/a' -- request {id}",
    ),
  ],
  [
    3,
    fault(
      '22001 string_data_right_truncation',
      'value too long for type character varying(64)',
      "UPDATE public.addresses SET city = repeat('x', 80) WHERE id = {id}",
    ),
  ],
  [
    5,
    fault(
      '25P02 in_failed_sql_transaction',
      'current transaction is aborted, commands ignored until end of transaction block',
      'SELECT 1 /* request {id} */',
    ),
  ],
  [
    4,
    fault(
      '25001 active_sql_transaction',
      'there is already a transaction in progress',
      'BEGIN /* request {id} */',
      { severity: 'WARNING' },
    ),
  ],
  [
    4,
    fault(
      '25P01 no_active_sql_transaction',
      'there is no transaction in progress',
      'COMMIT /* request {id} */',
      { severity: 'WARNING' },
    ),
  ],
  [
    2,
    fault(
      '25P03 idle_in_transaction_session_timeout',
      'terminating connection due to idle-in-transaction timeout',
      'UPDATE public.carts SET status = $1 WHERE id = {id}',
      { severity: 'FATAL' },
    ),
  ],
  [
    1,
    fault(
      '57P01 admin_shutdown',
      'terminating connection due to administrator command',
      'SELECT pg_sleep(60) /* job {id} */',
      { severity: 'FATAL' },
    ),
  ],
]);

const SEARCH = 'SELECT id, name, price FROM public.products WHERE id = ';
const search = (text: string, ms: number, rows: number): DatabaseLine =>
  loggedStatement(`${SEARCH}${text}`, ms, rows);
const refused = (state: string, text: string, about: string): DatabaseLine =>
  fault(state, text, `${SEARCH}${about}`);

/** Statements with SQL from outside in them: most fail. */
export const INJECTED: readonly DatabaseLine[] = [
  refused('42601 syntax_error', `unterminated quoted string at or near "'"`, "{id}'"),
  refused('42601 syntax_error', 'syntax error at or near "OR"', "{id} '' OR 1=1"),
  refused(
    '22P02 invalid_text_representation',
    `invalid input syntax for type integer: "7' AND '1'='1"`,
    "'{id}'' AND ''1''=''1'",
  ),
  refused(
    '42601 syntax_error',
    'each UNION query must have the same number of columns',
    '{id} UNION SELECT NULL--',
  ),
  refused(
    '42601 syntax_error',
    'each UNION query must have the same number of columns',
    '{id} UNION SELECT NULL,NULL--',
  ),
  refused(
    '42804 datatype_mismatch',
    'UNION types integer and text cannot be matched',
    "{id} UNION SELECT 'a',NULL,NULL--",
  ),
  refused(
    '42501 insufficient_privilege',
    'permission denied for table pg_authid',
    '-{id} UNION SELECT 1,rolpassword,NULL FROM pg_authid--',
  ),
  search('{id} OR 1=1--', 3, 400),
  search('{id}; SELECT pg_sleep(5)--', 5_012, 1),
  search('-{id} UNION SELECT 1,version(),NULL--', 4, 1),
  search('-{id} UNION SELECT 1,current_user::text,NULL--', 6, 1),
];

/** Those that read other tables by it. */
export const INJECTED_READS: readonly DatabaseLine[] = [
  search("-{id} UNION SELECT 1,string_agg(table_name, ','),NULL FROM information_schema.tables--", 18, 1),
  search(
    "-{id} UNION SELECT 1,string_agg(column_name, ','),NULL FROM information_schema.columns WHERE table_name='customers'--",
    21,
    1,
  ),
  search('-1 UNION SELECT id,email,NULL FROM public.customers LIMIT 500 OFFSET {id}--', 160, 500),
  search('-1 UNION SELECT id,password_hash,NULL FROM public.customers LIMIT 500 OFFSET {id}--', 181, 500),
];

/** The statement that waits for a lock, and what the database says of it. */
const WAITING_FOR = 'UPDATE public.stock SET updated_at = now() WHERE id = {id}';
export const LOCK_LINES = {
  waiting: databaseLine('lock-waiting', WAITING_FOR),
  acquired: databaseLine('lock-acquired', WAITING_FOR),
  deadlock: databaseLine('lock-deadlock', WAITING_FOR, {
    ...{ severity: 'ERROR', code: '40P01', condition: 'deadlock_detected', text: 'deadlock detected' },
  }),
  done: loggedStatement(WAITING_FOR, 0, 1),
} as const;
