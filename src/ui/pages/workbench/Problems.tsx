import { Button, Group, UnstyledButton } from '@mantine/core';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { shownCount } from '../../parts/numbers.js';
import type { LineProblem } from './configCheck.js';
import { type CountedProblem, countedProblems, type FileProblem } from './problemLocations.js';

const MAX_SHOWN = 20;

interface ProblemsProps {
  readonly problems: readonly LineProblem[];
  readonly onGo: (problem: LineProblem) => void;
}

/** One problem. A click leads to its first place, the next one to the next. */
const Problem = ({ problem, onGo }: Pick<ProblemsProps, 'onGo'> & { readonly problem: CountedProblem }) => {
  const { message, severity, count, places } = problem;
  const [visited, setVisited] = useState<number | null>(null);
  const here = visited === null ? null : Math.min(visited, places.length - 1);
  const shown = places[here ?? 0];
  const others = places.length - 1;
  const go = (): void => {
    const next = here === null ? 0 : (here + 1) % places.length;
    const place = places[next];
    setVisited(next);
    if (place !== undefined) onGo(place);
  };
  return (
    <UnstyledButton
      className="problem"
      onClick={go}
      title={others === 0 ? undefined : 'Go to the first place; once more for the next one'}
    >
      {severity === 'error' ? (
        <CircleAlert size={14} color="var(--mantine-color-red-filled)" aria-label="error" />
      ) : (
        <TriangleAlert size={14} color="var(--mantine-color-orange-filled)" aria-label="warning" />
      )}
      <b>
        Line {shown?.line}
        {others > 0 && (here === null ? ` and ${others} more` : ` (${here + 1} of ${places.length})`)}
      </b>
      <span>
        {message}
        {count > places.length && ` (${shownCount(count)} times)`}
      </span>
    </UnstyledButton>
  );
};

/** The problems of the open file in words, each once; they lead to their lines. */
export const Problems = ({ problems, onGo }: ProblemsProps) => {
  if (problems.length === 0) return null;
  return (
    <ul className="problems" aria-label="Problems" aria-live="polite">
      {countedProblems(problems)
        .slice(0, MAX_SHOWN)
        .map((problem) => (
          <li key={problem.key}>
            <Problem problem={problem} onGo={onGo} />
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
