import { Button, Group, TextInput } from '@mantine/core';
import * as E from 'fp-ts/lib/Either.js';
import { type FormEvent, useState } from 'react';
import { jumpTo } from './jumps.js';

interface JumpFormProps {
  readonly duration: number;
  readonly onJump: (seconds: number) => void;
}

/** Jumps to a time, without a mouse. */
export const JumpForm = ({ duration, onJump }: JumpFormProps) => {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const jump = (event: FormEvent): void => {
    event.preventDefault();
    const to = jumpTo(text, duration);
    setError(E.isLeft(to) ? to.left : null);
    if (E.isRight(to)) onJump(to.right);
  };
  return (
    <form onSubmit={jump}>
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label="Jump to a time"
          placeholder="8m or 08:00"
          size="xs"
          w={140}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={error}
        />
        <Button type="submit" variant="default" size="xs">
          Jump to time
        </Button>
      </Group>
    </form>
  );
};
