import { ActionIcon, Badge, Group, Text, Title } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { jsonEqual } from '../../config/values.js';
import { type ControlProps, useForm } from './context.js';
import { type Control, isField } from './control.js';
import { valueAt } from './document.js';

interface FieldTitleProps extends Pick<ControlProps, 'place' | 'shape'> {
  readonly kind: Control['kind'];
  readonly children: ReactNode;
}

const Name = ({ place, isSection }: Pick<FieldTitleProps, 'place'> & { readonly isSection: boolean }) => {
  const name = place.at(-1);
  const text = typeof name === 'number' ? `${name + 1}.` : name;
  if (isSection) {
    return (
      <Title order={2} size="h4">
        {text}
      </Title>
    );
  }
  return (
    <Text component="span" fw={600} size="sm" className="wrapped">
      {text}
    </Text>
  );
};

/** The name of a field, whether it is changed, and the way back. */
export const FieldTitle = ({ place, shape, kind, children }: FieldTitleProps) => {
  const { base, value, onChange, noteOf } = useForm();
  const before = valueAt(base, place);
  const isGroup = kind === 'group';
  const isRequired = isField(shape) && shape.presence === 'required';
  const isChanged = !isGroup && !jsonEqual(before, valueAt(value, place));
  return (
    <Group gap="xs" mih={28}>
      <Name place={place} isSection={isGroup && isRequired && place.length === 1} />
      {!isGroup && isRequired && <Text size="xs">required</Text>}
      {noteOf?.(place)}
      {isChanged && (
        <>
          <Badge variant="outline" color="gray" size="sm">
            changed
          </Badge>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Restore ${place.join(' ')}`}
            onClick={() => onChange(place, before)}
          >
            <RotateCcw size={14} />
          </ActionIcon>
        </>
      )}
      {children}
    </Group>
  );
};
