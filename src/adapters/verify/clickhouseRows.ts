import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import { errnoOf } from '../files/ioError.js';
import type { OnBytes } from './byteStreams.js';

export interface ClickhouseQuery {
  /** `http://host:8123` without credentials; its path names the database. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly query: string;
}

/** Longest time without a byte from the server. */
const SILENCE_LIMIT_MS = 600_000;

/** The server appends its error to a broken result, within the last bytes. */
const TAIL_BYTES = 16 * 1024;
const FRAMED = /__exception__\r?\n[^\n]*\n([^\n]*)/;
const APPENDED = /(Code: \d+[.,][^\n]*DB::Exception: [^\n]*)\n?[^\n]*$/;
/** A row that ends with a mark is an event that happens to quote an exception. */
const MARKED = /:[0-9a-f]{8}"?\}?\s*$/;

/** Reason why the server broke off a result after status 200; `null` for a whole result. */
export const brokenOff = (tail: string): string | null => {
  const framed = FRAMED.exec(tail)?.[1];
  if (framed !== undefined) return framed.trim();
  const appended = MARKED.test(tail) ? undefined : APPENDED.exec(tail)?.[1];
  return appended ?? null;
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused. Check the URL and that the server is running.',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name lookup failed',
  ECONNRESET: 'the connection closed before the result was complete',
};

const refusal = (url: string, reason: string): SpateError =>
  failure('unreadable', `cannot read from ClickHouse at ${url}: ${reason}`);

/** Streams the result of a query as bytes. Returns an error when the result is incomplete. */
export const readClickhouseBytes = async (
  { url, user, password, query }: ClickhouseQuery,
  onBytes: OnBytes,
): Promise<Result<void>> => {
  let client: ReturnType<typeof createClient>;
  try {
    client = createClient({
      url,
      username: user,
      password,
      request_timeout: SILENCE_LIMIT_MS,
      log: { level: ClickHouseLogLevel.OFF },
    });
  } catch (thrown) {
    return E.left(refusal(url, reasonOf(thrown)));
  }
  try {
    const { stream } = await client.exec({ query });
    let tail: Buffer = Buffer.alloc(0);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      onBytes(chunk, null);
      const kept = chunk.length < TAIL_BYTES ? Buffer.concat([tail, chunk]) : chunk;
      tail = Buffer.from(kept.subarray(-TAIL_BYTES));
    }
    const broken = brokenOff(tail.toString('utf8'));
    return broken === null
      ? E.right(undefined)
      : E.left(refusal(url, `the server aborted the result: ${broken}`));
  } catch (thrown) {
    return E.left(refusal(url, REASONS[errnoOf(thrown)] ?? reasonOf(thrown)));
  } finally {
    await client.close();
  }
};
