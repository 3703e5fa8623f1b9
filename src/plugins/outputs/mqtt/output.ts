import { documentsOf, type EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output } from '../../kit.js';
import type { EventText } from '../../shared/text/compile.js';
import { LIMITS } from '../../shared/text/limits.js';
import { limitOf, unroutable } from '../../shared/text/routing.js';
import { type Ending, writeAcknowledged } from '../shared/brokers/acknowledged.js';
import { brokerOutput } from '../shared/brokers/brokerOutput.js';
import { writeConfirmed } from '../shared/brokers/confirmed.js';
import type { Link } from '../shared/brokers/link.js';
import type { Outcome } from '../shared/brokers/outcome.js';
import { payloadsOf } from '../shared/brokers/payloads.js';
import type { ErrorReporter, RequestError } from '../shared/requestErrors.js';
import type { MqttLink } from './connection.js';
import { mqttError, tooLarge, topicError } from './mqttErrors.js';
import type { mqttFields } from './spec.js';

export type MqttParams = ValueOf<typeof mqttFields>;

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
  const misfitOf = limitOf(topic, LIMITS['mqtt.topic']);
  let bytes = 0;
  return {
    bytes: () => bytes,
    publish: (item: number, settle: Settle): RequestError | null => {
      const document = topic.readsJson ? parsedJson(documentsOf(batch)[item] ?? '') : undefined;
      const to = topic.text(document);
      if (to === null) return topicError(unroutable(topic, document));
      const misfit = misfitOf(to);
      if (misfit !== null) return topicError(misfit);
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

interface MqttOutputOptions {
  readonly link: Link<MqttLink>;
  readonly params: MqttParams;
  readonly topic: EventText;
  readonly name: string;
  readonly report: ErrorReporter;
  readonly clock: Clock;
}

export const mqttOutput = ({ params, topic, ...options }: MqttOutputOptions): Output =>
  brokerOutput({
    ...options,
    ack_timeout: params.ack_timeout,
    publish: async ({ batch, link, outcome, ending }) => {
      const publisher = publisherOf(batch, link, params, topic);
      const isClean = await send(batch, link, outcome, publisher, params.qos, ending);
      return { bytes: publisher.bytes(), isClean };
    },
  });
