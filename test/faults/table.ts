export const FAULTS = [
  'refused',
  'reset mid-batch',
  'slow',
  'hung',
  'server error',
  'auth error',
  'disk full',
  'permission',
] as const;
export type Fault = (typeof FAULTS)[number];

export const OUTPUTS = ['clickhouse', 'file', 'loki', 'otlp', 'splunk_hec', 'stdout'] as const;
export type OutputName = (typeof OUTPUTS)[number];

/** A cell of the table: the fault and its effect, or why it is impossible. */
export type Cell = { readonly made: string; readonly seen: string } | { readonly never: string };

const never = (reason: string): Cell => ({ never: reason });
const shown = (made: string, seen: string): Cell => ({ made, seen });

/** Every output under every fault. Counters add up, queues stay bounded, and the run recovers unless `seen` says otherwise. */
export const TABLE: Readonly<Record<OutputName, Readonly<Record<Fault, Cell>>>> = {
  clickhouse: {
    refused: shown('the server is killed and started again', 'retried, then dead letters, then written'),
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'no torn row, dead letters, then written',
    ),
    slow: shown('the wire lets few bytes through', 'nothing fails, the producer is held back'),
    hung: shown(
      'the server is frozen; or its answers are lost',
      'write_timeout ends each attempt, the producer is held back, dead letters, then written',
    ),
    'server error': shown(
      'the table is missing; it has too many parts; a balancer answers 503',
      'what cannot pass is refused at once, what may pass is retried; then written',
    ),
    'auth error': shown(
      'the password is changed on the server',
      'refused at once, dead letters, then written',
    ),
    'disk full': shown('the disk of the table is full', 'retried, dead letters, no half batch, then written'),
    permission: shown('the user may only read', 'refused at once, dead letters, then written'),
  },
  file: {
    refused: shown('a folder stands where the file was', 'retried, dead letters, then written'),
    'reset mid-batch': shown(
      'the path is a named pipe whose reader goes in mid-batch',
      'the other output goes on; the events of this one are in its dead letters',
    ),
    slow: shown('the path is a named pipe with a slow reader', 'nothing fails, the producer is held back'),
    hung: shown(
      'the path is a named pipe whose reader stands still',
      'nothing fails, the producer is held back, then written; a stop in between accounts for all',
    ),
    'server error': shown('the device answers EIO', 'retried, dead letters, then written'),
    'auth error': never('a file system asks for no credentials; who may write is the row "permission"'),
    'disk full': shown(
      'the file may not grow (RLIMIT_FSIZE); a small disk is full',
      'retried, no half batch, then written',
    ),
    permission: shown(
      'the path leads to a file that nobody may write',
      'retried, dead letters, then written',
    ),
  },
  loki: {
    refused: shown(
      'the server is killed and started again, once and twice',
      'retried, then dead letters, then written; with enough attempts nothing is lost',
    ),
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'no torn event, dead letters, then written',
    ),
    slow: shown('the wire lets few bytes through', 'nothing fails, the producer is held back'),
    hung: shown(
      'the server is frozen; or its answers are lost',
      'write_timeout ends each attempt, the producer is held back, dead letters, then written',
    ),
    'server error': shown(
      'the rate is limited; all entries are too old',
      'what cannot pass is refused at once, what may pass is retried; then written',
    ),
    'auth error': shown(
      'the gateway asks for another password',
      'refused at once, dead letters, then written',
    ),
    'disk full': shown('the server replies that its disk is full', 'retried, dead letters, then written'),
    permission: shown('the tenant may not write', 'refused at once, dead letters, then written'),
  },
  otlp: {
    refused: shown(
      'the server is killed and started again, once and twice',
      'retried, then dead letters, then written; with enough attempts nothing is lost',
    ),
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'no torn event, dead letters, then written',
    ),
    slow: shown('the wire lets few bytes through', 'nothing fails, the producer is held back'),
    hung: shown(
      'the server is frozen; or its answers are lost',
      'write_timeout ends each attempt, the producer is held back, dead letters, then written',
    ),
    'server error': shown(
      'the server replies 503, as with a full queue, or 500',
      'what cannot pass is refused at once, what may pass is retried; then written',
    ),
    'auth error': shown('the token is replaced on the server', 'refused at once, dead letters, then written'),
    'disk full': shown('the server replies that its storage is full', 'retried, dead letters, then written'),
    permission: shown(
      'the server replies that the client may not write',
      'refused at once, dead letters, then written',
    ),
  },
  splunk_hec: {
    refused: shown(
      'the server is killed and started again, once and twice',
      'retried, then dead letters, then written; with enough attempts nothing is lost',
    ),
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'no torn event, dead letters, then written',
    ),
    slow: shown('the wire lets few bytes through', 'nothing fails, the producer is held back'),
    hung: shown(
      'the server is frozen; or its answers are lost',
      'write_timeout ends each attempt, the producer is held back, dead letters, then written',
    ),
    'server error': shown(
      'the server replies that it is busy; it confirms nothing',
      'retried, dead letters, then written',
    ),
    'auth error': shown('the token is replaced on the server', 'refused at once, dead letters, then written'),
    'disk full': shown('the server replies that its queues are full', 'retried, dead letters, then written'),
    permission: shown('the token may not write to the index', 'refused at once, dead letters, then written'),
  },
  stdout: {
    refused: shown(
      'the stream is closed when the generator starts',
      'the run fails and says so; nothing is made (a program without one gets /dev/null from Node)',
    ),
    'reset mid-batch': shown(
      'the reader goes in mid-batch',
      'the run ends: nobody can ever read this stream again; all is accounted for',
    ),
    slow: shown('the reader is slow', 'nothing fails, the producer is held back'),
    hung: shown('the reader stands still', 'nothing fails, the producer is held back, then written'),
    'server error': never('nothing answers at the other end of a stream: it takes bytes or it does not'),
    'auth error': never(
      'a stream is handed over open by whoever starts the program; it asks for no credentials',
    ),
    'disk full': shown(
      'the stream is /dev/full; or a file that may not grow',
      'retried, counted as failed, then written',
    ),
    permission: shown('the stream is open for reading only', 'the run fails and says so; nothing is made'),
  },
};
