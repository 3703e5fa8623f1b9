import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Timing } from './drafts.js';
import { LogPicker } from './LogPicker.js';
import { LogReplay } from './LogReplay.js';
import { FIRST_OUTPUT, type OutputChoice } from './outputs.js';
import { fileFlaw, SAMPLE_LENGTH, wholeLines } from './sample.js';

export interface PickedLog {
  readonly file: File;
  /** Its first lines. */
  readonly sample: string;
  /** The log is longer than the sample. */
  readonly isCut: boolean;
}

/** Choices that stay when another log is taken. */
export interface ReplayChoice {
  readonly events_per_second: number;
  readonly timing: Timing;
  readonly repeat: boolean;
  readonly output: OutputChoice;
}

const FIRST: ReplayChoice = { events_per_second: 10, timing: 'even', repeat: true, output: FIRST_OUTPUT };

/** A log that is replayed with new timestamps. */
export const FromLog = () => {
  const [picked, setPicked] = useState<PickedLog | null>(null);
  const [pasted, setPasted] = useState('');
  const [choice, setChoice] = useState(FIRST);
  const [flaw, setFlaw] = useState<string | null>(null);
  const take = async (file: File): Promise<void> => {
    const part = file.slice(0, SAMPLE_LENGTH);
    const start = await part.text().catch(() => null);
    const found = start === null ? 'The file cannot be read. Choose it again.' : fileFlaw(file.size, start);
    setFlaw(found);
    if (found !== null || start === null) return;
    const sample = wholeLines(start, part.size === file.size);
    setPicked({ file, sample, isCut: part.size < file.size });
  };
  return (
    <Stack>
      <Text size="sm">
        Replays the lines of your log, one per event, with the present time in place of the old timestamps.
      </Text>
      {picked === null ? (
        <LogPicker
          onFile={(file) => void take(file)}
          flaw={flaw}
          pasted={pasted}
          onPasted={setPasted}
          help="Text in UTF-8 with one event per line, up to 64 MiB. It is uploaded when you create the generator."
        />
      ) : (
        <LogReplay
          key={`${picked.file.name} ${picked.file.size} ${picked.file.lastModified}`}
          log={picked}
          replay={choice}
          onReplay={setChoice}
          onOther={() => setPicked(null)}
        />
      )}
    </Stack>
  );
};
