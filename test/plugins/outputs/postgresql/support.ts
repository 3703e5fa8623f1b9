import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../src/domain/errors.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Output } from '../../../../src/plugins/kit.js';
import type { PostgresqlParams } from '../../../../src/plugins/outputs/postgresql/endpoint.js';
import { postgresqlPlugin } from '../../../../src/plugins/outputs/postgresql/plugin.js';
import { postgresqlSpec } from '../../../../src/plugins/outputs/postgresql/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { decode } from '../../../../src/schema/index.js';
import { outputContext } from '../support.js';

export const paramsOf = (params: JsonObject): PostgresqlParams => {
  const decoded = decode(paramsShape(postgresqlSpec), params);
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};

/** What a test opened; `closeAll` is for `afterEach`. */
const closers: (() => Promise<unknown>)[] = [];

export const onClose = (close: () => Promise<unknown>): void => void closers.push(close);

export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

export const tryOpen = async (
  params: JsonObject,
  { directory = '/', clock = systemClock }: { readonly directory?: string; readonly clock?: Clock } = {},
): Promise<Result<Output>> => {
  const { context } = outputContext(directory, clock);
  const result = await postgresqlPlugin.open(paramsOf(params), context);
  if (E.isRight(result)) onClose(result.right.close);
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
