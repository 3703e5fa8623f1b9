import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { type ControlProps, useForm } from './context.js';
import { isField } from './control.js';
import { errorAt } from './issues.js';
import { jsonOrText, jsonText } from './texts.js';

/** Free JSON. A text that is not JSON is stored as text, for the declaration to judge. */
export const JsonControl = ({ place, shape, value, fallback, label }: ControlProps) => {
  const { issues, onChange } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string): void => {
    setTyped(text);
    const unset = isField(shape) && shape.presence !== 'required' ? undefined : null;
    onChange(place, text.trim() === '' ? unset : jsonOrText(text));
  };
  return (
    <Textarea
      aria-label={label}
      maw={640}
      autosize
      minRows={1}
      maxRows={16}
      value={typed ?? jsonText(value)}
      placeholder={fallback === null ? 'JSON' : JSON.stringify(fallback)}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => setTyped(null)}
      error={errorAt(issues, place)}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
    />
  );
};
