import { Button, Group, UnstyledButton } from '@mantine/core';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { LineProblem } from './configCheck.js';
import { countedProblems, type FileProblem } from './problemLocations.js';

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
      {countedProblems(problems)
        .slice(0, MAX_SHOWN)
        .map(([key, problem, count]) => (
          <li key={key}>
            <UnstyledButton className="problem" onClick={() => onGo(problem)}>
              {problem.severity === 'error' ? (
                <CircleAlert size={14} color="var(--mantine-color-red-filled)" aria-label="error" />
              ) : (
                <TriangleAlert size={14} color="var(--mantine-color-orange-filled)" aria-label="warning" />
              )}
              <b>Line {problem.line}</b>
              <span>
                {problem.message}
                {count > 1 && ` (${count} times)`}
              </span>
            </UnstyledButton>
          </li>
        ))}
    </ul>
  );
};

/** Buttons that lead to the lines with problems. */
export const Locations = ({
  problems,
  onGo,
}: {
  readonly problems: readonly FileProblem[];
  readonly onGo: (problem: FileProblem) => void;
}) => {
  const locations = new Map(problems.map((one) => [`${one.path}, line ${one.line}`, one]));
  if (locations.size === 0) return null;
  return (
    <Group gap="xs">
      {[...locations].slice(0, 5).map(([label, problem]) => (
        <Button
          key={label}
          variant="default"
          size="compact-sm"
          className="long-label"
          title={`Go to ${label}`}
          onClick={() => onGo(problem)}
        >
          Go to {label}
        </Button>
      ))}
    </Group>
  );
};
