import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../src/domain/errors.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Output } from '../../../../src/plugins/kit.js';
import { tcpPlugin } from '../../../../src/plugins/outputs/tcp/plugin.js';
import { tcpSpec } from '../../../../src/plugins/outputs/tcp/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { decode } from '../../../../src/schema/index.js';
import type { LoggedLine } from '../../../support/logs.js';
import { outputContext } from '../support.js';

export const paramsOf = (params: JsonObject) => {
  const decoded = decode(paramsShape(tcpSpec), { host: '127.0.0.1', ...params });
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};

/** What a test opened; `closeAll` is for `afterEach`. */
const closers: (() => Promise<unknown>)[] = [];
export const onClose = (close: () => Promise<unknown>): void => void closers.push(close);
export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

interface OpenOptions {
  readonly directory?: string;
  readonly clock?: Clock;
}

export const tryOpen = async (
  params: JsonObject,
  { directory = '/', clock = systemClock }: OpenOptions = {},
): Promise<{ readonly result: Result<Output>; readonly lines: readonly LoggedLine[] }> => {
  const { context, lines } = outputContext(directory, clock);
  const result = await tcpPlugin.open(paramsOf(params), context);
  if (E.isRight(result)) onClose(result.right.close);
  return { result, lines };
};

export const openOutput = async (params: JsonObject, options: OpenOptions = {}) => {
  const { result, lines } = await tryOpen(params, options);
  if (E.isLeft(result)) throw new Error(`did not open: ${result.left.message}`);
  return { output: result.right, lines };
};
