import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import type { Timing } from './drafts.js';

export interface Rate {
  readonly events_per_second: number;
  readonly timing: Timing;
}

export const MAX_RATE = 1_000_000;

const TIMINGS: readonly { readonly value: Timing; readonly label: string }[] = [
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
