import { type MsgHdrs, headers as newHeaders } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../domain/json.js';
import type { ValueOf } from '../../../schema/shape.js';
import { jsonOf, type TextTemplate, textTemplate } from '../shared/brokers/textTemplate.js';
import { contentIds, freshIds, type MessageIds } from './messageIds.js';
import type { natsFields } from './spec.js';

export type NatsParams = ValueOf<typeof natsFields>;

/** A message, but for its payload. */
export interface Envelope {
  readonly subject: string;
  readonly headers: MsgHdrs | null;
  /** The id that the retries of an event in doubt must have; `null`: the event itself says it. */
  readonly freshId: string | null;
}

/** Makes the messages of a batch. */
export interface MessageMaker {
  /** Left: why this event cannot be a message. */
  readonly envelopeOf: (event: () => string) => E.Either<string, Envelope>;
  /** Keeps the id of an event in doubt for its retry. */
  readonly keep: (event: string, id: string) => void;
}

const MSG_ID = 'Nats-Msg-Id';

/** A value as one token of a subject. */
export const subjectToken = (value: string): string => value.replace(/[\s.*>\0]/g, '_');
const headerText = (value: string): string => value.replace(/[\r\n\0]/g, ' ');

interface IdSource {
  readonly ids: MessageIds | null;
  readonly template: TextTemplate | null;
}

const idSource = (params: NatsParams, generator: string, prefix: string): IdSource => {
  if (!params.jetstream || params.msg_id === 'none') return { ids: null, template: null };
  if (params.msg_id === 'auto') return { ids: freshIds(prefix), template: null };
  if (params.msg_id === 'content') return { ids: contentIds, template: null };
  return { ids: null, template: textTemplate(params.msg_id, { generator, clean: headerText }) };
};

/** `prefix` is unique to this output. */
export const messageMaker = (params: NatsParams, generator: string, prefix: string): MessageMaker => {
  const subject = textTemplate(params.subject, { generator, clean: subjectToken });
  const fields = Object.entries(params.headers).map(
    ([name, value]) => [name, textTemplate(value, { generator, clean: headerText })] as const,
  );
  const { ids, template } = idSource(params, generator, prefix);
  const isFresh = params.msg_id === 'auto';
  const readsEvent = [subject, template, ...fields.map(([, value]) => value)].some(
    (one) => one !== null && one.constant === null,
  );

  const headersOf = (json: Json | undefined, id: string | null): E.Either<string, MsgHdrs | null> => {
    if (id === null && fields.length === 0) return E.right(null);
    const headers = newHeaders();
    for (const [name, value] of fields) {
      const rendered = value.render(json);
      if (E.isLeft(rendered)) return rendered;
      headers.set(name, rendered.right);
    }
    if (id !== null) headers.set(MSG_ID, id);
    return E.right(headers);
  };

  return {
    envelopeOf: (event) => {
      const json = readsEvent ? jsonOf(event()) : undefined;
      const to = subject.render(json);
      if (E.isLeft(to)) return to;
      const written = template?.render(json) ?? E.right(null);
      if (E.isLeft(written)) return written;
      const id = ids?.idOf(event) ?? written.right;
      const headers = headersOf(json, id);
      if (E.isLeft(headers)) return headers;
      return E.right({ subject: to.right, headers: headers.right, freshId: isFresh ? id : null });
    },
    keep: (event, id) => ids?.keep(event, id),
  };
};
