/** Faults of the destination. */
export const PEER_FAULTS = [
  'refused',
  'reset mid-batch',
  'slow',
  'hung',
  'server error',
  'auth error',
  'disk full',
  'permission',
] as const;
export type PeerFault = (typeof PEER_FAULTS)[number];

/** With those of a single event. */
export const FAULTS = [...PEER_FAULTS, 'unroutable event', 'closed on one event'] as const;
export type Fault = (typeof FAULTS)[number];

export const OUTPUTS = [
  'clickhouse',
  'file',
  'http',
  'kafka',
  'loki',
  'mqtt',
  'nats',
  'opensearch',
  'otlp',
  'postgresql',
  'redis',
  's3',
  'splunk_hec',
  'stdout',
  'syslog',
  'tcp',
  'udp',
] as const;
export type OutputName = (typeof OUTPUTS)[number];

/** A cell of the table: the fault and its effect, or why it is impossible. */
export type Cell = { readonly made: string; readonly seen: string } | { readonly never: string };

const never = (reason: string): Cell => ({ never: reason });
const shown = (made: string, seen: string): Cell => ({ made, seen });

const AT_ONCE = 'refused at once, dead letters, then written';
const RETRIED = 'retried, then dead letters, then written';
const UNROUTABLE = shown(
  'one event has a value that the protocol does not take',
  'it is not sent and becomes a dead letter with the reason, the others are written',
);
const CLOSED = shown(
  'the server closes the connection each time it gets one event',
  'the batch is tried in halves, that event becomes a dead letter, the others are written',
);
const KILLED = shown(
  'the server is killed and started again, once and twice',
  'retried, then dead letters, then written; with enough attempts nothing is lost',
);
const RESET = shown(
  'each connection is reset after a part of the batch',
  'no torn event, dead letters, then written',
);
const SLOW = shown('the wire lets few bytes through', 'nothing fails, the producer is held back');
const HUNG = shown(
  'the server is frozen; or its replies are lost',
  'write_timeout ends each attempt, the producer is held back, dead letters, then written',
);
const PASSWORD = shown('the password is changed on the server', AT_ONCE);
const TOKEN = shown('the token is replaced on the server', AT_ONCE);
const NO_VALUE = never('nothing of its address is made from the event, and it takes events of every size');
const NO_REPLY = never(
  'nothing acknowledges an event: what is handed over counts as written, and no reply tells which one was at fault',
);

/** Outputs over a connection without replies: `tcp` and `syslog`. */
const STREAM: Readonly<Record<Fault, Cell>> = {
  refused: shown(
    'the server is killed and started again, also twice in a row',
    'retried, then dead letters, then written; what a dead server may have lost is sent again',
  ),
  'reset mid-batch': shown(
    'the destination resets its connections',
    'nothing is missing, doubles are counted',
  ),
  slow: shown('the reader is slow', 'nothing fails, the producer is held back'),
  hung: shown(
    'the server is frozen',
    'stall_timeout ends each attempt, the producer is held back, dead letters, then written',
  ),
  'server error': never('a destination has no way to answer: it takes bytes or it does not'),
  'auth error': shown('the server comes back with a certificate of another authority', RETRIED),
  'disk full': never(
    'a receiver cannot say that its disk is full: it stops reading, which is the row "hung"',
  ),
  permission: never('who may connect is decided when connecting: the rows "refused" and "auth error"'),
  'unroutable event': NO_VALUE,
  'closed on one event': NO_REPLY,
};

