import {
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Slider,
  Stack,
  Switch,
  Text,
} from '@mantine/core';
import { useId } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import { tellError } from '../../parts/notes.js';
import { type DeclaredKnob, kindOfKnob, noteOfKnob, stateOfKnob, titleOfKnob } from './declared.js';
import type { GlobalEdit } from './edits.js';
import { setting, useTurned } from './Knobs.js';

interface DeclaredProps {
  readonly knob: DeclaredKnob;
  readonly globals: JsonObject;
  readonly onEdit: (edit: GlobalEdit) => Promise<void>;
}

interface DeclaredControlProps<A> {
  readonly knob: DeclaredKnob;
  /** Id of the label. */
  readonly label: string;
  readonly value: A | null;
  readonly onTurn: (value: A) => Promise<void>;
}

const DeclaredSlider = ({
  knob,
  label,
  value,
  range: { min, max, step },
  onTurn,
}: DeclaredControlProps<number> & {
  readonly range: { readonly min: number; readonly max: number; readonly step: number };
}) => {
  const { shown, turn } = useTurned(value ?? min, onTurn);
  const suffix = knob.unit === null ? '' : ` ${knob.unit}`;
  return (
    <Group gap="md" wrap="nowrap" align="center">
      <div className="knob-slider">
        <Slider
          aria-label={titleOfKnob(knob)}
          thumbLabel={titleOfKnob(knob)}
          min={min}
          max={max}
          step={step}
          value={Math.min(max, Math.max(min, shown))}
          onChange={turn}
          label={(at) => `${at.toLocaleString('en-US')}${suffix}`}
        />
        <Group justify="space-between" mt={6}>
          <Text size="xs">{min.toLocaleString('en-US')}</Text>
          <Text size="xs">{max.toLocaleString('en-US')}</Text>
        </Group>
      </div>
      <NumberInput
        aria-labelledby={label}
        value={shown}
        onChange={(next) => typeof next === 'number' && next >= min && next <= max && turn(next)}
        min={min}
        max={max}
        step={step}
        suffix={suffix}
        thousandSeparator=","
        size="xs"
        w={110}
      />
    </Group>
  );
};

const DeclaredSwitch = ({ label, value, onTurn }: DeclaredControlProps<boolean>) => {
  const { shown, turn } = useTurned(value ?? false, onTurn);
  return (
    <Switch
      aria-labelledby={label}
      checked={shown}
      onChange={(event) => turn(event.currentTarget.checked)}
      label={shown ? 'on' : 'off'}
    />
  );
};

const DeclaredChoice = ({
  label,
  value,
  choices,
  onTurn,
}: DeclaredControlProps<string> & { readonly choices: readonly string[] }) => (
  <Select
    aria-labelledby={label}
    data={[...choices]}
    value={value}
    placeholder="Choose"
    onChange={(next) => next !== null && void onTurn(next).catch(() => undefined)}
    allowDeselect={false}
    size="sm"
  />
);

/** A control with name, help and range as the author of a member declares them. */
const DeclaredControl = ({ knob, globals, onEdit }: DeclaredProps) => {
  const label = useId();
  const { key } = knob;
  const state = stateOfKnob(knob, globals);
  const reset = (): void =>
    void onEdit({ path: [key] }).catch((error: unknown) => tellError(`${key} keeps its value`, error));
  const kind = kindOfKnob(knob);
  const control = { knob, label, onTurn: setting(onEdit, key) };
  const note = noteOfKnob(knob, state);
  return (
    <Paper withBorder px="md" py="sm" component="li">
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text fw={600} id={label} className="wrapped">
            {titleOfKnob(knob)}
          </Text>
          <Text size="xs" ff="monospace" className="wrapped">
            {knob.label === null ? '' : key}
          </Text>
        </Group>
        {knob.description !== null && (
          <Text size="sm" className="wrapped">
            {knob.description}
          </Text>
        )}
        {kind.kind === 'slider' && (
          <DeclaredSlider
            {...control}
            range={kind}
            value={typeof state.shown === 'number' ? state.shown : null}
          />
        )}
        {kind.kind === 'switch' && (
          <DeclaredSwitch {...control} value={typeof state.shown === 'boolean' ? state.shown : null} />
        )}
        {kind.kind === 'choice' && (
          <DeclaredChoice
            {...control}
            choices={kind.choices}
            value={typeof state.shown === 'string' ? state.shown : null}
          />
        )}
        {state.flaw !== null && <Text size="sm">{state.flaw}</Text>}
        {knob.others.length > 0 && (
          <Text size="sm" className="wrapped">
            {knob.others.join(', ')} {knob.others.length === 1 ? 'declares' : 'declare'} it in another way;
            that of {knob.members[0]} holds.
          </Text>
        )}
        <Group justify="space-between" gap="xs" mih={22}>
          <Text size="xs">{note}</Text>
          {state.isSet && (
            <Button
              variant="default"
              size="compact-xs"
              aria-label={`Reset ${titleOfKnob(knob)}`}
              onClick={reset}
            >
              Reset
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
};

interface DeclaredKnobsProps extends Omit<DeclaredProps, 'knob'> {
  readonly knobs: readonly DeclaredKnob[];
}

/** The knobs that members declare. */
export const DeclaredKnobs = ({ knobs, ...props }: DeclaredKnobsProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2, lg: 1, xl: 2 }} component="ul" className="plain-list">
    {knobs.map((knob) => (
      <DeclaredControl key={knob.key} knob={knob} {...props} />
    ))}
  </SimpleGrid>
);
