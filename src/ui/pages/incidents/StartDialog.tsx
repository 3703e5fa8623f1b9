import { Button, Group, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { MAX_INCIDENT_SEED, MAX_ROUNDS } from '../../../domain/incidents/limits.js';

interface StartDialogProps {
  readonly name: string;
  /** Seed at first. */
  readonly seed: string;
  readonly onStart: (seed: string, rounds: number) => void;
  readonly onClose: () => void;
}

/** Asks for seed and rounds of a run. */
export const StartDialog = ({ name, seed: first, onStart, onClose }: StartDialogProps) => {
  const [seed, setSeed] = useState(first);
  const [rounds, setRounds] = useState<number | string>(1);
  const start = (event: FormEvent): void => {
    event.preventDefault();
    onClose();
    onStart(seed, typeof rounds === 'number' ? rounds : 1);
  };
  return (
    <Modal opened onClose={onClose} title={`Start ${name}`} centered>
      <form onSubmit={start}>
        <Stack>
          <TextInput
            label="Seed"
            description="The same seed draws the same entities. Empty: a random one."
            value={seed}
            onChange={(event) => setSeed(event.currentTarget.value)}
            maxLength={MAX_INCIDENT_SEED}
            data-autofocus
          />
          <NumberInput
            label="Rounds"
            description="How often it is told, one round after another."
            value={rounds}
            onChange={setRounds}
            min={1}
            max={MAX_ROUNDS}
            allowDecimal={false}
            clampBehavior="strict"
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Start</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
