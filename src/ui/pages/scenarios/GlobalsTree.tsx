import {
  ActionIcon,
  Box,
  Button,
  Group,
  Menu,
  Modal,
  Stack,
  Text,
  Textarea,
  UnstyledButton,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Braces, ChevronDown, ChevronRight, EllipsisVertical, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Json, JsonObject } from '../../../domain/json.js';
import { listedWordsOf, tellError } from '../../parts/notes.js';
import type { GlobalEdit, GlobalPath } from './edits.js';
import type { KeyUsage, Usage, UsageLocation } from './membership.js';
import { ValueEditor } from './ValueEditors.js';
import { childValuesOf, isTree, valueSummaryOf } from './values.js';

/** Rows of a list or object that show at first. */
const FIRST_ROWS = 100;

interface NodeProps {
  readonly path: GlobalPath;
  readonly value: Json;
  readonly usage: Usage;
  readonly onEdit: (edit: GlobalEdit) => Promise<void>;
}

const pathText = (path: GlobalPath): string => path.join(' › ');

/** Removes a value and offers to bring it back. */
const remove = async ({ path, value, onEdit }: NodeProps): Promise<void> => {
  try {
    await onEdit({ path });
  } catch (error) {
    return tellError(`${pathText(path)} was not removed`, error);
  }
  // An item of a list would come back in place of the one that followed it.
  if (typeof path.at(-1) === 'number') return;
  const id = notifications.show({
    message: (
      <Group justify="space-between">
        <span>{pathText(path)} is removed.</span>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            onEdit({ path, value }).catch((error: unknown) => tellError('It was not restored', error));
          }}
        >
          Undo
        </Button>
      </Group>
    ),
    autoClose: 10_000,
  });
};

