import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../src/domain/errors.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc } from '../../../../src/domain/time/zone.js';
import type { Output } from '../../../../src/plugins/kit.js';
import type { OpensearchParams } from '../../../../src/plugins/outputs/opensearch/output.js';
import { opensearchPlugin } from '../../../../src/plugins/outputs/opensearch/plugin.js';
import { opensearchSpec } from '../../../../src/plugins/outputs/opensearch/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { decode } from '../../../../src/schema/index.js';
import { right } from '../../../support/either.js';
import { outputContext } from '../support.js';

export const paramsOf = (params: JsonObject): OpensearchParams =>
  right(decode(paramsShape(opensearchSpec), params));

/** What a test opened; `closeAll` is for `afterEach`. */
const closers: (() => Promise<unknown>)[] = [];

export const onClose = (close: () => Promise<unknown>): void => void closers.push(close);

export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

export const tryOpen = async (params: JsonObject, clock: Clock = systemClock): Promise<Result<Output>> => {
  const { context } = outputContext('/generators/web', clock);
  const result = await opensearchPlugin.open(paramsOf({ index: 'logs', ...params }), {
    ...context,
    zone: utc,
  });
  if (E.isRight(result)) onClose(result.right.close);
  return result;
};

export const openOutput = async (params: JsonObject, clock?: Clock): Promise<Output> =>
  right(await tryOpen(params, clock));
