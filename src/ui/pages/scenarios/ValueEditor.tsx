import { Switch, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Json } from '../../../domain/json.js';
import { LineOrLines } from '../../forms/LineOrLines.js';
import { wordsOf } from '../../parts/notes.js';
import { numberOfText } from './values.js';

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
      .then(giveUp, (failed: unknown) => setError(wordsOf(failed)))
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
