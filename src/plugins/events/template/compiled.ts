import type { Random } from '../../../domain/random.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { PyDict, RenderNames, SavedKind, Template, Value } from '../../../template/index.js';
import type { Instances } from './fsm/instances.js';
import type { Picker } from './picker.js';
import type { TemplateGlobals } from './state/globals.js';
import type { StateObject } from './state/state.js';

export interface CompiledTemplate {
  readonly alias: string;
  readonly template: Template;
  readonly names: RenderNames;
  /** Variable part of `names`: `timestamp` and `tags`, set before each render. */
  readonly variables: Map<string, Value>;
  readonly locals: StateObject;
  readonly localValues: PyDict;
}

/** A loaded generator of templates. */
export interface TemplateProgram {
  readonly templates: readonly CompiledTemplate[];
  readonly picker: Picker;
  /** Instances of mode fsm. Null in other modes, and for one run of the state machine. */
  readonly instances: Instances | null;
  readonly shared: StateObject;
  readonly sharedValues: PyDict;
  readonly globals: TemplateGlobals;
  /** Random streams restored by checkpoints, by their saved name. */
  readonly streams: ReadonlyMap<string, Random>;
  /** More kinds of objects that a state may hold. */
  readonly kinds: readonly SavedKind[];
  /** The current timestamp: 'now' of the modules. */
  readonly moment: { micros: Micros };
}
