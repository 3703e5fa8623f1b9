import { nodeFiles } from '../adapters/files/files.js';
import { systemClock } from '../adapters/systemClock.js';
import type { Result } from '../domain/errors.js';
import { loadTls, type SslSettings, type Tls } from '../http/listener/tls.js';

/** The certificates as they are on the disk now: read at each start, and before a running instance gives way to the next. */
export const readTls = (ssl: SslSettings): Promise<Result<Tls | null>> =>
  loadTls(ssl, nodeFiles, systemClock);
