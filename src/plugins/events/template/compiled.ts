import type { Random } from '../../../domain/random/random.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { PyDict, RenderNames, SavedKind, Template, Value } from '../../../template/index.js';
import type { Picker } from './picker.js';
import type { TemplateGlobals } from './state/globals.js';
import type { StateObject } from './state/state.js';

/** One template of the list, ready to render. */
export interface CompiledTemplate {
  readonly alias: string;
  readonly template: Template;
  readonly names: RenderNames;
  /** The changing part of `names`: `timestamp` and `tags` are set before each render. */
  readonly variables: Map<string, Value>;
  readonly locals: StateObject;
  /** What `locals` holds. */
  readonly localValues: PyDict;
}

/** Everything that a generator of templates is made of, after it was loaded. */
export interface TemplateProgram {
  readonly templates: readonly CompiledTemplate[];
  readonly picker: Picker;
  readonly shared: StateObject;
  /** What `shared` holds. */
  readonly sharedValues: PyDict;
  readonly globals: TemplateGlobals;
  /** Random numbers besides those of the plugin, which go on after a restart, by the name they are kept under. */
  readonly streams: ReadonlyMap<string, Random>;
  /** Objects that may be in a state, besides those of the language. */
  readonly kinds: readonly SavedKind[];
  /** The timestamp under way, which is 'now' for modules. */
  readonly moment: { micros: Micros };
}
