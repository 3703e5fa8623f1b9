import type { KnownSecrets } from '../../domain/secrets.js';
import type { Log, LogContext } from '../../ports/log.js';
import { logTo } from './streamLog.js';

/** Generator ids are never secret (no placeholder makes one), and they name log files. */
const OPEN_KEY = 'generator_id';

const hideContext = (context: LogContext, known: KnownSecrets): LogContext =>
  Object.fromEntries(
    Object.entries(context).map(([key, value]) => [key, key === OPEN_KEY ? value : known.hideJson(value)]),
  );

/** Masks every known secret as `***`. */
export const maskedLog = (log: Log, known: KnownSecrets): Log =>
  logTo((level, message, context) => log.write(level, known.hideText(message), hideContext(context, known)));
