import { encodingOf } from '../../../domain/text/encodings.js';
import {
  boolean,
  defaulted,
  givenTogether,
  lazily,
  number,
  optional,
  path,
  text,
} from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import type { TakesBytes } from '../../kit.js';

export const flushIntervalField = (help: string) =>
  defaulted(number({ min: 0 }), 1, { help, unit: 'seconds' });

export const separatorField = () =>
  defaulted(text(), '\n', { help: 'Text after every event.', example: '\n' });

export const SERVER_NAME_HELP = 'Server name for SNI and certificate verification.';

/** Fields of outputs that speak TLS; `readTls` reads what they name. */
export const tlsFields = lazily(() => ({
  verify: defaulted(boolean(), true, { help: 'Whether to verify the certificate of the server.' }),
  ca_cert: optional(path(), { help: 'Certificates of trusted authorities, PEM file.', reads: 'file' }),
  client_cert: optional(path(), { help: 'Client certificate, PEM file.', reads: 'file' }),
  client_cert_key: optional(path(), { help: 'Key of `client_cert`, PEM file.', reads: 'file' }),
  server_host_name: optional(text(), { help: SERVER_NAME_HELP, extension: true }),
}));

export const certificateWithKey = givenTogether('client_cert', 'client_cert_key', {
  message: 'is required: set certificate and key together',
});

/** Whether a text is only a name or an address, without port, user or path. */
export const isHost = (host: string): boolean => !/[\s/?#@[\]]/.test(host) && host.split(':').length !== 2;

/** A name or an address. `hint` names the fields of the rest. */
export const hostText = (hint = 'Set `port` for the port.') =>
  text({
    minLength: 1,
    check: (host) =>
      isHost(host) ? null : { type: 'bad_format', message: 'must be only a name or an address', hint },
  });

/** A host, by itself or in a DSN. */
export const hostOrDsn = {
  fields: ['host', 'dsn'] as const,
  check: ({ host, dsn }: { readonly host: string | null; readonly dsn: string | null }): RuleBreach | null =>
    host === null && dsn === null
      ? { at: 'host', type: 'missing', message: 'is required', hint: 'Set `host`, or a `dsn` with a host.' }
      : null,
};

/** For `encoding` of an output that sends bytes of a formatter unchanged in UTF-8 only. */
export const utf8Only = ({ encoding }: Readonly<Record<string, unknown>>): string | null =>
  encodingOf(String(encoding))?.decoder === 'utf8' ? null : 'they have no `encoding`: remove it';

export const anyBytes: TakesBytes = { fields: [], whyNot: () => null };

/** Items with nothing between them. */
export const withoutSeparator: TakesBytes = {
  fields: ['encoding', 'separator'],
  whyNot: (value) =>
    utf8Only(value) ??
    (value['separator'] === '' ? null : 'the separator would follow them: set `separator: ""`'),
};
