import type { Json } from '../json.js';

/** A global that people may turn, as the author of a generator declares it. */
export interface KnobDeclaration {
  readonly key: string;
  readonly label: string | null;
  readonly description: string | null;
  /** Ends of a slider; both or neither. */
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly unit: string | null;
  /** Texts to choose from. A knob without them and without ends is a switch. */
  readonly choices: readonly string[] | null;
  /** What the generator uses while the global is not set. */
  readonly default: Json;
}
