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
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { Json, JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { tellError } from '../../parts/notes.js';
import { type DeclaredKnob, kindOfKnob, noteOfKnob, stateOfKnob, titleOfKnob } from './declared.js';
import type { GlobalEdit } from './edits.js';
import { ANOMALY, anomaliesOf, NO_ANOMALY } from './membership.js';
import { grown, knobRangeOf, knobsOf } from './values.js';

interface KnobProps<A> {
  readonly name: string;
  readonly value: A;
  readonly onTurn: (value: A) => Promise<void>;
}

/** A slider whose range grows when its value reaches the end. */
const NumberKnob = ({ name, value, onTurn }: KnobProps<number>) => {
  const label = useId();
  const { shown, turn } = useTurned(value, onTurn);
  const [range, setRange] = useState(() => knobRangeOf(name, value));
  const fitting = shown < range.min || shown > range.max ? grown(range, shown) : range;
  const turnTo = (next: number): void => {
    setRange(next < fitting.min || next > fitting.max ? grown(fitting, next) : fitting);
    turn(next);
  };
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text fw={600} truncate id={label} title={name}>
          {name}
        </Text>
        <NumberInput
          aria-labelledby={label}
          value={shown}
          onChange={(next) => typeof next === 'number' && turnTo(next)}
          step={range.step}
          thousandSeparator=","
          size="xs"
          w={120}
        />
      </Group>
      <Slider
        aria-label={name}
        thumbLabel={name}
        min={fitting.min}
        max={fitting.max}
        step={fitting.step}
        value={Math.min(fitting.max, Math.max(fitting.min, shown))}
        onChange={turnTo}
        onChangeEnd={(end) => setRange(grown(fitting, end))}
        label={(at) => at.toLocaleString('en-US')}
        mt="sm"
      />
      <Group justify="space-between" mt={6}>
        <Text size="xs">{fitting.min.toLocaleString('en-US')}</Text>
        <Text size="xs">{fitting.max.toLocaleString('en-US')}</Text>
      </Group>
    </Paper>
  );
};

const SwitchKnob = ({ name, value, onTurn }: KnobProps<boolean>) => {
  const { shown, turn } = useTurned(value, onTurn);
  return (
    <Paper withBorder px="md" py="sm">
      <Switch
        label={
          <Text fw={600} span>
            {name}
          </Text>
        }
        labelPosition="left"
        checked={shown}
        onChange={(event) => turn(event.currentTarget.checked)}
        styles={{ body: { justifyContent: 'space-between' } }}
      />
    </Paper>
  );
};

interface KnobsProps {
  readonly globals: JsonObject;
  readonly isKnob: (key: string) => boolean;
  /** Keys that have a declared control. */
  readonly declared: ReadonlySet<string>;
  /** Gives a global a knob. */
  readonly onAdd: (key: string) => void;
  readonly onEdit: (edit: GlobalEdit) => Promise<void>;
}

/** Controls for numbers and booleans, to drive a test by hand. */
export const Knobs = ({ globals, isKnob, declared, onAdd, onEdit }: KnobsProps) => {
  const turning = (key: string) => (value: number | boolean) =>
    onEdit({ path: [key], value }).catch((error: unknown) => {
      tellError(`${key} keeps its value`, error);
      throw error;
    });
  const knobs = knobsOf(globals, isKnob);
  const others = knobsOf(globals, (key) => !isKnob(key) && !declared.has(key)).map(([key]) => key);
  return (
    <>
      {knobs.length === 0 && declared.size === 0 && (
        <Text size="sm">
          A number or boolean that was set over the API, and that nothing else changes, gets a slider or a
          switch here.
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 1, xl: 2 }}>
        {knobs.map(([key, value]) =>
          typeof value === 'number' ? (
            <NumberKnob key={key} name={key} value={value} onTurn={turning(key)} />
          ) : (
            <SwitchKnob key={key} name={key} value={value} onTurn={turning(key)} />
          ),
        )}
      </SimpleGrid>
      {others.length > 0 && (
        <Select
          aria-label="Add a knob"
          placeholder="Add a knob"
          searchable
          data={others}
          value={null}
          onChange={(key) => key !== null && onAdd(key)}
          maw={320}
        />
      )}
    </>
  );
};

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
  const turn = (value: Json): Promise<void> =>
    onEdit({ path: [key], value }).catch((error: unknown) => {
      tellError(`${key} keeps its value`, error);
      throw error;
    });
  const reset = (): void =>
    void onEdit({ path: [key] }).catch((error: unknown) => tellError(`${key} keeps its value`, error));
  const kind = kindOfKnob(knob);
  const control = { knob, label, onTurn: turn };
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

/** Time between two patches while a control moves. */
const PAUSE_MS = 150;

interface Turned<A> {
  /** The control's value, or that of the service if nobody turns it. */
  readonly shown: A;
  readonly turn: (value: A) => void;
}

/** A control whose values are sent at most every `PAUSE_MS`. A failed one gives way to the value of the service. */
const useTurned = <A,>(value: A, send: (value: A) => Promise<void>): Turned<A> => {
  const [draft, setDraft] = useState<{ readonly value: A } | null>(null);
  const waiting = useRef<{ readonly value: A } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const sender = useRef(send);
  sender.current = send;

  const flush = useRef((): void => {
    const next = waiting.current;
    timer.current = null;
    waiting.current = null;
    if (next === null) return;
    const settle = (): void => setDraft((now) => (now === next ? null : now));
    void sender.current(next.value).then(settle, settle);
  });
  // What was turned last is sent when the page closes.
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      flush.current();
    },
    [],
  );
  const turn = (next: A): void => {
    const turned = { value: next };
    waiting.current = turned;
    setDraft(turned);
    timer.current ??= setTimeout(flush.current, PAUSE_MS);
  };
  return { shown: draft === null ? value : draft.value, turn };
};

/** Without the global. */
const UNSET = '';

interface AnomalyKnobProps {
  readonly ids: readonly string[];
  readonly value: Json | undefined;
  readonly onEdit: (edit: GlobalEdit) => Promise<void>;
}

/** Starts and ends an anomaly of library generators. */
export const AnomalyKnob = ({ ids, value, onEdit }: AnomalyKnobProps) => {
  const entries = useQuery({ queryKey: ['startup'], queryFn: () => call('listStartupEntries') });
  const library = useQuery({
    queryKey: ['library'],
    queryFn: () => call('listLibrary'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const anomalies = anomaliesOf(ids, entries.data ?? [], library.data ?? []);
  if (anomalies.length === 0) return null;
  const chosen = typeof value === 'string' ? value : null;
  const names = [NO_ANOMALY, ...anomalies.map(({ name }) => name)];
  const known = chosen === null || names.includes(chosen) ? names : [...names, chosen];
  const options = known.map((name) => ({ value: name, label: name }));
  const shown = anomalies.find(({ name }) => name === chosen);
  const choose = (next: string | null): void => {
    const edit: GlobalEdit =
      next === null || next === UNSET ? { path: [ANOMALY] } : { path: [ANOMALY], value: next };
    onEdit(edit).catch((error: unknown) => tellError('The anomaly stays as it is', error));
  };
  return (
    <Paper withBorder px="md" py="sm">
      <Select
        label={ANOMALY}
        data={[{ value: UNSET, label: "as the members' parameters say" }, ...options]}
        value={chosen ?? UNSET}
        onChange={choose}
        allowDeselect={false}
      />
      {shown !== undefined && (
        <Text size="sm" mt={6} className="wrapped">
          {shown.help} Shown by {shown.members.join(', ')}.
        </Text>
      )}
    </Paper>
  );
};