const NodeMenu = (props: NodeProps) => {
  const { path, value, onEdit } = props;
  const [isEditing, setEditing] = useState(false);
  const name = pathText(path);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions of ${name}`}>
            <EllipsisVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Braces size={16} />} onClick={() => setEditing(true)}>
            Edit as JSON
          </Menu.Item>
          <Menu.Item leftSection={<Trash2 size={16} />} onClick={() => void remove(props)}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEditing && (
        <JsonEditor
          title={name}
          value={value}
          onSave={(next) => onEdit({ path, value: next })}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
};

const Key = ({ path, value, isOpen, onToggle }: Pick<NodeProps, 'path' | 'value'> & Toggle) => {
  const key = path.at(-1);
  const text = (
    <Text size="sm" fw={path.length === 1 ? 600 : 400} ff="monospace" truncate title={String(key)}>
      {typeof key === 'number' ? `[${key}]` : key}
    </Text>
  );
  if (!isTree(value)) return <Box pl={20}>{text}</Box>;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <UnstyledButton onClick={onToggle} aria-expanded={isOpen} aria-label={pathText(path)} maw="100%">
      <Group gap={4} wrap="nowrap">
        <Chevron size={16} />
        {text}
      </Group>
    </UnstyledButton>
  );
};

interface Toggle {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

const Node = (props: NodeProps) => {
  const { path, value, usage, onEdit } = props;
  const [isOpen, setOpen] = useState(false);
  const used = path.length === 1 ? usage.keys.get(path[0]) : undefined;
  const name = pathText(path);
  const change = (next: Json): Promise<void> => onEdit({ path, value: next });
  const changeAndTell = (next: Json): Promise<void> =>
    change(next).catch((error: unknown) => {
      tellError(`${name} keeps its value`, error);
      throw error;
    });
  return (
    <Box component="li" py={4}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Box w={{ base: 120, sm: 220 }} pt={4} miw={0}>
          <Key path={path} value={value} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        </Box>
        <Box flex={1} miw={0} pt={isTree(value) ? 4 : 0}>
          {isTree(value) ? (
            <Text size="sm">{valueSummaryOf(value)}</Text>
          ) : (
            <ValueEditor
              value={value}
              label={name}
              onChange={typeof value === 'boolean' ? changeAndTell : change}
            />
          )}
          {used !== undefined && <UsageNote usage={used} />}
        </Box>
        <NodeMenu {...props} />
      </Group>
      {isTree(value) && isOpen && (
        <Box pl={{ base: 8, sm: 20 }}>
          <Nodes value={value} path={path} usage={usage} onEdit={onEdit} />
        </Box>
      )}
    </Box>
  );
};

interface NodesProps {
  readonly value: Json;
  readonly path: readonly (string | number)[];
  readonly usage: Usage;
  readonly onEdit: (edit: GlobalEdit) => Promise<void>;
}

const under = ([first, ...rest]: readonly (string | number)[], key: string | number): GlobalPath =>
  first === undefined ? [String(key)] : [String(first), ...rest, key];

const Nodes = ({ value, path, usage, onEdit }: NodesProps) => {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const children = childValuesOf(value);
  const rest = children.length - limit;
  return (
    <>
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {children.slice(0, limit).map(([key, one]) => (
          <Node key={key} path={under(path, key)} value={one} usage={usage} onEdit={onEdit} />
        ))}
      </Box>
      {rest > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setLimit(limit + 10 * FIRST_ROWS)}>
          Show {Math.min(rest, 10 * FIRST_ROWS).toLocaleString('en-US')} more
        </Button>
      )}
    </>
  );
};

interface GlobalsTreeProps {
  readonly globals: JsonObject;
  /** Text that keys must contain. */
  readonly filter: string;
  readonly usage: Usage;
  readonly onEdit: (edit: GlobalEdit) => Promise<void>;
}

/** The globals, each value with an editor. */
export const GlobalsTree = ({ globals, filter, usage, onEdit }: GlobalsTreeProps) => {
  const wanted = filter.trim().toLowerCase();
  const shown = Object.fromEntries(
    Object.entries(globals)
      .filter(([key]) => key.toLowerCase().includes(wanted))
      .sort(([a], [b]) => a.localeCompare(b)),
  );
  if (Object.keys(shown).length === 0) {
    return <Text size="sm">{wanted === '' ? 'No global is set.' : 'No key matches the filter.'}</Text>;
  }
  return <Nodes value={shown} path={[]} usage={usage} onEdit={onEdit} />;
};

const MAX_LOCATIONS = 3;

const locationsText = (locations: readonly UsageLocation[]): string => {
  const named = locations.slice(0, MAX_LOCATIONS).map(({ member, template }) => `${member} (${template})`);
  const rest = locations.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
};

/** Which templates write and read a key. */
const UsageNote = ({ usage: { writes, reads } }: { readonly usage: KeyUsage }) => (
  <>
    {writes.length > 0 && (
      <Text size="xs" className="wrapped">
        Written by {locationsText(writes)}
      </Text>
    )}
    {reads.length > 0 && (
      <Text size="xs" className="wrapped">
        Read by {locationsText(reads)}
      </Text>
    )}
  </>
);

interface JsonEditorProps {
  readonly title: string;
  readonly value: Json;
  readonly onSave: (value: Json) => Promise<void>;
  readonly onClose: () => void;
}

/** Edits a value of any type as JSON. */
const JsonEditor = ({ title, value, onSave, onClose }: JsonEditorProps) => {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const save = (): void => {
    let next: Json;
    try {
      next = JSON.parse(text) as Json;
    } catch (failed) {
      return setError(`This is not JSON: ${failed instanceof Error ? failed.message : ''}`);
    }
    setSaving(true);
    void onSave(next)
      .then(onClose, (failed: unknown) => setError(listedWordsOf(failed)))
      .finally(() => setSaving(false));
  };
  return (
    <Modal opened onClose={onClose} title={title} size="lg" centered>
      <Stack>
        <Textarea
          label="JSON"
          autosize
          minRows={6}
          maxRows={24}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(null);
          }}
          error={error}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          data-autofocus
          spellCheck={false}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={save} loading={isSaving}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
