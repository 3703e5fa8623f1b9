import { Box, SimpleGrid } from '@mantine/core';
import { type ControlProps, type FieldNodeProps, useForm } from './context.js';
import { type Control, controlFor, isField } from './control.js';
import { valueAt } from './document.js';
import { FieldTitle } from './FieldTitle.js';
import { fallbackOf } from './fallback.js';
import { Help } from './Help.js';
import { KindControl } from './KindControl.js';
import { ListControl } from './ListControl.js';
import { MapControl } from './MapControl.js';
import { NestedGroup } from './NestedGroup.js';
import { ScalarControl } from './ScalarControl.js';
import { helpOf } from './texts.js';

const SCALAR_KINDS: ReadonlySet<Control['kind']> = new Set([
  'switch',
  'choice',
  'number',
  'text',
  'loose',
  'json',
]);

const controls = {
  list: ListControl,
  map: MapControl,
  oneKey: KindControl,
  tagged: KindControl,
  group: NestedGroup,
} as const;

/** A value with its name, help, control and errors. */
export const FieldNode = ({ place, shape, around, actions }: FieldNodeProps) => {
  const { value: root, defaults } = useForm();
  const value = valueAt(root, place);
  const fallback = fallbackOf(shape, place, { value: root, defaults, around });
  const control = controlFor(shape, value);
  const help = isField(shape) ? helpOf(shape) : '';
  const props: ControlProps = { place, shape, value, fallback, label: place.join(' ') };
  const Parts = SCALAR_KINDS.has(control.kind) ? null : controls[control.kind as keyof typeof controls];
  const title = (
    <>
      <FieldTitle place={place} shape={shape} kind={control.kind}>
        {actions}
      </FieldTitle>
      {help !== '' && <Help text={help} />}
    </>
  );
  if (Parts !== null) {
    return (
      <Box>
        {title}
        <Parts {...props} control={control as never} />
      </Box>
    );
  }
  return (
    <SimpleGrid type="container" cols={{ base: 1, '40rem': 2 }} spacing="xl" verticalSpacing={4}>
      <Box>{title}</Box>
      <Box pt={{ base: 0, md: 4 }}>
        <ScalarControl {...props} control={control} />
      </Box>
    </SimpleGrid>
  );
};
