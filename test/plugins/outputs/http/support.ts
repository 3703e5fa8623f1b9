import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../src/domain/errors.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc } from '../../../../src/domain/time/zone.js';
import type { Output } from '../../../../src/plugins/kit.js';
import type { HttpOutputParams } from '../../../../src/plugins/outputs/http/output.js';
import { httpOutputPlugin } from '../../../../src/plugins/outputs/http/plugin.js';
import { httpSpec } from '../../../../src/plugins/outputs/http/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { decode } from '../../../../src/schema/index.js';
import { right } from '../../../support/either.js';
import { type Respond, type ScriptedHttp, scriptedHttp } from '../../../support/servers/scriptedHttp.js';
import { outputContext } from '../support.js';

export const paramsOf = (params: JsonObject): HttpOutputParams =>
  right(decode(paramsShape(httpSpec), params));

/** What a test opened; `closeAll` is for `afterEach`. */
const closers: (() => Promise<unknown>)[] = [];

export const onClose = (close: () => Promise<unknown>): void => void closers.push(close);

export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

export const serve = async (respond?: Respond): Promise<ScriptedHttp> => {
  const server = await scriptedHttp(respond);
  onClose(server.close);
  return server;
};

interface OpenOptions {
  readonly directory?: string;
  readonly clock?: Clock;
}

export const tryOpen = async (params: JsonObject, options: OpenOptions = {}): Promise<Result<Output>> => {
  const { directory = '/generators/web', clock = systemClock } = options;
  const { context } = outputContext(directory, clock);
  const result = await httpOutputPlugin.open(paramsOf(params), { ...context, zone: utc });
  if (E.isRight(result)) onClose(result.right.close);
  return result;
};

export const openOutput = async (params: JsonObject, options?: OpenOptions): Promise<Output> =>
  right(await tryOpen(params, options));
