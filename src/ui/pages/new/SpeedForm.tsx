import { NumberInput, Radio, Select, Stack, Text } from '@mantine/core';
import type { ShownExample } from '../library/examples.js';
import type { ChosenSpeed, Speeds } from './choices.js';

interface SpeedFormProps {
  readonly speeds: Speeds;
  /** Null when it stays that of the example. */
  readonly speed: ChosenSpeed | null;
  readonly onSpeed: (speed: ChosenSpeed | null) => void;
}

const FIRST_CONSTANT: ChosenSpeed = { kind: 'constant', events_per_second: 100 };
const MAX_RATE = 1_000_000;

/** The day of the example, more or less of it, or one rate at all times. */
export const SpeedForm = ({ speeds: { param, canBeConstant }, speed, onSpeed }: SpeedFormProps) => (
  <Stack gap="sm">
    <Radio.Group
      aria-label="How fast events come"
      value={speed?.kind === 'constant' ? 'constant' : 'example'}
      onChange={(kind) => onSpeed(kind === 'constant' ? FIRST_CONSTANT : null)}
    >
      <Stack gap="xs">
        <Radio
          value="example"
          label="As the example"
          description="As in its config, most often with the ups and downs of a day and a week."
        />
        {canBeConstant && (
          <Radio
            value="constant"
            label="The same at all times"
            description="A mean, around which events come at random like those of many users."
          />
        )}
      </Stack>
    </Radio.Group>
    {speed?.kind === 'constant' && (
      <NumberInput
        label="Events per second"
        value={speed.events_per_second}
        min={0.001}
        max={MAX_RATE}
        clampBehavior="strict"
        thousandSeparator=","
        maw={320}
        onChange={(value) => {
          const number = Number(value);
          if (value !== '' && number > 0) onSpeed({ kind: 'constant', events_per_second: number });
        }}
      />
    )}
    {speed?.kind !== 'constant' && param !== null && (
      <NumberInput
        label={param.name}
        description={param.help}
        placeholder={String(param.fallback)}
        value={speed?.value ?? ''}
        min={0}
        max={MAX_RATE}
        clampBehavior="strict"
        thousandSeparator=","
        maw={480}
        onChange={(value) => onSpeed(value === '' ? null : { kind: 'param', value: Number(value) })}
      />
    )}
    {!canBeConstant && param === null && (
      <Text size="sm">Its events depend on its inputs: change them in the workbench.</Text>
    )}
  </Stack>
);

interface AttackFieldProps {
  readonly attacks: ShownExample['anomalies'];
  /** Name of one. Null for none. */
  readonly attack: string | null;
  readonly onAttack: (attack: string | null) => void;
}

/** An attack that happens from the start. */
export const AttackField = ({ attacks, attack, onAttack }: AttackFieldProps) =>
  attacks.length === 0 ? null : (
    <Select
      label="Attack"
      description={
        attacks.find(({ name }) => name === attack)?.help ??
        'One that happens from the start. None by default.'
      }
      placeholder="None"
      data={attacks.map(({ name }) => name)}
      value={attack}
      onChange={onAttack}
      clearable
      maw={480}
    />
  );
