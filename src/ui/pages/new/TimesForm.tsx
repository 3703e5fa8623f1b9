import { Code, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LogTimes, LogTimesFlaw } from '../../../domain/preview.js';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/notes.js';
import { needsUtc } from './drafts.js';
import { flawText, shareText } from './sample.js';

/** What a user wrote. */
export interface WrittenTimes {
  readonly pattern: string;
  readonly format: string;
}

interface TimesFormProps {
  readonly written: WrittenTimes;
  readonly onWritten: (written: WrittenTimes) => void;
  readonly times: LogTimes | undefined;
  readonly isCut: boolean;
  readonly error: Error | null;
}

/** Pattern and format, corrected by hand. */
export const TimesForm = ({ written, onWritten, times, isCut, error }: TimesFormProps) => {
  const pattern = flawOf(times, 'timestamp_pattern');
  const format = flawOf(times, 'timestamp_format');
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TextInput
          label="Pattern"
          description="Regular expression with (?P<timestamp>…) around the timestamp."
          value={written.pattern}
          error={written.pattern === '' ? 'Write a pattern.' : pattern}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'mono' }}
          onChange={(event) => onWritten({ ...written, pattern: event.currentTarget.value })}
        />
        <TextInput
          label="Format"
          description="How new timestamps are written, in strftime codes: %Y-%m-%d %H:%M:%S."
          value={written.format}
          error={written.format === '' ? 'Write a format, or lines stay as they are.' : format}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'mono' }}
          onChange={(event) => onWritten({ ...written, format: event.currentTarget.value })}
        />
      </SimpleGrid>
      {error !== null && <ErrorNote title="The pattern cannot be checked" error={error} />}
      {times !== undefined && error === null && <Result times={times} written={written} isCut={isCut} />}
    </Stack>
  );
};

const flawOf = (times: LogTimes | undefined, field: LogTimesFlaw['field']): string | null => {
  const found = times?.flaws.find((one) => one.field === field);
  return found === undefined ? null : flawText(found.message);
};

const Result = ({
  times,
  written,
  isCut,
}: Pick<TimesFormProps, 'written' | 'isCut'> & { readonly times: LogTimes }) => {
  const { checked, lines } = times;
  if (checked === null) return null;
  const differing = checked.matched - (checked.alike ?? checked.matched);
  return (
    <Stack gap={4} aria-live="polite">
      <Text size="sm">
        The pattern matches {shareText(checked.matched, lines, isCut)}. Other lines stay as they are.
      </Text>
      {checked.written !== null && (
        <Text size="sm">
          The format writes <Code className="wrapped">{checked.written}</Code> now, in UTC
          {needsUtc(written.format) && ' (its Z is UTC, so the generator runs in UTC)'}.
        </Text>
      )}
      {differing > 0 && (
        <Text size="sm" className="warned">
          {differing.toLocaleString('en-US')} of the matched timestamps look different from what the format
          writes: tools that read the log may not accept the new ones.
        </Text>
      )}
    </Stack>
  );
};

const KEPT_MS = 60_000;

/** Guesses for a sample. */
export const useGuess = (sample: string) =>
  useQuery({
    queryKey: ['log-times', sample],
    queryFn: () => read({ text: sample }),
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    retry: false,
  });

const DELAY_MS = 300;

/** Tells what a typed pattern and format do with a sample. `written` is null when there is nothing to check. */
export const useCheck = (sample: string, written: WrittenTimes | null) => {
  const [settled] = useDebouncedValue(written, DELAY_MS);
  return useQuery({
    queryKey: ['log-times', sample, settled],
    queryFn: () =>
      read({
        text: sample,
        timestamp_pattern: settled?.pattern ?? '',
        ...(settled?.format ? { timestamp_format: settled.format } : {}),
      }),
    enabled: settled !== null && settled.pattern !== '',
    placeholderData: keepPreviousData,
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    retry: false,
  });
};

const read = async (body: Readonly<Record<string, string>>): Promise<LogTimes> =>
  // The answer is text that the preview has written.
  (await call('guessLogTimestamps', { body })) as unknown as LogTimes;
