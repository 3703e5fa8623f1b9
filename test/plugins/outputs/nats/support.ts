import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../src/domain/errors.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Output } from '../../../../src/plugins/kit.js';
import type { NatsParams } from '../../../../src/plugins/outputs/nats/messages.js';
import { natsPlugin } from '../../../../src/plugins/outputs/nats/plugin.js';
import { natsSpec } from '../../../../src/plugins/outputs/nats/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { decode } from '../../../../src/schema/index.js';
import { outputContext } from '../support.js';

export const paramsOf = (params: JsonObject): NatsParams => {
  const decoded = decode(paramsShape(natsSpec), params);
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};

const opened: Output[] = [];

/** For `afterEach`. */
export const closeAll = async (): Promise<void> => {
  for (const output of opened.splice(0)) await output.close();
};

export const tryOpen = async (
  params: JsonObject,
  {
    directory = '/web-shop',
    clock = systemClock,
  }: { readonly directory?: string; readonly clock?: Clock } = {},
): Promise<Result<Output>> => {
  const { context } = outputContext(directory, clock);
  const result = await natsPlugin.open(paramsOf(params), context);
  if (E.isRight(result)) opened.push(result.right);
  return result;
};

export const openOutput = async (
  params: JsonObject,
  options: Parameters<typeof tryOpen>[1] = {},
): Promise<Output> => {
  const result = await tryOpen(params, options);
  if (E.isLeft(result)) throw new Error(`did not open: ${result.left.message}`);
  return result.right;
};
