import { Autocomplete, Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import type { Json } from '../../../domain/json.js';
import { LineOrLines } from '../../forms/LineOrLines.js';
import { listedWordsOf } from '../../parts/notes.js';
import type { GlobalEdit } from './edits.js';
import { numberOfText, valueOfText, valueSummaryOf } from './values.js';

interface ValueEditorProps {
  readonly value: Json;
  readonly label: string;
  /** Rejects if the value cannot be changed. */
  readonly onChange: (value: Json) => Promise<void>;
}

const shownText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A text or number; what is typed stays until it is stored or given up with Escape. */
const TextEditor = ({ value, label, onChange }: ValueEditorProps) => {
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isStoring = useRef(false);
  const now = shownText(value);
  const giveUp = (): void => {
    setTyped(null);
    setError(null);
  };
  const store = (): void => {
    if (isStoring.current) return;
    if (typed === null || typed === now) return giveUp();
    const next = typeof value === 'number' ? numberOfText(typed) : typed;
    if (next === null) return setError('must be a number. Edit it as JSON to store another type.');
    isStoring.current = true;
    void onChange(next)
      .then(giveUp, (failed: unknown) => setError(listedWordsOf(failed)))
      .finally(() => {
        isStoring.current = false;
      });
  };
  return (
    <LineOrLines
      label={label}
      size="xs"
      isMonospace
      value={typed ?? now}
      onValue={setTyped}
      onLeave={store}
      onEnter={store}
      onEscape={giveUp}
      error={error}
      {...(typed !== null && typed !== now ? { description: `Stored: ${now}` } : {})}
    />
  );
};

export const ValueEditor = (props: ValueEditorProps) => {
  const { value, label, onChange } = props;
  if (typeof value === 'boolean') {
    return (
      <Switch
        aria-label={label}
        py={4}
        checked={value}
        onChange={(event) => void onChange(event.currentTarget.checked).catch(() => undefined)}
      />
    );
  }
  if (value === null) {
    return (
      <Text ff="monospace" size="sm" pt={4}>
        null
      </Text>
    );
  }
  return <TextEditor {...props} />;
};

interface AddKeyProps {
  /** Keys that templates read and nothing has set. */
  readonly suggestions: readonly string[];
  readonly isSet: (key: string) => boolean;
  readonly onEdit: (edit: GlobalEdit) => Promise<void>;
}

const typeOf = (text: string): string => {
  const value = valueOfText(text);
  if (typeof value === 'string') return text === '' ? 'empty text' : 'text';
  if (typeof value === 'object') return value === null ? 'null' : `JSON, ${valueSummaryOf(value)}`;
  return typeof value;
};

export const AddKey = ({ suggestions, isSet, onEdit }: AddKeyProps) => {
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (key === '') return setError('Enter a name.');
    if (isSet(key)) return setError('The key exists. Change its value in the list.');
    void onEdit({ path: [key], value: valueOfText(text) }).then(
      () => {
        setKey('');
        setText('');
        setError(null);
      },
      (failed: unknown) => setError(listedWordsOf(failed)),
    );
  };
  return (
    <form onSubmit={add}>
      <Group align="flex-start" gap="sm">
        <Autocomplete
          label="New key"
          description={suggestions.length > 0 ? 'The list has keys that templates read.' : 'Any name'}
          data={[...suggestions]}
          value={key}
          onChange={(next) => {
            setKey(next);
            setError(null);
          }}
          error={error}
          w={{ base: '100%', sm: 240 }}
        />
        <TextInput
          label="Value"
          description={`Text or JSON; this is ${typeOf(text)}`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={{ base: '100%', sm: 240 }}
        />
        <Button type="submit" variant="default" leftSection={<Plus size={16} />} mt={{ base: 0, sm: 45 }}>
          Add
        </Button>
      </Group>
    </form>
  );
};
