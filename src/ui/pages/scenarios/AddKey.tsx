import { Autocomplete, Button, Group, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { wordsOf } from '../../parts/notes.js';
import type { Edit } from './edits.js';
import { summaryOf, valueOfText } from './values.js';

interface AddKeyProps {
  /** Keys that templates read and nothing has set. */
  readonly suggestions: readonly string[];
  readonly isSet: (key: string) => boolean;
  readonly onEdit: (edit: Edit) => Promise<void>;
}

const typeOf = (text: string): string => {
  const value = valueOfText(text);
  if (typeof value === 'string') return text === '' ? 'empty text' : 'text';
  if (typeof value === 'object') return value === null ? 'null' : `JSON, ${summaryOf(value)}`;
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
      (failed: unknown) => setError(wordsOf(failed)),
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
