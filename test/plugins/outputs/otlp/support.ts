import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { OtlpParams } from '../../../../src/plugins/outputs/otlp/plugin.js';
import { otlpSpec } from '../../../../src/plugins/outputs/otlp/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';

export const otlpParams = (params: JsonObject): OtlpParams => {
  const decoded = decode(paramsShape(otlpSpec), params);
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};
