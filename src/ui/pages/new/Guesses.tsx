import { Badge, Code, Group, Radio, Stack, Text } from '@mantine/core';
import type { LogTimesCandidate } from '../../../domain/logTimes.js';
import { shareText } from './sample.js';
import type { WrittenTimes } from './useLogTimes.js';

interface GuessesProps {
  readonly candidates: readonly LogTimesCandidate[];
  readonly lines: number;
  /** The lines are the beginning of a longer log. */
  readonly isCut: boolean;
  /** The chosen pattern and format. Null when the lines stay unchanged. */
  readonly written: WrittenTimes | null;
  readonly onWritten: (written: WrittenTimes | null) => void;
}

const UNCHANGED = 'unchanged';
const OWN = 'own';

/** Where the timestamps may be: one is chosen. */
export const Guesses = ({ candidates, lines, isCut, written, onWritten }: GuessesProps) => {
  const place = candidates.findIndex(
    (one) => one.timestamp_pattern === written?.pattern && one.timestamp_format === written.format,
  );
  const value = written === null ? UNCHANGED : place === -1 ? OWN : String(place);
  const choose = (chosen: string): void => {
    const candidate = candidates[Number(chosen)];
    if (candidate !== undefined)
      onWritten({ pattern: candidate.timestamp_pattern, format: candidate.timestamp_format });
    else if (chosen === UNCHANGED) onWritten(null);
    else onWritten({ pattern: written?.pattern ?? '(?P<timestamp>)', format: written?.format ?? '' });
  };
  return (
    <Radio.Group label="Which timestamp is the time of the event?" value={value} onChange={choose}>
      <Stack gap="xs" mt="xs">
        {candidates.map((one, index) => (
          <Radio
            key={one.timestamp_pattern}
            value={String(index)}
            label={
              <Group gap="xs" component="span">
                <Code className="wrapped">{one.example}</Code>
                <Badge variant="light" color={one.matched === lines ? 'teal' : 'gray'} component="span">
                  {shareText(one.matched, lines, isCut)}
                </Badge>
              </Group>
            }
            description={`${one.name}.`}
          />
        ))}
        <Radio value={OWN} label="Another one" description="Write the pattern and the format below." />
        <Radio
          value={UNCHANGED}
          label="None: leave the lines as they are"
          description="The events have the old timestamps of the log."
        />
      </Stack>
      {candidates.length === 0 && (
        <Text size="sm" mt="xs">
          No timestamp of a known kind is in these lines.
        </Text>
      )}
    </Radio.Group>
  );
};
