/** The template engine: Jinja with Python values. Other folders import only from here. */
export { type CheckOptions, type CheckResult, inspectTemplates } from './check/check.js';
export { type ConfigTemplates, templatesOfConfig } from './check/config.js';
export type { Finding, Severity } from './check/finding.js';
export { templatesNamedIn } from './check/read.js';
export {
  type Environment,
  type EnvironmentOptions,
  makeEnvironment,
  type RenderNames,
  type Template,
} from './environment.js';
export type { TemplateError } from './errors.js';
export { isOutsideName, MAX_TEMPLATE_BYTES } from './fileNames.js';
export { beginScope, checkItems, checkText, endScope, limited, offTheClock, spend } from './limits.js';
export { atInstant, dateTimeAt, PyDateTime } from './modules/datetime/dateTime.js';
export { zoneValue } from './modules/datetime/module.js';
export { type PyTzinfo, UTC_ZONE } from './modules/datetime/zones.js';
export type { Digest } from './modules/hashlib.js';
export { HostModule } from './modules/hostModule.js';
export { readJson } from './modules/json.js';
export { LazyMembers } from './modules/lazyMembers.js';
export { makeModules } from './modules/modules.js';
export { type NameAfter, namesAfter } from './namesAfter.js';
export { takeTrail } from './runtime/trail.js';
export { restoreValue, type SavedKind, saveValue } from './saved.js';
export { readFloat } from './text/readNumber.js';
export { callMethodOf, type Methods, methodOf, methods, native, rawMethods } from './values/calls/method.js';
export { Fault, raise } from './values/fault.js';
export { fromJson, toJson } from './values/operations/convert.js';
export { equals } from './values/operations/equality.js';
export { hashKey } from './values/operations/hash.js';
export { iterate, listOf } from './values/operations/iterate.js';
export { guarded, repr, str } from './values/operations/print.js';
export { asIndex, needIndex, PySlice, sliceItems } from './values/operations/subscript.js';
export { truthy } from './values/operations/truth.js';
export { Signal } from './values/signal.js';
export { PyDict } from './values/types/dict.js';
export { textOf } from './values/types/markup.js';
export { PyTuple } from './values/types/tuple.js';
export { Undefined, undefinedBecause } from './values/types/undefined.js';
export {
  type Callable,
  call,
  floatOf,
  type Kwargs,
  keepsNothing,
  PyFloat,
  TemplateObject,
  typeName,
  type Value,
} from './values/value.js';
