import './figure.css';
import { Paper, Text } from '@mantine/core';

interface FigureProps {
  readonly label: string;
  readonly value: string;
  /** Follows the value in small letters. */
  readonly note?: string;
  readonly color?: string;
  readonly title?: string;
  /** Makes the figure a button that is down while `isOn`. */
  readonly onToggle?: () => void;
  readonly isOn?: boolean;
}

/** A number with its name; several stand in an element of the class `figures`. */
export const Figure = ({ label, value, note, color, title, onToggle, isOn = false }: FigureProps) => (
  <Paper
    withBorder
    {...(title === undefined ? {} : { title })}
    {...(onToggle === undefined
      ? {}
      : { component: 'button', type: 'button', onClick: onToggle, 'aria-pressed': isOn })}
  >
    <Text span display="block" size="xs" c="dimmed">
      {label}
    </Text>
    <Text
      span
      display="block"
      size="xl"
      fw={600}
      className="figure"
      {...(color === undefined ? {} : { c: color })}
    >
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
