import './palette.css';
import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { useHelpEntries } from '../../pages/help/files.js';
import { ErrorNote, listedWordsOf, tellDone } from '../../parts/notes.js';
import { generatorItems, matchingItems, type PaletteAction, type PaletteItem, pageItem } from './items.js';

export interface PalettePlace {
  readonly href: string;
  readonly label: string;
}

interface PaletteDialogProps {
  readonly places: readonly PalettePlace[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Goes anywhere and starts or stops generators from the keyboard. */
export default function PaletteDialog({ isOpen, ...rest }: PaletteDialogProps) {
  return (
    <Modal.Root opened={isOpen} onClose={rest.onClose} yOffset="10vh" size="lg">
      <Modal.Overlay />
      <Modal.Content aria-label="Command palette">
        <Modal.Body p="xs">
          <Choice {...rest} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

const MAX_SHOWN = 50;

const LIST = 'palette-results';

const Choice = ({ places, onClose }: Omit<PaletteDialogProps, 'isOpen'>) => {
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState(0);
  const [, go] = useLocation();
  const acting = useAct();
  const { items, error } = useItems(places);
  const shown = matchingItems(items, query, MAX_SHOWN);
  const choose = (item: PaletteItem | undefined): void => {
    if (item === undefined) return;
    onClose();
    if (item.does.type === 'go') go(item.does.href);
    else acting.mutate(item.does);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (by === undefined) choose(shown[selected]);
    else setSelected((shown.length + selected + by) % Math.max(1, shown.length));
  };
  return (
    <>
      <TextInput
        role="combobox"
        aria-label="Go to a page or act on a generator"
        aria-expanded
        aria-controls={LIST}
        aria-activedescendant={`${LIST}-${selected}`}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder="Page, generator, help, or start, stop, restart"
        leftSection={<Search size={16} />}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      {error !== null && error !== undefined && <ErrorNote title="Not everything is listed" error={error} />}
      {shown.length === 0 && (
        <Text size="sm" p="sm" role="status">
          Nothing has all of these words.
        </Text>
      )}
      <div role="listbox" id={LIST} aria-label="Results" className="palette">
        {shown.map((item, index) => (
          <Option
            key={item.id}
            id={`${LIST}-${index}`}
            item={item}
            isSelected={index === selected}
            onChosen={() => choose(item)}
          />
        ))}
      </div>
    </>
  );
};

/** Everything that the palette offers now; `error`: of a list that is missing. */
const useItems = (
  places: readonly PalettePlace[],
): { readonly items: readonly PaletteItem[]; readonly error: unknown } => {
  const live = useLive();
  const generators = useQuery({ queryKey: ['palette', 'generators'], queryFn: () => call('listGenerators') });
  const configs = useQuery({ queryKey: ['palette', 'configs'], queryFn: () => call('listGeneratorConfigs') });
  const scenarios = useQuery({ queryKey: ['palette', 'scenarios'], queryFn: () => call('listScenarios') });
  const incidents = useQuery({ queryKey: ['palette', 'incidents'], queryFn: () => call('listIncidents') });
  const help = useHelpEntries();
  const items = useMemo(
    () => [
      ...places.map(({ href, label }) => pageItem('Page', label, href)),
      pageItem('Page', 'New generator', '/new'),
      ...(generators.data ?? []).flatMap(({ id, status }) =>
        generatorItems(id, live.generators.get(id)?.phase ?? status.phase),
      ),
      ...(scenarios.data ?? []).map((name) => pageItem('Scenario', name, `/s/${encodeURIComponent(name)}`)),
      ...(incidents.data ?? []).map(({ name }) =>
        pageItem('Incident', name, `/incidents/${encodeURIComponent(name)}`),
      ),
      ...(configs.data ?? []).map((config) => {
        const name = typeof config === 'string' ? config : config.name;
        return pageItem('Workbench', `Edit ${name}`, `/g/${encodeURIComponent(name)}`);
      }),
      ...(help.data ?? []).map(({ name, title }) => pageItem('Help', title, `/help/${name}`)),
    ],
    [places, live.generators, generators.data, scenarios.data, incidents.data, configs.data, help.data],
  );
  const lists = [generators, configs, scenarios, incidents, help];
  return { items, error: lists.find(({ error }) => error !== null)?.error ?? null };
};

const ACTIONS = {
  start: { id: 'startGenerator', done: 'started' },
  stop: { id: 'stopGenerator', done: 'stopped' },
  restart: { id: 'restartGenerator', done: 'restarted' },
} as const;

/** Acts on one generator and says how it went. */
const useAct = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ action, generator }: { readonly action: PaletteAction; readonly generator: string }) =>
      call(ACTIONS[action].id, { path: { id: generator } }),
    onSuccess: (_, { action, generator }) => {
      tellDone(`${generator} ${ACTIONS[action].done}.`);
      void client.invalidateQueries();
    },
    onError: (error, { action, generator }) =>
      notifications.show({
        title: `${generator} was not ${ACTIONS[action].done}`,
        message: listedWordsOf(error),
        color: 'red',
      }),
  });
};

const showSelected = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

interface OptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isSelected: boolean;
  readonly onChosen: () => void;
}

/** The focus stays in the field, which names the selected option. */
const Option = ({ id, item: { label, kind }, isSelected, onChosen }: OptionProps) => (
  <UnstyledButton
    id={id}
    role="option"
    aria-selected={isSelected}
    tabIndex={-1}
    className="palette-option"
    onMouseDown={(event) => event.preventDefault()}
    onClick={onChosen}
    {...(isSelected ? { ref: showSelected } : {})}
  >
    <Text size="sm" truncate>
      {label}
    </Text>
    <Text size="xs" className="palette-kind">
      {kind}
    </Text>
  </UnstyledButton>
);
