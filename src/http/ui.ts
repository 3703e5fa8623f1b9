import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UiFiles } from '../ports/files.js';
import { SCRIPT_POLICY, uiPolicy } from './headers.js';
import { sendBytes } from './send.js';

const ASSETS = '/assets/';
/** Where the page holds the nonce of its style elements. */
const NONCE = '__NONCE__';
const YEAR_SECONDS = 31_536_000;

export interface UiConfig {
  readonly files: UiFiles;
  /** Random text of at least 128 bits. */
  readonly drawNonce: () => string;
}

/** Whether a client takes an encoding (RFC 9110, 12.5.3). */
const takes = (header: string | undefined, encoding: string): boolean =>
  (header ?? '').split(',').some((part) => {
    const [name, ...params] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return (name === encoding || name === '*') && !params.some((param) => /^q=0(\.0*)?$/.test(param));
  });

const sendAsset = async (
  { headers }: IncomingMessage,
  response: ServerResponse,
  files: UiFiles,
  name: string,
): Promise<boolean> => {
  const header = [headers['accept-encoding'] ?? []].flat().join(',');
  const file = await files.asset(name, (encoding) => takes(header, encoding));
  if (file === null) return false;
  const encoding = file.encoding === null ? {} : { 'Content-Encoding': file.encoding };
  sendBytes(
    response,
    {
      status: 200,
      // Names contain a hash of the content.
      headers: {
        'Cache-Control': `max-age=${YEAR_SECONDS}, immutable`,
        Vary: 'Accept-Encoding',
        ...encoding,
        ...(file.contentType.startsWith('text/javascript') ? SCRIPT_POLICY : {}),
      },
    },
    file.contentType,
    file.bytes,
  );
  return true;
};

/** True for a request that a browser makes to show a page. */
const wantsPage = ({ headers }: IncomingMessage): boolean =>
  [headers.accept ?? []].flat().some((accept) => accept.includes('text/html'));

/**
 * Answers a GET outside of `/api` with the UI: its files, or its page for every address in it. False: it has nothing
 * there, or is not built.
 */
export const sendUi = async (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { files, drawNonce }: UiConfig,
): Promise<boolean> => {
  if (path.startsWith(ASSETS)) return sendAsset(request, response, files, path.slice(ASSETS.length));
  if (path !== '/' && !wantsPage(request)) return false;
  const page = await files.page();
  if (page === null) return false;
  const nonce = drawNonce();
  sendBytes(
    response,
    { status: 200, headers: uiPolicy(nonce) },
    'text/html; charset=utf-8',
    Buffer.from(page.replaceAll(NONCE, nonce), 'utf8'),
  );
  return true;
};
