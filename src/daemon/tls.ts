import { nodeFiles } from '../adapters/files/files.js';
import { systemClock } from '../adapters/systemClock.js';
import type { Result } from '../domain/errors.js';
import { loadTls, type SslSettings, type Tls } from '../http/listener/tls.js';

/** The certificates on the disk now. */
export const readTls = (ssl: SslSettings): Promise<Result<Tls | null>> =>
  loadTls(ssl, nodeFiles, systemClock);
