import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { LogPicker } from '../LogPicker.js';
import { fileFlaw } from '../sample.js';
import { LearnLog } from './LearnLog.js';

/** Characters that are looked at before a file is taken. */
const LOOK_LENGTH = 65_536;

/** A generator that is learned from a log. */
export const Learn = () => {
  const [file, setFile] = useState<File | null>(null);
  const [pasted, setPasted] = useState('');
  const [flaw, setFlaw] = useState<string | null>(null);
  const take = async (chosen: File): Promise<void> => {
    const start = await chosen
      .slice(0, LOOK_LENGTH)
      .text()
      .catch(() => null);
    // Any size: only the start of a large log is sent.
    const found =
      start === null
        ? 'The file cannot be read. Choose it again.'
        : fileFlaw(Math.min(1, chosen.size), start);
    setFlaw(found);
    if (found === null) setFile(chosen);
  };
  return (
    <Stack>
      <Text size="sm">
        Finds format, fields, values and rate of your log, and makes a generator of new events like them.
        Private values are replaced.
      </Text>
      {file === null ? (
        <LogPicker
          onFile={(chosen) => void take(chosen)}
          flaw={flaw}
          pasted={pasted}
          onPasted={setPasted}
          help="Text in UTF-8. The first 8 MiB are uploaded to learn from, and are not stored."
        />
      ) : (
        <LearnLog file={file} onOther={() => setFile(null)} />
      )}
    </Stack>
  );
};
