import './figure.css';
import { Paper, Text } from '@mantine/core';

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly color?: string;
  readonly title?: string;
}

/** A number with its name; several stand in an element of the class `figures`. */
export const Figure = ({ label, value, color, title }: FigureProps) => (
  <Paper withBorder {...(title === undefined ? {} : { title })}>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text size="xl" fw={600} className="figure" {...(color === undefined ? {} : { c: color })}>
      {value}
    </Text>
  </Paper>
);
