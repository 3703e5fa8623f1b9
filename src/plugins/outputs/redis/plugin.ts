import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { parsedJson } from '../../../domain/json.js';
import { hostPort } from '../../../domain/text/hostPort.js';
import type { OutputPlugin } from '../../kit.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { LIMITS } from '../../shared/text/limits.js';
import { limitOf, routingText } from '../../shared/text/routing.js';
import { type ErrorReporter, makeErrorReporter } from '../shared/requestErrors.js';
import { readTls } from '../shared/tls/files.js';
import { commandMaker, type KeyOf } from './commands.js';
import { redisOutput } from './output.js';
import { openSession, type RedisParams, type Session } from './session.js';
import { type redisFields, redisSpec } from './spec.js';

/** Whether a fixed key has another type than the mode needs. A user without the right to ask passes. */
const typeProblem = async (
  session: Session,
  { mode }: RedisParams,
  key: string | null,
  {
    name,
    report,
    signal,
  }: { readonly name: string; readonly report: ErrorReporter; readonly signal: AbortSignal },
): Promise<Result<void>> => {
  if (key === null || mode === 'pubsub') return E.right(undefined);
  const { error, reply } = await session.ask(['TYPE', key], signal);
  if (error !== null) {
    return error.origin === 'NOPERM'
      ? E.right(undefined)
      : E.left(report('cannot open', { ...error, isRetryable: true }));
  }
  if (reply === 'none' || reply === mode) return E.right(undefined);
  return E.left(
    failure(
      'output_failed',
      `cannot open ${name}: the key holds a ${String(reply)}. Choose another \`key\`, or correct \`mode\`.`,
    ),
  );
};

export const redisPlugin: OutputPlugin<typeof redisFields> = {
  spec: redisSpec,
  open: async (params, { directory, clock, signal }) => {
    const tls = await readTls('redis', params, { directory, clock });
    if (E.isLeft(tls)) return tls;
    const { host, port, username, password, database, mode, field, max_length, push } = params;
    const scheme = params.tls ? 'rediss' : 'redis';
    const name = `${scheme}://${hostPort({ host, port })}/${database}, ${mode} ${params.key}`;
    const report = makeErrorReporter(name, [{ username: username ?? 'default', password: password ?? '' }]);
    const key = routingText(params.key, { generator: generatorName({ directory }) });
    const misfitOf = limitOf(key, LIMITS['redis.key']);
    const keyOf: KeyOf = (event) => {
      const made = key.constant ?? key.text(parsedJson(event));
      return made === null || misfitOf(made) !== null ? null : made;
    };
    const open = (ending: AbortSignal) => openSession({ params, tls: tls.right, clock }, ending);
    const opened = await open(signal);
    if (E.isLeft(opened)) return E.left(report('cannot open', { ...opened.left, isRetryable: true }));
    const session = opened.right;
    const limit = new AbortController();
    const stop = (): void => limit.abort();
    const stopWaiting = clock.after(params.connect_timeout * 1000, stop);
    signal.addEventListener('abort', stop, { once: true });
    const checked = await typeProblem(session, params, key.constant, { name, report, signal: limit.signal });
    stopWaiting();
    signal.removeEventListener('abort', stop);
    if (E.isLeft(checked)) {
      await session.close();
      return checked;
    }
    const commandsOf = commandMaker({ mode, keyOf, field, max_length, push });
    return E.right(redisOutput({ session, open, commandsOf, name, report }));
  },
};
