import { TextInput } from '@mantine/core';
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
