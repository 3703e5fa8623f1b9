import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, systemCodeOf } from '../../../domain/errors.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { PluginContext } from '../../kit.js';
import { readInputFile } from '../../shared/inputFile.js';
import type { tlsFields } from './fields.js';

export interface TlsOptions {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
}

type Files = { ca?: Buffer; cert?: Buffer; key?: Buffer };

const EMPTY = Buffer.alloc(0);
/** Four times the size of a bundle of all public authorities. */
const MAX_FILE_BYTES = 1024 * 1024;

const FILES = { ca: 'ca_cert', cert: 'client_cert', key: 'client_cert_key' } as const;

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EISDIR: 'it is a directory',
};

/** Throws OpenSSL's error for an invalid file. */
const CHECKS: Readonly<Record<keyof typeof FILES, (files: Files) => void>> = {
  // Checks the first certificate of a bundle; the context uses all.
  ca: ({ ca = EMPTY }) => void new X509Certificate(ca),
  cert: ({ cert = EMPTY }) => void new X509Certificate(cert),
  key: ({ cert, key }) => void createSecureContext({ cert, key }),
};

type FieldNames = Readonly<Record<keyof typeof FILES, string>>;

const wanted = (name: keyof typeof FILES, fields: FieldNames): string =>
  name === 'key' ? `a key in PEM that belongs to \`${fields.cert}\`` : 'a certificate in PEM';

/** Reads and checks certificates and key of an output. Paths are relative to `directory`; `fields`: names for messages. */
export const readTls = async (
  output: string,
  params: ValueOf<typeof tlsFields>,
  { directory, clock }: Pick<PluginContext, 'directory' | 'clock'>,
  fields: FieldNames = FILES,
): Promise<Result<TlsOptions>> => {
  const files: Files = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const field = fields[name];
    const written = params[FILES[name]];
    if (written === null) continue;
    const path = resolve(directory, written);
    const refuse = (code: 'unreadable' | 'plugin_failed', what: string) =>
      E.left(failure(code, `output ${output}: ${what}. Correct \`${field}\`.`));
    try {
      const bytes = await readInputFile(path, clock, MAX_FILE_BYTES);
      if (bytes === null) return refuse('plugin_failed', `${path} is larger than ${MAX_FILE_BYTES} bytes`);
      files[name] = bytes;
    } catch (thrown) {
      const words = WORDS[systemCodeOf(thrown)] ?? reasonOf(thrown);
      return refuse('unreadable', `cannot read ${path}: ${words}`);
    }
    try {
      CHECKS[name](files);
    } catch (thrown) {
      return refuse('plugin_failed', `${path} is not ${wanted(name, fields)} (${reasonOf(thrown)})`);
    }
  }
  return E.right({
    ...files,
    rejectUnauthorized: params.verify,
    ...(params.server_host_name === null ? {} : { servername: params.server_host_name }),
  });
};
