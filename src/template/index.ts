/** The template engine: Jinja with Python values. Other folders import only from here. */
export { type CheckOptions, type CheckResult, inspectTemplates } from './check/check.js';
export type { Severity, TemplateFinding } from './check/finding.js';
export { templatesNamedIn } from './check/load.js';
export { type ConfigTemplates, templatesOfConfig } from './check/roots.js';
export {
  type Environment,
  type EnvironmentOptions,
  isOutsideName,
  MAX_TEMPLATE_BYTES,
  makeEnvironment,
  type RenderNames,
  type Template,
} from './environment.js';
export type { TemplateError } from './errors.js';
export { Fault, raise, Signal } from './errors.js';
export { beginScope, checkItems, checkText, endScope, limited, offTheClock, spend } from './limits.js';
export { atInstant, dateTimeAt, PyDateTime } from './modules/datetime/dateTime.js';
export { zoneValue } from './modules/datetime/module.js';
export { type PyTzinfo, UTC_ZONE } from './modules/datetime/zones.js';
export type { Digest } from './modules/hashlib.js';
export { HostModule, LazyMembers } from './modules/hostModule.js';
export { fromJson, jsonLoads, toJson } from './modules/json.js';
export { makeModules } from './modules/modules.js';
export { type NameAfter, namesAfter } from './namesAfter.js';
export { takeTrail } from './runtime/runtime.js';
export { restoreValue, type SavedKind, saveValue } from './saved.js';
export { readFloat } from './text/numbers.js';
export { callMethodOf, type Methods, methodOf, methods, native, rawMethods } from './values/methods.js';
export { equals, hashKey, truthy } from './values/operations/compare.js';
export { iterate, listFrom } from './values/operations/iterate.js';
export { guardedPrint, repr, str } from './values/operations/print.js';
export { asIndex, needIndex, PySlice, sliceItems } from './values/operations/subscript.js';
export { type DictShape, hasKeys, knownShape, PyDict, shapeOf } from './values/types/dict.js';
export { textOf } from './values/types/markup.js';
export { PyTuple } from './values/types/sequences.js';
export { Undefined, undefinedBecause } from './values/types/undefined.js';
export {
  type Callable,
  callValue,
  floatOf,
  type Kwargs,
  keepsNothing,
  PyFloat,
  TemplateObject,
  typeName,
  type Value,
} from './values/value.js';
