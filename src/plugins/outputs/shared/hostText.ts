import { text } from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';

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
