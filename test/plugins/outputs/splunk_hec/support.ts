import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { HecParams } from '../../../../src/plugins/outputs/splunk_hec/collector.js';
import { hecSpec } from '../../../../src/plugins/outputs/splunk_hec/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';

export const hecParams = (params: JsonObject): HecParams => {
  const decoded = decode(paramsShape(hecSpec), params);
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};
