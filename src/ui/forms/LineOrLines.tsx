import { Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

interface LineOrLinesProps
  extends Pick<
    TextInputProps,
    'error' | 'placeholder' | 'inputMode' | 'maw' | 'flex' | 'size' | 'description'
  > {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly onLeave: () => void;
  readonly onEscape?: () => void;
  /** Called on Enter in an input of a single line. */
  readonly onEnter?: () => void;
  readonly isMonospace?: boolean;
}

const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

/** A text input; one with line breaks has several lines, because a line would drop them. */
export const LineOrLines = (props: LineOrLinesProps) => {
  const { label, value, onValue, onLeave, onEscape, onEnter, isMonospace = false, ...rest } = props;
  const [isLong, setLong] = useState(false);
  if (!isLong && value.includes('\n')) setLong(true);
  const common = {
    ...rest,
    'aria-label': label,
    value,
    onBlur: onLeave,
    spellCheck: false,
    inputWrapperOrder: ['input', 'description', 'error'] as ('input' | 'description' | 'error')[],
    ...(isMonospace ? { styles: MONOSPACE } : {}),
  };
  const onKey = (key: string): void => {
    if (key === 'Escape') onEscape?.();
    if (key === 'Enter' && !isLong) onEnter?.();
  };
  return isLong ? (
    <Textarea
      {...common}
      autosize
      maxRows={12}
      onChange={(event) => onValue(event.currentTarget.value)}
      onKeyDown={(event) => onKey(event.key)}
    />
  ) : (
    <TextInput
      {...common}
      onChange={(event) => onValue(event.currentTarget.value)}
      onKeyDown={(event) => onKey(event.key)}
    />
  );
};
