/** The template engine: Jinja with the values of Python. Everything that other folders use of it. */
export {
  type Environment,
  type EnvironmentOptions,
  makeEnvironment,
  type RenderNames,
  type Template,
} from './environment.js';
export type { ErrorPlace, TemplateError } from './errors.js';
export { DEFAULT_LIMITS, type Limits } from './limits.js';
export { dateTimeAt, PyDateTime } from './modules/datetime/dateTime.js';
export { zoneValue } from './modules/datetime/module.js';
export { type PyTzinfo, UTC_ZONE } from './modules/datetime/zones.js';
export type { Digest } from './modules/hashlib.js';
export { HostModule } from './modules/hostModule.js';
export { readJson } from './modules/json.js';
export { type ModulePorts, makeModules } from './modules/modules.js';
export type { Whitespace } from './parse/token.js';
export { PyBytes } from './values/bytes.js';
export { fromJson, toJson } from './values/convert.js';
export { PyDict } from './values/dict.js';
export { equals } from './values/equality.js';
export { Fault, raise } from './values/fault.js';
export { iterate, listOf } from './values/iterate.js';
export { native } from './values/method.js';
export { str } from './values/print.js';
export { truthy } from './values/truth.js';
export { PyTuple } from './values/tuple.js';
export { Undefined, undefinedBecause } from './values/undefined.js';
export {
  type Callable,
  call,
  floatOf,
  intOf,
  type Kwargs,
  keepsNothing,
  PyFloat,
  TemplateObject,
  type Value,
} from './values/value.js';
