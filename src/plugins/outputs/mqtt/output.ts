import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output } from '../../kit.js';
import type { EventText } from '../../shared/text/compile.js';
import { unroutable } from '../../shared/text/routing.js';
import { type Ending, writeAcknowledged } from '../shared/brokers/acknowledged.js';
import { writeConfirmed } from '../shared/brokers/confirmed.js';
import type { Link } from '../shared/brokers/link.js';
import { makeOutcome, type Outcome } from '../shared/brokers/outcome.js';
import { payloadsOf } from '../shared/brokers/payloads.js';
import type { ErrorReporter, RequestError } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import { NOTHING } from '../shared/written.js';
import type { MqttLink } from './connection.js';
import { mqttError, tooLarge, topicError } from './mqttErrors.js';
import type { mqttFields } from './spec.js';

export type MqttParams = ValueOf<typeof mqttFields>;

const ACT = 'cannot publish to';
/** Most bytes of a PUBLISH packet besides topic and payload. */
const HEADER_BYTES = 16;

type Settle = (error: RequestError | null) => void;

/** Sends items of a batch. */
const publisherOf = (
  batch: EventBatch,
  { client, max_bytes }: MqttLink,
  { qos, retain }: MqttParams,
  topic: EventText,
) => {
  const payloadOf = payloadsOf(batch);
  const options = { qos: qos as 0 | 1 | 2, retain };
  let bytes = 0;
  return {
    bytes: () => bytes,
    publish: (item: number, settle: Settle): RequestError | null => {
      const document = topic.readsJson ? parsedJson(batch.texts()[item] ?? '') : undefined;
      const to = topic.text(document);
      if (to === null) return topicError(unroutable(topic, document));
      const view = payloadOf(item);
      const size = view.length + Buffer.byteLength(to, 'utf8') + HEADER_BYTES;
      if (size > max_bytes) return tooLarge(max_bytes);
      const payload = Buffer.from(view.buffer, view.byteOffset, view.length);
      client.publish(to, payload, options, (thrown) => {
        // The client also passes null, which its types leave out.
        if ((thrown ?? null) === null) settle(null);
        // Errors without a reason code mean a lost connection, whose end says why.
        else if (thrown !== undefined && 'code' in thrown) settle(mqttError(thrown));
      });
      bytes += view.length;
      return null;
    },
  };
};

/** True: the connection holds nothing of unknown fate. */
const send = (
  batch: EventBatch,
  connection: MqttLink,
  outcome: Outcome,
  publisher: ReturnType<typeof publisherOf>,
  qos: number,
  ending: Ending,
): Promise<boolean> =>
  qos === 0
    ? writeConfirmed(
        {
          count: batch.count,
          outcome,
          send: (item) => publisher.publish(item, () => {}),
          bytes: publisher.bytes,
          confirm: connection.confirm,
          refusalOf: () => null,
        },
        ending,
      )
    : writeAcknowledged(
        { count: batch.count, outcome, window: connection.window, send: publisher.publish },
        ending,
      );

export const mqttOutput = ({
  link,
  params,
  topic,
  name,
  report,
  clock,
}: {
  readonly link: Link<MqttLink>;
  readonly params: MqttParams;
  readonly topic: EventText;
  readonly name: string;
  readonly report: ErrorReporter;
  readonly clock: Clock;
}): Output => {
  let isClosed = false;
  return {
    isBulk: true,
    isOrdered: false,
    write: async (batch, signal) => {
      if (isClosed) return E.left(closedFailure(name));
      if (batch.count === 0) return E.right(NOTHING);
      const connected = await link.get(signal);
      if (E.isLeft(connected)) return E.left(report(ACT, connected.left));
      const connection = connected.right;
      const outcome = makeOutcome(batch.count, ACT, report);
      const publisher = publisherOf(batch, connection, params, topic);
      const isClean = await send(batch, connection, outcome, publisher, params.qos, {
        signal,
        onOver: connection.onOver,
        clock,
        ack_timeout_ms: params.ack_timeout * 1_000,
      });
      // What is left in its buffers must not pile up, nor arrive long after it was given up.
      if (!isClean) await link.drop(connection);
      return outcome.result(publisher.bytes());
    },
    flush: async () => E.right(undefined),
    close: async () => {
      if (isClosed) return E.right(undefined);
      isClosed = true;
      await link.close();
      return E.right(undefined);
    },
  };
};
