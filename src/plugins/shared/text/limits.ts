/** What a protocol allows in a text that may come from an event. */
export interface TextLimit {
  /** The text in a sentence, for example `the topic`. */
  readonly what: string;
  /** Longest text in UTF-8. */
  readonly max_bytes: number;
  /** Finds what the protocol forbids. Null when it takes every text of this length. */
  readonly forbidden: RegExp | null;
  /** What `forbidden` finds, in a sentence. */
  readonly finds: string;
  /** Where the figures come from. */
  readonly source: string;
}

/** Control characters, halves of surrogate pairs and non-characters of Unicode. */
const NO_TEXT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
const NO_TEXT_SAYS = 'a control character, half of a surrogate pair or a non-character';
const HALF_OF_A_PAIR = /\p{Cs}/u;
const HALF_SAYS = 'half of a surrogate pair';

/**
 * Limits of the protocols, in one table: outputs refuse events beyond them before they send anything, because a server
 * would close the connection or refuse the whole batch. `docs/outputs.md` shows the table.
 */
export const LIMITS = {
  'kafka.topic': {
    what: 'the topic',
    max_bytes: 249,
    forbidden: /[^a-zA-Z0-9._-]|^\.{1,2}$/u,
    finds: 'a character other than letters, digits, `.`, `_` and `-`',
    source: 'org.apache.kafka.common.internals.Topic',
  },
  'loki.label': {
    what: 'a label',
    max_bytes: 2_048,
    forbidden: HALF_OF_A_PAIR,
    finds: HALF_SAYS,
    source: 'Loki, default of max_label_value_length',
  },
  'mqtt.topic': {
    what: 'the topic',
    max_bytes: 65_535,
    forbidden: NO_TEXT,
    finds: NO_TEXT_SAYS,
    source: 'MQTT 5.0, section 1.5.4',
  },
  'nats.control_line': {
    what: 'the line of subject, reply subject and sizes',
    max_bytes: 4_096,
    forbidden: null,
    finds: '',
    source: 'nats-server, default of max_control_line',
  },
  'opensearch.index': {
    what: 'the index',
    max_bytes: 255,
    forbidden: /[\\/*?"<>|\s,#:A-Z\p{Cs}]|^[-_+]|^\.{1,2}$/u,
    finds: 'an upper-case letter, white space, one of \\ / * ? " < > | , # : or - _ + in front',
    source: 'OpenSearch, MetadataCreateIndexService',
  },
  'opensearch.document_id': {
    what: 'the document ID',
    max_bytes: 512,
    forbidden: HALF_OF_A_PAIR,
    finds: HALF_SAYS,
    source: 'OpenSearch, IndexRequest.validate',
  },
  'postgresql.row': {
    what: 'the row',
    max_bytes: 1_073_741_823,
    forbidden: /\0/,
    finds: 'the character U+0000',
    source: 'PostgreSQL, character types and MaxAllocSize',
  },
  'redis.key': {
    what: 'the key',
    max_bytes: 536_870_912,
    forbidden: null,
    finds: '',
    source: 'Redis, default of proto-max-bulk-len',
  },
  's3.key': {
    what: 'the key',
    max_bytes: 1_024,
    forbidden: NO_TEXT,
    finds: NO_TEXT_SAYS,
    source: 'Amazon S3, object key names',
  },
  'splunk_hec.index': {
    what: 'the index',
    max_bytes: 255,
    forbidden: /[^a-z0-9_-]|^-|kvstore/u,
    finds: 'a character other than lower-case letters, digits, `_` and `-`, or the word kvstore',
    source: 'Splunk, index names; a name of a folder',
  },
} as const satisfies Record<string, TextLimit>;

/** Bytes of a datagram: 65,535 less the header of UDP, in IPv4 also less that of IP (RFC 768, RFC 791). */
export const MAX_DATAGRAM_BYTES = { 4: 65_507, 6: 65_527 } as const;

/** Most bytes of UTF-8 in a unit of a JavaScript string. */
const BYTES_PER_UNIT = 3;
/** Bytes of a text in UTF-8. Specs use it too, in a browser. */
const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

const isTooLong = (text: string, max_bytes: number): boolean =>
  text.length * BYTES_PER_UNIT > max_bytes && utf8Length(text) > max_bytes;

/**
 * Why a text breaks a limit; null when it keeps it. Counts bytes only near the limit. The reason does not show the text:
 * events that fail alike share one.
 */
export const limitBreach = (
  { what, max_bytes, forbidden, finds }: TextLimit,
  text: string,
): string | null => {
  if (isTooLong(text, max_bytes)) return `${what} is longer than ${max_bytes} bytes`;
  return forbidden?.test(text) === true ? `${what} has ${finds}` : null;
};

/** For the check of a field: what is wrong with the constant part of a text. */
export const constantMisfit =
  (limit: TextLimit) =>
  (sample: string): { readonly type: 'bad_format'; readonly message: string } | null => {
    const problem = limitBreach(limit, sample);
    return problem === null ? null : { type: 'bad_format', message: `cannot be used: ${problem}` };
  };
