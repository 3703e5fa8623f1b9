import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { Parameter, ShownExample } from '../library/examples.js';
import { type OutputChoice, outputOf, withOutput } from './outputs.js';

/** Parameters of all examples: how much happens, and which attack from the start on. */
const LOAD_PARAM = 'load';
const ATTACK_PARAM = 'anomaly';
/** Value of the parameter of attacks for none. */
const NO_ATTACK = 'none';

/** What the parameter for more or less of the same day does. Null for an example without it. */
export const loadOf = ({ parameters }: Pick<ShownExample, 'parameters'>): Parameter | null =>
  parameters.find(({ name }) => name === LOAD_PARAM) ?? null;

export const attacksOf = ({ anomalies, parameters }: ShownExample): ShownExample['anomalies'] =>
  parameters.some(({ name, default: fallback }) => name === ATTACK_PARAM && fallback === NO_ATTACK)
    ? anomalies
    : [];

export interface Choices {
  /** Null when it stays that of the example. */
  readonly load: number | null;
  /** Name of an attack that happens from the start. Null for none. */
  readonly attack: string | null;
  readonly output: OutputChoice;
  /** The output of the chosen destination. Null for none. */
  readonly destination: JsonObject | null;
}

/** The config of a copy named `name`, from that of the example. */
export const configWith = (
  config: JsonObject,
  { load, attack, output, destination }: Choices,
  name: string,
): JsonObject => {
  const attacking = attack === null ? config : withFallback(config, ATTACK_PARAM, attack);
  const loaded = load === null ? attacking : withFallback(attacking, LOAD_PARAM, String(load));
  return output.kind === 'as_is'
    ? loaded
    : withOutput(
        loaded,
        outputOf(output, name, 'events'),
        output.kind === 'new' ? output.created.output : destination,
      );
};

/** The config with another default of a parameter, which a start can still replace. */
const withFallback = (config: JsonObject, param: string, fallback: string): JsonObject => {
  const written = new RegExp(`\\$\\{params\\.${param}:-[^}]*\\}`, 'g');
  const changed = (value: Json): Json => {
    if (typeof value === 'string') return value.replace(written, `\${params.${param}:-${fallback}}`);
    if (Array.isArray(value)) return (value as readonly Json[]).map(changed);
    return isJsonObject(value) ? changedObject(value) : value;
  };
  const changedObject = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, changed(value)]));
  return changedObject(config);
};
