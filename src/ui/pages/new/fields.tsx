import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.js';
import type { Parameter, ShownExample } from '../library/examples.js';
import type { TimingChoice } from './drafts.js';
import { nameFlaw, type TakenNames } from './names.js';

interface NameFieldProps {
  readonly name: string;
  readonly taken: TakenNames;
  readonly onName: (name: string) => void;
  /** An empty name is an error only after the user tried to create the generator. */
  readonly isStrict: boolean;
  /** It is created. */
  readonly isDone?: boolean;
}

export const NameField = ({ name, taken, onName, isStrict, isDone = false }: NameFieldProps) => (
  <TextInput
    label="Name"
    description="Of the generator, and of its directory on the server."
    placeholder="my-shop"
    value={name}
    disabled={isDone}
    error={isDone || (name === '' && !isStrict) ? null : nameFlaw(name, taken)}
    onChange={(event) => onName(event.currentTarget.value)}
    spellCheck={false}
    autoComplete="off"
  />
);

const NONE: TakenNames = { directories: new Set(), ids: new Set() };

/** Names of directories and generators; none while they are read. */
export const useTaken = (): TakenNames => {
  const taken = useQuery({
    queryKey: ['taken-names'],
    queryFn: async (): Promise<TakenNames> => {
      const [directories, generators] = await Promise.all([
        call('listGeneratorConfigs'),
        call('listGenerators'),
      ]);
      return {
        directories: new Set(directories.map(({ name }) => name)),
        ids: new Set(generators.map(({ id }) => id)),
      };
    },
  });
  return taken.data ?? NONE;
};

interface Rate {
  readonly events_per_second: number;
  readonly timing: TimingChoice;
}

const MAX_RATE = 1_000_000;

const TIMINGS: readonly { readonly value: TimingChoice; readonly label: string }[] = [
  { value: 'even', label: 'Evenly spaced' },
  { value: 'poisson', label: 'At random, like many users' },
  { value: 'daily', label: 'By time of day, like office hours' },
];

interface RateFormProps {
  readonly rate: Rate;
  readonly onRate: (rate: Rate) => void;
}

/** How many events come, and when. */
export const RateForm = ({ rate, onRate }: RateFormProps) => {
  const [typed, setTyped] = useState<number | string>(rate.events_per_second);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NumberInput
        label="Events per second"
        description="0.1 is one event in ten seconds. The mean, if events come at random."
        value={typed}
        error={typed === '' ? `Empty: ${rate.events_per_second} is used.` : null}
        min={0.001}
        max={MAX_RATE}
        clampBehavior="strict"
        thousandSeparator=","
        onChange={(value) => {
          setTyped(value);
          const number = Number(value);
          if (value !== '' && number > 0) onRate({ ...rate, events_per_second: number });
        }}
      />
      <Select
        label="Timing"
        description="How the events are spread. The workbench has bursts, steps, cron and more."
        data={TIMINGS}
        value={rate.timing}
        allowDeselect={false}
        onChange={(timing) => {
          if (timing !== null) onRate({ ...rate, timing });
        }}
      />
    </SimpleGrid>
  );
};

/** The input `world` takes no more. */
const MAX_LOAD = 25;

interface LoadFieldProps {
  readonly param: Parameter;
  /** Null when it stays that of the example. */
  readonly load: number | null;
  readonly onLoad: (load: number | null) => void;
}

/** More or less of the same day. */
export const LoadField = ({ param: { name, help, default: usual }, load, onLoad }: LoadFieldProps) => (
  <NumberInput
    label={name}
    description={help}
    placeholder={String(usual)}
    value={load ?? ''}
    min={0.01}
    max={MAX_LOAD}
    clampBehavior="strict"
    maw={480}
    onChange={(value) => onLoad(value === '' ? null : Number(value))}
  />
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
