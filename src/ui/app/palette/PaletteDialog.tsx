import './palette.css';
import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  AppWindow,
  CircleHelp,
  FileCode,
  Globe,
  History,
  LayoutList,
  type LucideIcon,
  Search,
  Siren,
  Zap,
} from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { useHelpEntries } from '../../pages/help/files.js';
import { ErrorNote, listedWordsOf, tellDone } from '../../parts/notes.js';
import {
  generatorItems,
  groupedItems,
  matchingItems,
  type PaletteItem,
  type PaletteKind,
  pageItem,
  rateItems,
  recentItems,
} from './items.js';

export interface PalettePlace {
  readonly href: string;
  readonly label: string;
}

interface PaletteDialogProps {
  readonly places: readonly PalettePlace[];
  /** Paths of the last pages, the newest first. */
  readonly recent: readonly string[];
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

const Choice = ({ places, recent, onClose }: Omit<PaletteDialogProps, 'isOpen'>) => {
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState(0);
  const [here, go] = useLocation();
  const acting = useAct();
  const { items, generators, error } = useItems(places);
  const first = query.trim() === '' ? recentItems(items, recent, here) : rateItems(query, generators);
  const groups = groupedItems([...first, ...matchingItems(items, query, MAX_SHOWN)].slice(0, MAX_SHOWN));
  const shown = groups.flatMap((group) => group.items);
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
        placeholder="A page, a generator, stop web, set rate of web to 50"
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
        {groups.map(({ kind, items: those }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
          <div key={kind} role="group" aria-label={kind}>
            <div className="palette-kind" aria-hidden>
              {kind}
            </div>
            {those.map((item) => {
              const index = shown.indexOf(item);
              return (
                <Option
                  key={item.id}
                  id={`${LIST}-${index}`}
                  item={item}
                  isSelected={index === selected}
                  onChosen={() => choose(item)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </>
  );
};

interface Offered {
  readonly items: readonly PaletteItem[];
  /** Ids of all generators. */
  readonly generators: readonly string[];
  /** Why a list is missing; null when none is. */
  readonly error: unknown;
}

/** Everything that the palette offers now. */
const useItems = (places: readonly PalettePlace[]): Offered => {
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
      pageItem('Page', 'About', '/about'),
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
  return {
    items,
    generators: (generators.data ?? []).map(({ id }) => id),
    error: lists.find(({ error }) => error !== null)?.error ?? null,
  };
};

const ACTIONS = {
  start: { id: 'startGenerator', done: 'started' },
  stop: { id: 'stopGenerator', done: 'stopped' },
  restart: { id: 'restartGenerator', done: 'restarted' },
} as const;

type Deed = Exclude<PaletteItem['does'], { readonly type: 'go' }>;

/** Acts on one generator and says how it went. */
const useAct = () => {
  const client = useQueryClient();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: async (deed: Deed): Promise<string | null> => {
      if (deed.type === 'act') {
        await call(ACTIONS[deed.action].id, { path: { id: deed.generator } });
        return `${deed.generator} ${ACTIONS[deed.action].done}.`;
      }
      const { setRate } = await import('../../pages/generator/setRate.js');
      return setRate(client, deed.generator, deed.rate);
    },
    onSuccess: (done, { generator }) => {
      if (done === null) go(`/r/${encodeURIComponent(generator)}?show=change`);
      else tellDone(done);
      void client.invalidateQueries();
    },
    onError: (error, deed) =>
      notifications.show({
        title:
          deed.type === 'act'
            ? `${deed.generator} was not ${ACTIONS[deed.action].done}`
            : `The rate of ${deed.generator} was not set`,
        message: listedWordsOf(error),
        color: 'red',
      }),
  });
};

const showSelected = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

const ICONS: Readonly<Record<PaletteKind, LucideIcon>> = {
  Recent: History,
  Page: AppWindow,
  Generator: LayoutList,
  Action: Zap,
  Scenario: Globe,
  Incident: Siren,
  Workbench: FileCode,
  Help: CircleHelp,
};

interface OptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isSelected: boolean;
  readonly onChosen: () => void;
}

/** The focus stays in the field, which names the selected option. */
const Option = ({ id, item: { label, kind }, isSelected, onChosen }: OptionProps) => {
  const Icon = ICONS[kind];
  return (
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
      <Icon size={16} />
      <Text size="sm" truncate>
        {label}
      </Text>
    </UnstyledButton>
  );
};
