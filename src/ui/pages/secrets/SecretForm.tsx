import { Button, Group, Paper, PasswordInput, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, type FormEvent, type RefObject, useState } from 'react';
import { checkSecretName, checkSecretValue } from '../../../domain/secrets.js';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/ErrorNote.js';
import { tellDone } from '../../parts/tell.js';

interface SecretFormProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  /** Stored names. */
  readonly names: readonly string[];
  readonly valueRef: RefObject<HTMLInputElement | null>;
}

interface ValueInputProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | null;
  readonly valueRef: RefObject<HTMLInputElement | null>;
}

/** One hidden line, or several visible ones: a password field would drop the line breaks of a key. */
const ValueInput = ({ value, onValue, error, valueRef }: ValueInputProps) => {
  const [isLong, setLong] = useState(false);
  const common = { label: 'Value', value, error, autoComplete: 'off' } as const;
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text');
    if (!pasted.trimEnd().includes('\n')) return;
    event.preventDefault();
    setLong(true);
    onValue(pasted);
  };
  return (
    <Stack gap="xs" w={{ base: '100%', sm: 320 }}>
      {isLong ? (
        <Textarea
          {...common}
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      ) : (
        <PasswordInput
          {...common}
          ref={valueRef}
          autoComplete="new-password"
          onPaste={onPaste}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
      <Switch
        label="Several lines, visible while you type"
        size="xs"
        checked={isLong}
        // A password field cannot hold what several lines hold.
        disabled={isLong && value.includes('\n')}
        onChange={(event) => setLong(event.currentTarget.checked)}
      />
    </Stack>
  );
};

/** Stores a secret. A value that is refused stays typed; one that is stored is gone from the page. */
export const SecretForm = ({ name, onName, names, valueRef }: SecretFormProps) => {
  const client = useQueryClient();
  const [value, setValue] = useState('');
  const [hasTried, setTried] = useState(false);
  const [stored, setStored] = useState(0);
  const isReplacing = names.includes(name);
  const storing = useMutation({
    mutationFn: () => call('setSecret', { path: { name }, body: value }),
    onSuccess: () => {
      tellDone(`${name} is stored. Generators use it at their next start.`);
      setValue('');
      setTried(false);
      setStored((count) => count + 1);
      onName('');
      void client.invalidateQueries({ queryKey: ['secrets'] });
    },
  });
  const nameFlaw = checkSecretName(name)?.message ?? null;
  const valueFlaw = checkSecretValue(value)?.message ?? null;
  const store = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (nameFlaw === null && valueFlaw === null) storing.mutate();
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={store} aria-label="Store a secret">
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => onName(event.currentTarget.value)}
            error={hasTried ? nameFlaw : null}
            autoComplete="off"
            spellCheck={false}
            w={{ base: '100%', sm: 240 }}
          />
          <ValueInput
            key={stored}
            value={value}
            onValue={setValue}
            error={hasTried ? valueFlaw : null}
            valueRef={valueRef}
          />
          <Button type="submit" mt={{ base: 0, sm: 25 }} loading={storing.isPending}>
            {isReplacing ? 'Replace' : 'Store'}
          </Button>
        </Group>
        {storing.isError && <ErrorNote title="The secret was not stored" error={storing.error} />}
      </Stack>
    </Paper>
  );
};
