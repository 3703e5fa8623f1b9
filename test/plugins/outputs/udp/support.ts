import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { udpSpec } from '../../../../src/plugins/outputs/udp/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';

export const paramsOf = (params: JsonObject) => {
  const decoded = decode(paramsShape(udpSpec), { host: '127.0.0.1', ...params });
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};
