import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../src/domain/errors.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Output } from '../../../../src/plugins/kit.js';
import { type KafkaParams, kafkaPlugin } from '../../../../src/plugins/outputs/kafka/plugin.js';
import { kafkaSpec } from '../../../../src/plugins/outputs/kafka/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { decode } from '../../../../src/schema/index.js';
import type { LoggedLine } from '../../../support/logs.js';
import {
  type FakeKafka,
  type FakeKafkaOptions,
  fakeKafka,
} from '../../../support/servers/kafka/fakeKafka.js';
import { outputContext } from '../support.js';

export const paramsOf = (params: JsonObject): KafkaParams => {
  const decoded = decode(paramsShape(kafkaSpec), params);
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};

/** What a test opened; `closeAll` is for `afterEach`. */
const closers: (() => Promise<unknown>)[] = [];

export const onClose = (close: () => Promise<unknown>): void => void closers.push(close);

export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

export const newKafka = async (options: FakeKafkaOptions = {}): Promise<FakeKafka> => {
  const kafka = await fakeKafka(options);
  onClose(kafka.kill);
  return kafka;
};

export const tryOpen = async (
  params: JsonObject,
  { directory = '/', clock = systemClock }: { readonly directory?: string; readonly clock?: Clock } = {},
): Promise<{ readonly result: Result<Output>; readonly lines: readonly LoggedLine[] }> => {
  const { context, lines } = outputContext(directory, clock);
  const result = await kafkaPlugin.open(paramsOf({ topic: 'events', ...params }), context);
  if (E.isRight(result)) onClose(result.right.close);
  return { result, lines };
};

export const openOutput = async (
  kafka: { readonly servers: readonly string[] },
  params: JsonObject = {},
  options: Parameters<typeof tryOpen>[1] = {},
): Promise<Output> => {
  const { result } = await tryOpen({ bootstrap_servers: [...kafka.servers], ...params }, options);
  if (E.isLeft(result)) throw new Error(`did not open: ${result.left.message}`);
  return result.right;
};

/** Values of a partition, in order. */
export const valuesIn = ({ messages }: FakeKafka, wanted: number): readonly string[] =>
  messages.filter(({ partition }) => partition === wanted).map(({ value }) => value);

export const PRODUCE = 0;
