import { Box, Text } from '@mantine/core';
import type { LogTimesLine } from '../../../domain/logTimes.js';
import { partsOf } from './sample.js';

interface LogLinesProps {
  readonly lines: readonly LogTimesLine[];
  /** Whether timestamps were searched for. */
  readonly isMarked: boolean;
}

/** Lines of a log with their timestamps marked. */
export const LogLines = ({ lines, isMarked }: LogLinesProps) => (
  <Box component="section" className="log-lines" aria-label="Lines of the log" tabIndex={0}>
    {lines.map(({ number, text, start, end }) => (
      <div key={number} className={isMarked && start === null ? 'log-line unmatched' : 'log-line'}>
        <span className="log-number">{number}</span>
        <span className="log-text">
          {partsOf(text, start, end).map((part) =>
            part.isMatch ? <mark key="match">{part.text}</mark> : part.text,
          )}
          {isMarked && start === null && (
            <Text component="span" size="xs" ms="sm" className="log-none">
              no timestamp
            </Text>
          )}
        </span>
      </div>
    ))}
  </Box>
);
