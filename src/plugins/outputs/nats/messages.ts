import { createHash } from 'node:crypto';
import { type MsgHdrs, headers as newHeaders } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { givenText, parsedJson } from '../../../domain/json.js';
import type { ValueOf } from '../../../schema/shape.js';
import { compileText, type EventText } from '../../shared/text/compile.js';
import { LIMITS } from '../../shared/text/limits.js';
import { routingText, unroutable } from '../../shared/text/routing.js';
import type { natsFields } from './spec.js';

export type NatsParams = ValueOf<typeof natsFields>;

/** A message, but for its payload. */
interface Envelope {
  readonly subject: string;
  readonly headers: MsgHdrs | null;
  /** The id that the retries of an event in doubt must have. Null when there is none, or the event itself says it. */
  readonly freshId: string | null;
}

/** Makes the messages of a batch. */
export interface MessageMaker {
  /** Returns an error when this event cannot be a message. */
  readonly envelopeOf: (event: () => string) => E.Either<string, Envelope>;
  /** Keeps the id of an event in doubt for its retry. */
  readonly keep: (event: string, id: string) => void;
}

const MSG_ID = 'Nats-Msg-Id';

/** What the server accepts in a line of the protocol, from the subject to the last size. */
export const MAX_CONTROL_LINE = LIMITS['nats.control_line'].max_bytes;
/** Room for a reply subject of ours and two sizes. */
const LINE_ROOM = 100;
const MAX_UTF8 = 3;

/** `NATS/1.0`, a line for each value and an empty one. */
const headerBytes = (headers: MsgHdrs): number => {
  let bytes = 'NATS/1.0\r\n\r\n'.length;
  for (const [name, values] of headers) {
    for (const value of values) bytes += Buffer.byteLength(`${name}: ${value}\r\n`, 'utf8');
  }
  return bytes;
};

/** Bytes of `subject reply sizes` in PUB or HPUB; 0 for a subject that is far from the limit. */
export const lineBytes = (
  { subject, headers }: Pick<Envelope, 'subject' | 'headers'>,
  payload_bytes: number,
  replyTo: string | null,
): number => {
  if (subject.length * MAX_UTF8 + LINE_ROOM <= MAX_CONTROL_LINE) return 0;
  const of_headers = headers === null ? 0 : headerBytes(headers);
  const sizes = headers === null ? `${payload_bytes}` : `${of_headers} ${of_headers + payload_bytes}`;
  return Buffer.byteLength([subject, ...(replyTo === null ? [] : [replyTo]), sizes].join(' '), 'utf8');
};

/** A value as one token of a subject. */
const subjectToken = (value: string): string => value.replace(/[\s.*>\0]/g, '_');
const headerText = (value: string): string => value.replace(/[\r\n\0]/g, ' ');
const headerValue = (value: unknown): string | null => {
  const text = givenText(value);
  return text === null ? null : headerText(text);
};

interface IdSource {
  readonly ids: MessageIds | null;
  readonly template: EventText | null;
}

const idSource = (params: NatsParams, generator: string, prefix: string): IdSource => {
  if (!params.jetstream || params.msg_id === 'none') return { ids: null, template: null };
  if (params.msg_id === 'auto') return { ids: freshIds(prefix), template: null };
  if (params.msg_id === 'content') return { ids: contentIds, template: null };
  return { ids: null, template: routingText(params.msg_id, { generator, clean: headerText }) };
};

/** `prefix` is unique to this output. */
export const natsMessageMaker = (params: NatsParams, generator: string, prefix: string): MessageMaker => {
  const subject = routingText(params.subject, { generator, clean: subjectToken });
  const fields = Object.entries(params.headers).map(
    ([name, value]) => [name, compileText(value, { generator, spell: headerValue })] as const,
  );
  const { ids, template } = idSource(params, generator, prefix);
  const isFresh = params.msg_id === 'auto';
  const readsEvent = [subject, template, ...fields.map(([, value]) => value)].some(
    (one) => one?.readsJson === true,
  );

  const headersOf = (document: unknown, id: string | null): MsgHdrs | null => {
    if (id === null && fields.length === 0) return null;
    const headers = newHeaders();
    for (const [name, value] of fields) {
      const text = value.text(document);
      if (text !== null) headers.set(name, text);
    }
    if (id !== null) headers.set(MSG_ID, id);
    return headers;
  };

  return {
    envelopeOf: (event) => {
      const document = readsEvent ? parsedJson(event()) : undefined;
      const to = subject.text(document);
      if (to === null) return E.left(unroutable(subject, document));
      const written = template === null ? null : template.text(document);
      if (template !== null && written === null) return E.left(unroutable(template, document));
      const id = ids?.idOf(event) ?? written;
      return E.right({ subject: to, headers: headersOf(document, id), freshId: isFresh ? id : null });
    },
    keep: (event, id) => ids?.keep(event, id),
  };
};

/** Ids by which a stream drops duplicates. */
interface MessageIds {
  /** Id of an event; an event in doubt gets the id of its last attempt. */
  readonly idOf: (event: () => string) => string;
  /** Keeps ids of events whose fate is unknown, for their retries. */
  readonly keep: (event: string, id: string) => void;
}

/** Limits of ids that are kept; the oldest are forgotten, and their events may be duplicated. */
const MAX_KEPT = 100_000;
const MAX_KEPT_CHARS = 64 * 1024 * 1024;

/**
 * A new id per event: `prefix` must be unique. Retries are found by their content. Equal events in doubt may swap ids,
 * which makes no difference: one of each is stored.
 */
export const freshIds = (prefix: string): MessageIds => {
  const kept = new Map<string, string[]>();
  let count = 0;
  let chars = 0;
  let next = 0;
  const forget = (event: string): string | undefined => {
    const ids = kept.get(event);
    const id = ids?.shift();
    if (ids === undefined || id === undefined) return undefined;
    if (ids.length === 0) kept.delete(event);
    count -= 1;
    chars -= event.length;
    return id;
  };
  return {
    idOf: (event) => (count === 0 ? undefined : forget(event())) ?? `${prefix}-${(next++).toString(36)}`,
    keep: (event, id) => {
      const ids = kept.get(event);
      if (ids === undefined) kept.set(event, [id]);
      else ids.push(id);
      count += 1;
      chars += event.length;
      while (count > MAX_KEPT || chars > MAX_KEPT_CHARS) {
        const [oldest] = kept.keys();
        if (oldest === undefined) return;
        forget(oldest);
      }
    },
  };
};

/** The same id for equal events, also after a restart. */
export const contentIds: MessageIds = {
  idOf: (event) => createHash('sha256').update(event(), 'utf8').digest('base64url').slice(0, 27),
  keep: () => {},
};
