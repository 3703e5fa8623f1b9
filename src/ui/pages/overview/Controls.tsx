import { Button, CloseButton, Group, Modal, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Play, RotateCw, Search, Square, Trash2 } from 'lucide-react';
import { type Action, useAction } from '../../parts/generatorActions.js';
import { counted } from '../../parts/numbers.js';
import { LOOKS } from '../../parts/phases.js';
import { RemoveDialog } from '../../parts/RemoveDialog.js';
import type { Row, ViewOfRows } from './rows.js';

interface FilterProps {
  readonly rows: readonly Row[];
  readonly view: ViewOfRows;
  readonly onView: (view: ViewOfRows) => void;
}

/** Which generators the table shows. */
export const Filter = ({ rows, view, onView }: FilterProps) => {
  const phases = [
    ...new Set([...rows.map(({ phase }) => phase), ...(view.phase === null ? [] : [view.phase])]),
  ];
  return (
    <Group gap="sm">
      <TextInput
        aria-label="Filter by id, path, node or scenario"
        placeholder="Filter"
        leftSection={<Search size={16} />}
        rightSection={
          view.filter === '' ? null : (
            <CloseButton
              size="sm"
              aria-label="Clear the filter"
              onClick={() => onView({ ...view, filter: '' })}
            />
          )
        }
        value={view.filter}
        onChange={(event) => onView({ ...view, filter: event.currentTarget.value })}
      />
      <Select
        aria-label="Filter by state"
        placeholder="All states"
        clearable
        clearButtonProps={{ 'aria-label': 'Show all states' }}
        data={phases
          .map((value) => ({ value, label: LOOKS[value].word }))
          .toSorted((a, b) => a.label.localeCompare(b.label))}
        value={view.phase}
        onChange={(phase) => onView({ ...view, phase: phase })}
      />
    </Group>
  );
};

interface ActionsProps {
  /** What the actions are for: the chosen rows, or all that are shown. */
  readonly targets: readonly Row[];
  readonly chosen: number;
  readonly onClear: () => void;
}

/** Actions on the chosen generators, or on all that are shown. */
export const Actions = ({ targets, chosen, onClear }: ActionsProps) => {
  const [isStopping, stopping] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const acting = useAction();
  const act = (action: Action): void => acting.mutate({ action, ids: targets.map(({ id }) => id) });
  const isBusy = (action: Action): boolean => acting.isPending && acting.variables.action === action;
  const isNone = targets.length === 0;
  const common = { variant: 'default', disabled: isNone } as const;
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {chosen > 0 ? `${counted(chosen, 'generator')} chosen` : `All ${targets.length} shown`}
      </Text>
      {chosen > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          Clear
        </Button>
      )}
      <Button
        {...common}
        leftSection={<Play size={16} />}
        onClick={() => act('start')}
        loading={isBusy('start')}
      >
        Start
      </Button>
      <Button
        {...common}
        leftSection={<RotateCw size={16} />}
        onClick={() => act('restart')}
        loading={isBusy('restart')}
      >
        Restart
      </Button>
      <Button {...common} leftSection={<Square size={16} />} onClick={stopping.open} loading={isBusy('stop')}>
        Stop
      </Button>
      <Button {...common} leftSection={<Trash2 size={16} />} onClick={removing.open}>
        Delete
      </Button>
      <Modal
        opened={isStopping}
        onClose={stopping.close}
        title={`Stop ${counted(targets.length, 'generator')}?`}
        centered
      >
        <Text size="sm">They deliver what is in flight first. Start them again at any time.</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={stopping.close} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            onClick={() => {
              stopping.close();
              act('stop');
            }}
          >
            Stop
          </Button>
        </Group>
      </Modal>
      <RemoveDialog generators={targets} isOpen={isRemoving} onClose={removing.close} onRemoved={onClear} />
    </Group>
  );
};
