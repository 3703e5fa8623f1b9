import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';

interface LogPickerProps {
  readonly onFile: (file: File) => void;
  /** Why the last file was refused. */
  readonly flaw: string | null;
  readonly pasted: string;
  readonly onPasted: (pasted: string) => void;
  /** Which files are taken, and what happens to them. */
  readonly help: string;
}

/** Takes a log: chosen, dropped, or pasted. */
export const LogPicker = ({ onFile, flaw, pasted, onPasted, help }: LogPickerProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <Stack>
      <Paper
        withBorder
        p="xl"
        className={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Stack align="center" gap="sm">
          <FileUp size={32} aria-hidden />
          <Text ta="center">Drop a log file here, or choose one.</Text>
          <Button onClick={() => input.current?.click()}>Choose a log file</Button>
          <Text size="sm" ta="center">
            {help}
          </Text>
          <input
            ref={input}
            type="file"
            hidden
            aria-label="Log file"
            onChange={(event) => {
              take(event.currentTarget.files);
              // The same file can be chosen again.
              event.currentTarget.value = '';
            }}
          />
        </Stack>
      </Paper>
      {flaw !== null && (
        <Text c="red" size="sm" role="alert">
          {flaw}
        </Text>
      )}
      <Textarea
        label="Or paste some lines"
        placeholder="2026-01-12 00:10:37,123 INFO started"
        value={pasted}
        onChange={(event) => onPasted(event.currentTarget.value)}
        rows={4}
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      <Group>
        <Button
          variant="default"
          disabled={pasted.trim() === ''}
          onClick={() => onFile(new File([pasted.endsWith('\n') ? pasted : `${pasted}\n`], 'pasted.log'))}
        >
          Use the pasted lines
        </Button>
      </Group>
    </Stack>
  );
};
