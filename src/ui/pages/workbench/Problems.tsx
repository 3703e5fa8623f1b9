import { UnstyledButton } from '@mantine/core';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { LineProblem } from './configCheck.js';

const MAX_SHOWN = 20;

/** The problems of the open file in words; each leads to its line. */
export const Problems = ({
  problems,
  onGo,
}: {
  readonly problems: readonly LineProblem[];
  readonly onGo: (problem: LineProblem) => void;
}) => {
  if (problems.length === 0) return null;
  return (
    <ul className="problems" aria-label="Problems" aria-live="polite">
      {problems.slice(0, MAX_SHOWN).map((problem) => (
        <li key={`${problem.line}:${problem.column}:${problem.message}`}>
          <UnstyledButton className="problem" onClick={() => onGo(problem)}>
            {problem.severity === 'error' ? (
              <CircleAlert size={14} color="var(--mantine-color-red-filled)" aria-label="error" />
            ) : (
              <TriangleAlert size={14} color="var(--mantine-color-orange-filled)" aria-label="warning" />
            )}
            <b>Line {problem.line}</b>
            <span>{problem.message}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
};
