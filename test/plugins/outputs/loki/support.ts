import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { LokiParams } from '../../../../src/plugins/outputs/loki/plugin.js';
import { lokiSpec } from '../../../../src/plugins/outputs/loki/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';

export const lokiParams = (params: JsonObject): LokiParams => {
  const decoded = decode(paramsShape(lokiSpec), params);
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};
