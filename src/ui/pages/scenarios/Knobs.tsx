import { Group, NumberInput, Paper, Select, SimpleGrid, Slider, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { Json, JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { tellError } from '../../parts/notes.js';
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

/** Sets a global, and says when it keeps its value. */
export const setting =
  (onEdit: (edit: GlobalEdit) => Promise<void>, key: string) =>
  (value: Json): Promise<void> =>
    onEdit({ path: [key], value }).catch((error: unknown) => {
      tellError(`${key} keeps its value`, error);
      throw error;
    });

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
            <NumberKnob key={key} name={key} value={value} onTurn={setting(onEdit, key)} />
          ) : (
            <SwitchKnob key={key} name={key} value={value} onTurn={setting(onEdit, key)} />
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

/** Time between two patches while a control moves. */
const PAUSE_MS = 150;

interface Turned<A> {
  /** The control's value, or that of the service if nobody turns it. */
  readonly shown: A;
  readonly turn: (value: A) => void;
}

/** A control whose values are sent at most every `PAUSE_MS`. A failed one gives way to the value of the service. */
export const useTurned = <A,>(value: A, send: (value: A) => Promise<void>): Turned<A> => {
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
