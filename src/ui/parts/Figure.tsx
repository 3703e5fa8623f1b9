import './figure.css';
import { Paper, Text } from '@mantine/core';

interface FigureProps {
  readonly label: string;
  readonly value: string;
  /** Follows the value in small letters. */
  readonly note?: string;
  readonly color?: string;
  readonly title?: string;
}

/** A number with its name; several stand in an element of the class `figures`. */
export const Figure = ({ label, value, note, color, title }: FigureProps) => (
  <Paper withBorder {...(title === undefined ? {} : { title })}>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text size="xl" fw={600} className="figure" {...(color === undefined ? {} : { c: color })}>
      {value}
      {note !== undefined && (
        <Text span size="sm" fw={400} c="dimmed">
          {' '}
          {note}
        </Text>
      )}
    </Text>
  </Paper>
);
