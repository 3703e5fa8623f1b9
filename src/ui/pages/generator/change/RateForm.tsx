import { NumberInput, SimpleGrid, Text } from '@mantine/core';
import { type Knob, knobKey } from './knobs.js';

const LABELS: Readonly<Record<string, string>> = {
  count: 'Events at each timestamp',
  events_per_second: 'Events per second',
  mb_per_second: 'MB per second',
  gb_per_day: 'GB per day',
};

interface RateFormProps {
  readonly knobs: readonly Knob[];
  readonly values: Readonly<Record<string, number>>;
  readonly onValues: (values: Readonly<Record<string, number>>) => void;
}

/** The numbers of the inputs that set the rate. */
export const RateForm = ({ knobs, values, onValues }: RateFormProps) => {
  if (knobs.length === 0)
    return <Text size="sm">These inputs have no rate of their own. Change their section.</Text>;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
      {knobs.map((knob) => {
        const key = knobKey(knob);
        return (
          <NumberInput
            key={key}
            label={`${LABELS[knob.key] ?? knob.key} (${knob.plugin} ${knob.index + 1})`}
            {...(knob.value === null ? { description: `In the file: ${knob.text}` } : {})}
            min={0}
            thousandSeparator=","
            value={values[key] ?? knob.value ?? ''}
            onChange={(value) => {
              const { [key]: _, ...others } = values;
              onValues(typeof value === 'number' ? { ...others, [key]: value } : others);
            }}
          />
        );
      })}
    </SimpleGrid>
  );
};
