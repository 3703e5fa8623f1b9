import { Button, Group } from '@mantine/core';
import type { FileProblem } from '../problemPlaces.js';

/** Buttons that lead to the lines with problems. */
export const Places = ({
  problems,
  onGo,
}: {
  readonly problems: readonly FileProblem[];
  readonly onGo: (problem: FileProblem) => void;
}) => {
  const places = new Map(problems.map((one) => [`${one.path}, line ${one.line}`, one]));
  if (places.size === 0) return null;
  return (
    <Group gap="xs">
      {[...places].slice(0, 5).map(([label, problem]) => (
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
