import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../src/domain/errors.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { utc } from '../../../../src/domain/time/zone.js';
import type { Output, PluginContext } from '../../../../src/plugins/kit.js';
import { type S3Params, s3Plugin } from '../../../../src/plugins/outputs/s3/plugin.js';
import { s3Spec } from '../../../../src/plugins/outputs/s3/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { decode } from '../../../../src/schema/index.js';
import { right } from '../../../support/either.js';
import type { LoggedLine } from '../../../support/logs.js';
import { KEYS } from '../../../support/servers/s3/fakeS3.js';
import { outputContext } from '../support.js';

export const paramsOf = (params: JsonObject): S3Params =>
  right(decode(paramsShape(s3Spec), { ...KEYS, ...params }));

/** What a test opened; `closeAll` is for `afterEach`. */
const closers: (() => Promise<unknown>)[] = [];

export const onClose = (close: () => Promise<unknown>): void => void closers.push(close);

export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

/** Opens an output in a context that lacks zone and random. */
export const openWith = (
  params: JsonObject,
  context: Pick<PluginContext, 'clock' | 'log' | 'directory' | 'signal'>,
): Promise<Result<Output>> =>
  s3Plugin.open(paramsOf(params), { ...context, zone: utc, random: seededRandom(1) });

export const tryOpen = async (
  params: JsonObject,
  clock: Clock = systemClock,
): Promise<{ readonly opened: Result<Output>; readonly lines: readonly LoggedLine[] }> => {
  const { context, lines } = outputContext('/generators/web', clock);
  const opened = await openWith(params, context);
  if (E.isRight(opened)) onClose(opened.right.close);
  return { opened, lines };
};

export const openOutput = async (params: JsonObject, clock?: Clock): Promise<Output> =>
  right((await tryOpen(params, clock)).opened);
