import * as E from 'fp-ts/lib/Either.js';
import type { ApiAddress } from '../../../adapters/apiClient.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { Api } from '../../../mcp/api.js';
import type { GeneratorListItem } from '../../../messages/generators.js';
import type { OptionValues } from '../../arguments/command.js';
import { textOption } from '../../arguments/option.js';
import type { Io } from '../../terminal/io.js';
import { API_PASSWORD_VARIABLE, API_TOKEN_VARIABLE, API_USER_VARIABLE } from '../limits.js';
import { urlOption } from '../mcp/mcp.js';

/** Options of the commands that look at a running service. */
export const SERVICE_OPTIONS = {
  config: textOption('FILE', { short: 'c', help: 'Settings of the service: its address and user.' }),
  url: urlOption,
};

export const CREDENTIALS_NOTE = `Credentials: the token in $${API_TOKEN_VARIABLE}, or $${API_USER_VARIABLE} and $${API_PASSWORD_VARIABLE}, else user and plain password of --config.`;

export interface WatchedService {
  readonly address: ApiAddress;
  /** A read of its API. Returns the error `unavailable` with what the service said. */
  readonly get: <A>(path: string) => Promise<Result<A>>;
}

/** The service that the options name. Asks nothing yet. */
export const watchedService = async (
  options: OptionValues<typeof SERVICE_OPTIONS>,
  io: Pick<Io, 'env' | 'cwd'>,
): Promise<Result<WatchedService>> => {
  // Lazy: they load what settings and TLS need.
  const { addressOf, sendTo } = await import('../mcp/address.js');
  const { apiOf } = await import('../../../mcp/api.js');
  const address = await addressOf(options, io);
  if (E.isLeft(address)) return address;
  const api: Api = apiOf(sendTo(address.right));
  const get = async <A>(path: string): Promise<Result<A>> => {
    const answer = await api({ method: 'get', path });
    return E.isLeft(answer)
      ? E.left(failure('unavailable', answer.left.message))
      : E.right(answer.right as unknown as A);
  };
  return E.right({ address: address.right, get });
};

export const generatorsOf = ({ get }: WatchedService): Promise<Result<readonly GeneratorListItem[]>> =>
  get('/generators/');
