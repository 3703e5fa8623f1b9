import { Button, CloseButton, Group, Menu, Select, Text, TextInput } from '@mantine/core';
import { ChevronDown, Play, RotateCw, Search, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Needs } from '../../app/role.js';
import { RemoveDialog, useAction } from '../../parts/generatorActions.js';
import { counted, shownCount } from '../../parts/numbers.js';
import { LOOKS } from '../../parts/phases.js';
import { BulkQuestion } from '../../parts/Questions.js';
import type { OverviewRow, ViewOfRows } from './rows.js';
import { type BulkAction, targetsOf, WORDS } from './selection.js';

interface FilterProps {
  readonly rows: readonly OverviewRow[];
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
        w={180}
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
        w={160}
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

interface Asked {
  readonly action: BulkAction;
  readonly targets: readonly OverviewRow[];
}

const BUTTONS = [
  { action: 'start', operation: 'startGenerators', Icon: Play },
  { action: 'restart', operation: 'restartGenerators', Icon: RotateCw },
  { action: 'stop', operation: 'stopGenerators', Icon: Square },
  { action: 'delete', operation: 'removeGenerators', Icon: Trash2 },
] as const;

/** The question of an action on several generators; Start asks only about all that are shown. */
const useBulk = (onRemoved: () => void) => {
  const acting = useAction();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const act = ({ action, targets }: Asked): void => {
    close();
    if (action !== 'delete') acting.mutate({ action, ids: targets.map(({ id }) => id) });
  };
  const question =
    asked === null || asked.action === 'delete' ? (
      <RemoveDialog
        generators={asked?.targets ?? []}
        isOpen={asked !== null}
        onClose={close}
        onRemoved={onRemoved}
      />
    ) : (
      <BulkQuestion
        verb={WORDS[asked.action].verb}
        ids={asked.targets.map(({ id }) => id)}
        text={WORDS[asked.action].text}
        color={asked.action === 'start' ? 'teal' : 'red'}
        isOpen
        onYes={() => act(asked)}
        onClose={close}
      />
    );
  const isBusy = (action: BulkAction): boolean => acting.isPending && acting.variables.action === action;
  return { ask: setAsked, act, question, isBusy };
};

interface ActionsProps {
  readonly shown: readonly OverviewRow[];
  readonly chosen: readonly OverviewRow[];
  readonly onClear: () => void;
}

/** Actions on the chosen generators. Without a choice there is only a menu, whose items ask about all that are shown. */
export const BulkActions = ({ shown, chosen, onClear }: ActionsProps) => {
  const { ask, act, question, isBusy } = useBulk(onClear);
  if (chosen.length === 0)
    return (
      <>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<ChevronDown size={16} />} disabled={shown.length === 0}>
              All {shownCount(shown.length)} shown
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {BUTTONS.map(({ action, operation, Icon }) => {
              const targets = targetsOf(action, shown);
              return (
                <Needs key={action} to={operation}>
                  <Menu.Item
                    leftSection={<Icon size={16} />}
                    disabled={targets.length === 0}
                    onClick={() => ask({ action, targets })}
                  >
                    {WORDS[action].verb} {WORDS[action].which(targets.length)}…
                  </Menu.Item>
                </Needs>
              );
            })}
          </Menu.Dropdown>
        </Menu>
        {question}
      </>
    );
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {counted(chosen.length, 'generator')} chosen
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        Clear
      </Button>
      {BUTTONS.map(({ action, operation, Icon }) => {
        const targets = targetsOf(action, chosen);
        return (
          <Needs key={action} to={operation}>
            <Button
              variant="default"
              leftSection={<Icon size={16} />}
              disabled={targets.length === 0}
              title={`${WORDS[action].verb} ${WORDS[action].which(targets.length)}`}
              loading={isBusy(action)}
              onClick={() => (action === 'start' ? act({ action, targets }) : ask({ action, targets }))}
            >
              {WORDS[action].verb}
            </Button>
          </Needs>
        );
      })}
      {question}
    </Group>
  );
};
