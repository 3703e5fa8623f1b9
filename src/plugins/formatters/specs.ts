import { jsonSpec } from './json/spec.js';
import { jsonBatchSpec } from './json-batch/spec.js';
import { plainSpec } from './plain/spec.js';
import { httpInputSpec } from './spate-http-input/spec.js';
import { templateSpec } from './template/spec.js';
import { templateBatchSpec } from './template-batch/spec.js';

/** Every formatter by the value of `format`: the one place that names them, safe in a browser. */
export const FORMATTER_SPECS = {
  plain: plainSpec,
  json: jsonSpec,
  'json-batch': jsonBatchSpec,
  template: templateSpec,
  'template-batch': templateBatchSpec,
  'spate-http-input': httpInputSpec,
};
