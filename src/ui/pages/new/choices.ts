import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { ShownExample } from '../library/examples.js';
import { inputOf } from './drafts.js';
import { type OutputChoice, outputOf, withOutput } from './outputs.js';

/** Parameters of examples that say how much happens, the first that an example has is used. */
const SPEED_PARAMS = ['rate', 'load'] as const;
const ATTACK_PARAM = 'anomaly';
/** Value of the parameter of attacks for none. */
const NO_ATTACK = 'none';

/** How fast an example can be. */
export interface Speeds {
  /** Its parameter for more or less of the same day. Null when it has none. */
  readonly param: { readonly name: string; readonly help: string; readonly fallback: number } | null;
  /** Whether its events can come at one rate: they depend on nothing that its inputs say but the time. */
  readonly canBeConstant: boolean;
}

const inputsOf = (config: JsonObject): readonly JsonObject[] =>
  ((config['input'] ?? []) as readonly Json[]).flatMap((input) => (isJsonObject(input) ? [input] : []));

/** Times alone: no tags, no activities of a world, no recorded lines. */
const saysOnlyWhen = (input: JsonObject): boolean =>
  Object.entries(input).every(
    ([kind, params]) =>
      ['cron', 'timer', 'rate'].includes(kind) && isJsonObject(params) && !('tags' in params),
  );

export const speedsOf = ({ parameters }: Pick<ShownExample, 'parameters'>, config: JsonObject): Speeds => {
  const found = SPEED_PARAMS.map((name) => parameters.find((one) => one.name === name)).find(
    (one) => one !== undefined && typeof one.default === 'number',
  );
  return {
    param:
      found === undefined ? null : { name: found.name, help: found.help, fallback: Number(found.default) },
    canBeConstant: inputsOf(config).every(saysOnlyWhen),
  };
};

export const attacksOf = ({ anomalies, parameters }: ShownExample): ShownExample['anomalies'] =>
  parameters.some(({ name, default: fallback }) => name === ATTACK_PARAM && fallback === NO_ATTACK)
    ? anomalies
    : [];

/** How fast the copy of an example is. */
export type ChosenSpeed =
  | { readonly kind: 'param'; readonly value: number }
  | { readonly kind: 'constant'; readonly events_per_second: number };

export interface Choices {
  /** Null when it stays that of the example. */
  readonly speed: ChosenSpeed | null;
  /** Name of an attack that happens from the start. Null for none. */
  readonly attack: string | null;
  readonly output: OutputChoice;
  /** The output of the chosen destination. Null for none. */
  readonly destination: JsonObject | null;
}

/** The config of a copy named `name`, from that of the example. */
export const configWith = (
  config: JsonObject,
  speeds: Speeds,
  { speed, attack, output, destination }: Choices,
  name: string,
): JsonObject => {
  const attacking = attack === null ? config : withFallback(config, ATTACK_PARAM, attack);
  const paced = withSpeed(attacking, speeds, speed);
  return output.kind === 'as_is'
    ? paced
    : withOutput(
        paced,
        outputOf(output, name, 'events'),
        output.kind === 'new' ? output.created.output : destination,
      );
};

const withSpeed = (config: JsonObject, { param }: Speeds, speed: ChosenSpeed | null): JsonObject => {
  if (speed?.kind === 'constant') return { ...config, input: [inputOf(speed.events_per_second, 'poisson')] };
  return speed === null || param === null ? config : withFallback(config, param.name, String(speed.value));
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