/** Every output under every fault. Counters add up, queues stay bounded, and the run recovers unless `seen` says otherwise. */
export const TABLE: Readonly<Record<OutputName, Readonly<Record<Fault, Cell>>>> = {
  clickhouse: {
    refused: KILLED,
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'no torn row, dead letters, then written',
    ),
    slow: SLOW,
    hung: HUNG,
    'server error': shown(
      'the table is missing; it has too many parts; a balancer answers 503',
      'what cannot pass is refused at once, what may pass is retried; then written',
    ),
    'auth error': PASSWORD,
    'disk full': shown('the disk of the table is full', 'retried, dead letters, no half batch, then written'),
    permission: shown('the user may only read', AT_ONCE),
    'unroutable event': NO_VALUE,
    'closed on one event': CLOSED,
  },
  file: {
    refused: shown('a folder stands where the file was', RETRIED),
    'reset mid-batch': shown(
      'the path is a named pipe whose reader goes in mid-batch',
      'the other output goes on; the events of this one are in its dead letters',
    ),
    slow: shown('the path is a named pipe with a slow reader', 'nothing fails, the producer is held back'),
    hung: shown(
      'the path is a named pipe whose reader stands still',
      'nothing fails, the producer is held back, then written; a stop in between accounts for all',
    ),
    'server error': shown('the device answers EIO', RETRIED),
    'auth error': never('a file system asks for no credentials; who may write is the row "permission"'),
    'disk full': shown(
      'the file may not grow (RLIMIT_FSIZE); a small disk is full',
      'retried, no half batch, then written',
    ),
    permission: shown('the path leads to a file that nobody may write', RETRIED),
    'unroutable event': NO_VALUE,
    'closed on one event': never('a file has no peer that could close it because of an event'),
  },
  http: {
    refused: KILLED,
    'reset mid-batch': RESET,
    slow: SLOW,
    hung: HUNG,
    'server error': shown(
      'a balancer answers 503; the server answers 413',
      'the first is retried, the second rejected at once; then written',
    ),
    'auth error': PASSWORD,
    'disk full': shown('the server answers 507', RETRIED),
    permission: shown('the server answers 403', AT_ONCE),
    'unroutable event': NO_VALUE,
    'closed on one event': CLOSED,
  },
  kafka: {
    refused: KILLED,
    'reset mid-batch': RESET,
    slow: SLOW,
    hung: HUNG,
    'server error': shown(
      'too few replicas are in sync; the topic is deleted; the broker rejects records; one partition fails',
      'what may pass is retried, what cannot is refused at once; then written',
    ),
    'auth error': PASSWORD,
    'disk full': shown('the broker reports a failed disk', RETRIED),
    permission: shown('the user may no longer write to the topic', AT_ONCE),
    'unroutable event': UNROUTABLE,
    'closed on one event': CLOSED,
  },
  loki: {
    refused: KILLED,
    'reset mid-batch': RESET,
    slow: SLOW,
    hung: HUNG,
    'server error': shown(
      'the rate is limited; all entries are too old',
      'what cannot pass is refused at once, what may pass is retried; then written',
    ),
    'auth error': shown('the gateway asks for another password', AT_ONCE),
    'disk full': shown('the server replies that its disk is full', RETRIED),
    permission: shown('the tenant may not write', AT_ONCE),
    'unroutable event': UNROUTABLE,
    'closed on one event': CLOSED,
  },
  mqtt: {
    refused: shown(
      'the broker is killed and started again; it is stopped twice in a row',
      'retried, then dead letters, then written; nothing that a stopped broker saved is lost',
    ),
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'what was not acknowledged is retried alone, dead letters, then written',
    ),
    slow: SLOW,
    hung: shown(
      'the broker is frozen; or its answers are lost',
      'ack_timeout ends each attempt, the producer is held back, dead letters, then written',
    ),
    'server error': shown('the broker answers reason code 131; with qos 0 it is away', RETRIED),
    'auth error': PASSWORD,
    'disk full': shown('the broker answers that its quota is used up (reason code 151)', RETRIED),
    permission: shown(
      'the user may not publish any more',
      'refused at once, dead letters; what Mosquitto drops with the connection is retried; then written',
    ),
    'unroutable event': UNROUTABLE,
    'closed on one event': CLOSED,
  },
  nats: {
    refused: shown(
      'the server is killed and started again, once for long and twice in a row',
      'retried, then dead letters, then written; every event is in the stream once',
    ),
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'what was not acknowledged is retried alone, no doubles, dead letters, then written',
    ),
    slow: SLOW,
    hung: shown(
      'the server is frozen; or its answers are lost',
      'ack_timeout ends each attempt, the producer is held back, dead letters, then written',
    ),
    'server error': shown('the stream is removed; it is full; core NATS loses its server', RETRIED),
    'auth error': PASSWORD,
    'disk full': shown(
      'the stream has used all bytes of the server',
      'retried, then dead letters, then written once there is space',
    ),
    permission: shown('the user may not publish any more', AT_ONCE),
    'unroutable event': UNROUTABLE,
    'closed on one event': CLOSED,
  },
  opensearch: {
    refused: KILLED,
    'reset mid-batch': RESET,
    slow: SLOW,
    hung: HUNG,
    'server error': shown('a balancer answers 503; the server is short of memory (429)', RETRIED),
    'auth error': PASSWORD,
    'disk full': shown('the index is blocked by the flood-stage watermark', RETRIED),
    permission: shown('the user may index no longer', AT_ONCE),
    'unroutable event': UNROUTABLE,
    'closed on one event': CLOSED,
  },
  otlp: {
    refused: KILLED,
    'reset mid-batch': RESET,
    slow: SLOW,
    hung: HUNG,
    'server error': shown(
      'the server replies 503, as with a full queue, or 500',
      'what cannot pass is refused at once, what may pass is retried; then written',
    ),
    'auth error': TOKEN,
    'disk full': shown('the server replies that its storage is full', RETRIED),
    permission: shown('the server replies that the client may not write', AT_ONCE),
    'unroutable event': NO_VALUE,
    'closed on one event': CLOSED,
  },
  postgresql: {
    refused: KILLED,
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'no row of it, dead letters, then written',
    ),
    slow: SLOW,
    hung: HUNG,
    'server error': shown(
      'the table is renamed; no connection is free; the server only reads',
      'what cannot pass is refused at once, what may pass is retried; then written',
    ),
    'auth error': PASSWORD,
    'disk full': shown(
      'the server reports a full disk',
      'retried, dead letters, no half batch, then written',
    ),
    permission: shown('the right to insert is taken away', AT_ONCE),
    'unroutable event': UNROUTABLE,
    'closed on one event': CLOSED,
  },
  redis: {
    refused: KILLED,
    'reset mid-batch': shown(
      'each connection is reset after a part of the batch',
      'events with a reply are written, the rest is retried; dead letters, then written',
    ),
    slow: SLOW,
    hung: HUNG,
    'server error': shown(
      'the server has no memory; the key holds a text',
      'what cannot pass is refused at once, what may pass is retried; then written',
    ),
    'auth error': PASSWORD,
    'disk full': shown('the server cannot save to its disk', RETRIED),
    permission: shown('the right to XADD is taken away', AT_ONCE),
    'unroutable event': UNROUTABLE,
    'closed on one event': CLOSED,
  },
  s3: {
    refused: KILLED,
    'reset mid-batch': shown(
      'each connection is reset after a part of the object',
      'no torn object, dead letters, then written',
    ),
    slow: SLOW,
    hung: shown(
      'the server is frozen; or its replies are lost',
      'request_timeout ends each attempt, the producer is held back, dead letters, then written',
    ),
    'server error': shown(
      'the server replies SlowDown; the bucket is gone; a balancer answers 503',
      'what may pass is retried, what cannot is rejected at once; then written',
    ),
    'auth error': shown('the secret is changed on the server; the credentials expire', AT_ONCE),
    'disk full': shown('the server replies that its disks are full', RETRIED),
    permission: shown('the user may only read', AT_ONCE),
    'unroutable event': NO_VALUE,
    'closed on one event': never(
      'writes wait until an object is full, so a part of one cannot be tried; a server of objects does not read events',
    ),
  },
  splunk_hec: {
    refused: KILLED,
    'reset mid-batch': RESET,
    slow: SLOW,
    hung: HUNG,
    'server error': shown('the server replies that it is busy; it confirms nothing', RETRIED),
    'auth error': TOKEN,
    'disk full': shown('the server replies that its queues are full', RETRIED),
    permission: shown('the token may not write to the index', AT_ONCE),
    'unroutable event': UNROUTABLE,
    'closed on one event': CLOSED,
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
    'unroutable event': NO_VALUE,
    'closed on one event': NO_REPLY,
  },
  syslog: { ...STREAM, 'unroutable event': UNROUTABLE },
  tcp: STREAM,
  udp: {
    refused: shown(
      'the receiver is closed and opened again',
      'retried, then dead letters, then sent; the kernel reports the refusals',
    ),
    'reset mid-batch': never('there is no connection that could be reset'),
    slow: never('datagrams for which a slow receiver has no room are dropped, and nobody is told'),
    hung: shown(
      'the receiver is frozen',
      'nothing fails: what its buffer cannot hold is lost, and nobody is told',
    ),
    'server error': never('a receiver has no way to answer a datagram'),
    'auth error': never('a datagram carries no credentials'),
    'disk full': never('a receiver cannot say that its disk is full'),
    permission: never('a port has no permissions; a firewall that drops datagrams tells nobody'),
    'unroutable event': UNROUTABLE,
    'closed on one event': never('there is no connection that could be closed'),
  },
};
