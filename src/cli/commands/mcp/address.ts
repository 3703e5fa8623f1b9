import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { type ApiAddress, callApi } from '../../../adapters/apiClient.js';
import type { Settings } from '../../../config/settings/settings.js';
import { failure, type Result } from '../../../domain/errors.js';
import { hasPlaceholder } from '../../../domain/placeholder.js';
import { hostPort } from '../../../domain/text/shown.js';
import { collected, queryOf, type SendRequest } from '../../../mcp/api.js';
import { readSettingsFile } from '../../files/settings.js';
import type { Io } from '../../terminal/io.js';
import { API_PASSWORD_VARIABLE, API_TOKEN_VARIABLE, API_USER_VARIABLE } from '../limits.js';

const DEFAULT_ORIGIN = 'http://localhost:9474';

/** Hosts that mean every address of the machine, by one that reaches it. */
const REACHED: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const originOf = ({ host, port, ssl }: Settings['server']): string =>
  `${ssl.enabled ? 'https' : 'http'}://${hostPort({ host: REACHED[host] ?? host, port })}`;

/** Stored as a hash or a placeholder, it is no use for a client. */
const isPlain = (password: string): boolean => !password.startsWith('scrypt$') && !hasPlaceholder(password);

const authOf = (settings: Settings | null, env: Io['env']): Result<ApiAddress['auth']> => {
  const token = env[API_TOKEN_VARIABLE] ?? '';
  if (token !== '') return E.right({ token });
  const [user, password] = [env[API_USER_VARIABLE] ?? '', env[API_PASSWORD_VARIABLE] ?? ''];
  const account = settings?.server.accounts.find(({ password }) => password !== null);
  const auth = account === undefined ? null : { user: account.user, password: account.password ?? '' };
  if (password !== '') {
    const name = user === '' ? auth?.user : user;
    return name === undefined
      ? E.left(failure('invalid', `${API_PASSWORD_VARIABLE} is set without ${API_USER_VARIABLE}. Set both.`))
      : E.right({ user: name, password });
  }
  if (auth === null) return E.right(null);
  return isPlain(auth.password)
    ? E.right(auth)
    : E.left(
        failure(
          'invalid',
          `The settings hold no plain password. Set ${API_PASSWORD_VARIABLE} to the password of "${auth.user}".`,
        ),
      );
};

/** The address of a service and the credentials for it; `url`: its origin. */
export const addressOf = async (
  { config, url }: { readonly config: string | undefined; readonly url: string | undefined },
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
): Promise<Result<ApiAddress>> => {
  const settings = config === undefined ? E.right(null) : await readSettingsFile(resolve(cwd, config));
  if (E.isLeft(settings)) return settings;
  const stored = settings.right === null ? DEFAULT_ORIGIN : originOf(settings.right.server);
  return E.map((auth: ApiAddress['auth']): ApiAddress => ({ origin: url ?? stored, auth }))(
    authOf(settings.right, env),
  );
};

const notSpate = (origin: string): Result<never> =>
  E.left(failure('unavailable', `What answers at ${origin} is not Spate. Check the address.`));

/** Sends requests of tools over the network. */
export const sendTo =
  (address: ApiAddress): SendRequest =>
  async (request) => {
    const { method, path, body, file } = request;
    const query = queryOf(request);
    const call = {
      method: method.toUpperCase(),
      target: `/api${path}${query === '' ? '' : `?${query}`}`,
      contentType: file === undefined ? 'application/json' : 'text/plain',
      body: file ?? (body === undefined ? null : JSON.stringify(body)),
    };
    const answer = await callApi(address, call, async ({ statusCode = 0, headers }, chunks) =>
      headers['x-spate-version'] === undefined
        ? notSpate(address.origin)
        : E.right({
            status: statusCode,
            contentType: headers['content-type'] ?? '',
            warning: String(headers['x-spate-warning'] ?? '') || null,
            ...(await collected(chunks)),
          }),
    );
    return E.flatten(answer);
  };
