import type { JsonObject } from '../../domain/json.js';
import type { Built, Output, PluginContext } from '../kit.js';

/** Writes the files that the examples of a plugin name into its folder. */
export type Prepare = (folder: string, params: JsonObject) => void;

/** A destination of an output, for one rule. */
export interface Destination {
  /** Parameters of the output. */
  readonly params: JsonObject;
  /** Opens the output where the plugin itself cannot be led to a destination of a test. */
  readonly open?: (params: never, context: PluginContext) => Built<Output>;
  /** Text that arrived; called once the output is closed. */
  readonly arrived: () => string | Promise<string>;
  /** Makes every later write fail. */
  readonly takeAway: () => void | Promise<void>;
  readonly end?: () => void | Promise<void>;
}

/** Starts a destination that may keep files in the folder. */
export type StartDestination = (folder: string) => Destination | Promise<Destination>;

/** What the conformance rules need to know of a plugin. */
export interface SetUp {
  /** True for an input that waits for requests: it has no scheduled timestamps. */
  readonly isInteractive?: boolean;
  readonly prepare?: Prepare;
  readonly destination?: StartDestination;
}
