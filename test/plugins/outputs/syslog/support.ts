import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc, type Zone } from '../../../../src/domain/time/zone.js';
import type { Output } from '../../../../src/plugins/kit.js';
import { syslogOutputPlugin } from '../../../../src/plugins/outputs/syslog/plugin.js';
import { syslogOutputSpec } from '../../../../src/plugins/outputs/syslog/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';
import { opened, outputContext } from '../support.js';
import { onClose } from '../tcp/support.js';

export const paramsOf = (params: JsonObject) => {
  const decoded = decode(paramsShape(syslogOutputSpec), { host: '127.0.0.1', ...params });
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};

/** `closeAll` of the tcp support closes it. */
export const openSyslog = async (params: JsonObject, zone: Zone = utc): Promise<Output> => {
  const { context } = outputContext('/');
  const output = await opened(syslogOutputPlugin.open(paramsOf(params), { ...context, zone }));
  onClose(output.close);
  return output;
};
