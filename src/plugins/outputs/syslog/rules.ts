import type { RuleBreach } from '../../../schema/shape.js';

const TLS_FIELDS = ['ca_cert', 'client_cert', 'server_host_name'] as const;

/** Certificates make no sense without TLS. */
export const tlsOnly = {
  fields: ['transport', ...TLS_FIELDS] as const,
  check: (
    value: Readonly<Record<(typeof TLS_FIELDS)[number] | 'transport', string | null>>,
  ): RuleBreach | null => {
    const given = TLS_FIELDS.find((name) => value[name] !== null);
    return value.transport === 'tls' || given === undefined
      ? null
      : {
          at: given,
          type: 'not_allowed',
          message: 'needs `transport: tls`',
          hint: 'Set it, or remove this.',
        };
  },
};

/** TAG of RFC 3164; receivers end it at the first other character. */
const TAG = /^[\w./-]{1,32}$/;

export const tagRule = {
  fields: ['format', 'app_name'] as const,
  check: ({
    format,
    app_name,
  }: {
    readonly format: string;
    readonly app_name: string | null;
  }): RuleBreach | null =>
    format !== 'rfc3164' || app_name === null || TAG.test(app_name)
      ? null
      : {
          at: 'app_name',
          type: 'bad_format',
          message: 'must be up to 32 letters, digits and `_`, `.`, `/`, `-` in `format: rfc3164`',
        },
};
