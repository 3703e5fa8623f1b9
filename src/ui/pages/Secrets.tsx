import {
  ActionIcon,
  Button,
  Checkbox,
  Code,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Search, Trash2 } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, type RefObject, useRef, useState } from 'react';
import { checkSecretName, checkSecretValue } from '../../domain/secrets.js';
import { call } from '../api/client.js';
import { Needs } from '../app/role.js';
import { ErrorNote, tellDone } from '../parts/notes.js';
import { shownCount } from '../parts/numbers.js';
import { Question, RenameDialog } from '../parts/Questions.js';

/** Rows that show at first. */
const FIRST_ROWS = 200;

const usersText = (files: readonly { readonly file: string }[]): string =>
  files.length === 0
    ? 'No config, startup list or setting uses it.'
    : `Used by ${files.map(({ file }) => file).join(', ')}: what needs it fails at the next start.`;

const useReferences = (name: string | null) =>
  useQuery({
    queryKey: ['secrets', name, 'references'],
    queryFn: () => call('listSecretReferences', { path: { name: name ?? '' } }),
    enabled: name !== null,
  });

/** Renames a secret, and one that files use only when it is told to. */
const RenameSecret = ({ name, onClose }: { readonly name: string | null; readonly onClose: () => void }) => {
  const users = useReferences(name).data ?? [];
  const [force, setForce] = useState(false);
  return (
    <RenameDialog
      name={name ?? ''}
      isOpen={name !== null}
      check={checkSecretName}
      rename={(to) => call('renameSecret', { path: { name: name ?? '' }, query: { to, force } })}
      onClose={() => {
        setForce(false);
        onClose();
      }}
    >
      {users.length > 0 && (
        <Checkbox
          label={`Rename it although ${users.map(({ file }) => file).join(', ')} will not find it any more`}
          checked={force}
          onChange={(event) => setForce(event.currentTarget.checked)}
        />
      )}
    </RenameDialog>
  );
};

/** Names of the keyring; values are set and never shown. */
const Secrets = () => {
  const client = useQueryClient();
  const list = useQuery({ queryKey: ['secrets'], queryFn: () => call('listSecrets') });
  const [name, setName] = useState('');
  const [doomed, setDoomed] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState(FIRST_ROWS);
  const value = useRef<HTMLInputElement>(null);
  const deleting = useMutation({
    mutationFn: (secret: string) => call('deleteSecret', { path: { name: secret } }),
    onSuccess: (_, secret) =>
      tellDone(`${secret} is deleted. Running generators keep the value they started with.`),
    onSettled: () => client.invalidateQueries({ queryKey: ['secrets'] }),
  });
  const users = useReferences(doomed);
  const names = list.data ?? [];
  const wanted = filter.trim().toLowerCase();
  const matching = names.filter((one) => one.toLowerCase().includes(wanted));
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={1} size="h2">
          Secrets
        </Title>
        <Text>Passwords and keys for configs. Stored values are never shown.</Text>
      </Stack>
      <Needs to="setSecret">
        <SecretForm name={name} onName={setName} names={names} valueRef={value} />
      </Needs>
      {deleting.isError && <ErrorNote title="The secret was not deleted" error={deleting.error} />}
      {list.isError && <ErrorNote title="The secrets cannot be listed" error={list.error} />}
      {list.isSuccess && (
        <Stack component="section" gap="xs" aria-label="Stored secrets">
          <Title order={2} size="h4">
            Stored ({shownCount(names.length)})
          </Title>
          {names.length > 8 && (
            <TextInput
              aria-label="Filter secrets"
              placeholder="Filter"
              leftSection={<Search size={16} />}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
              maw={320}
            />
          )}
          {matching.length === 0 && (
            <Text size="sm">
              {names.length === 0 ? 'No secret is stored.' : 'No name matches the filter.'}
            </Text>
          )}
          <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
            {matching.slice(0, limit).map((secret) => (
              <SecretRow
                key={secret}
                name={secret}
                onReplace={() => {
                  setName(secret);
                  value.current?.focus();
                }}
                onRename={() => setRenamed(secret)}
                onDelete={() => setDoomed(secret)}
              />
            ))}
          </Stack>
          {matching.length > limit && (
            <Button variant="default" onClick={() => setLimit(limit + 5 * FIRST_ROWS)}>
              Show more
            </Button>
          )}
        </Stack>
      )}
      <Question
        isOpen={doomed !== null}
        title={`Delete ${doomed ?? ''}?`}
        verb="Delete"
        onYes={() => doomed !== null && deleting.mutate(doomed)}
        onClose={() => setDoomed(null)}
      >
        The value cannot be restored. {users.isSuccess && usersText(users.data)}
      </Question>
      <RenameSecret name={renamed} onClose={() => setRenamed(null)} />
    </Stack>
  );
};

interface RowProps {
  readonly name: string;
  readonly onReplace: () => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

const SecretRow = ({ name, onReplace, onRename, onDelete }: RowProps) => (
  <Paper withBorder px="md" py="xs" component="li">
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Stack gap={2} miw={0}>
        <Text fw={600} className="wrapped">
          {name}
        </Text>
        <Code className="wrapped">{`\${secrets.${name}}`}</Code>
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <Needs to="setSecret">
          <Button variant="default" size="compact-sm" onClick={onReplace} aria-label={`Replace ${name}`}>
            Replace
          </Button>
        </Needs>
        <Needs to="renameSecret">
          <ActionIcon variant="subtle" color="gray" aria-label={`Rename ${name}`} onClick={onRename}>
            <Pencil size={18} />
          </ActionIcon>
        </Needs>
        <Needs to="deleteSecret">
          <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${name}`} onClick={onDelete}>
            <Trash2 size={18} />
          </ActionIcon>
        </Needs>
      </Group>
    </Group>
  </Paper>
);

interface SecretFormProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  /** Stored names. */
  readonly names: readonly string[];
  readonly valueRef: RefObject<HTMLInputElement | null>;
}

/** Stores a secret. A value that is refused stays typed; one that is stored is gone from the page. */
const SecretForm = ({ name, onName, names, valueRef }: SecretFormProps) => {
  const client = useQueryClient();
  const [value, setValue] = useState('');
  const [hasTried, setTried] = useState(false);
  const [stored, setStored] = useState(0);
  const isReplacing = names.includes(name);
  const storing = useMutation({
    mutationFn: () => call('setSecret', { path: { name }, body: value }),
    onSuccess: () => {
      tellDone(`${name} is stored. Generators use it at their next start.`);
      setValue('');
      setTried(false);
      setStored((count) => count + 1);
      onName('');
      void client.invalidateQueries({ queryKey: ['secrets'] });
    },
  });
  const nameFlaw = checkSecretName(name)?.message ?? null;
  const valueFlaw = checkSecretValue(value)?.message ?? null;
  const store = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (nameFlaw === null && valueFlaw === null) storing.mutate();
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={store} aria-label="Store a secret">
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => onName(event.currentTarget.value)}
            error={hasTried ? nameFlaw : null}
            autoComplete="off"
            spellCheck={false}
            w={{ base: '100%', sm: 240 }}
          />
          <ValueInput
            key={stored}
            value={value}
            onValue={setValue}
            error={hasTried ? valueFlaw : null}
            valueRef={valueRef}
          />
          <Button type="submit" mt={{ base: 0, sm: 25 }} loading={storing.isPending}>
            {isReplacing ? 'Replace' : 'Store'}
          </Button>
        </Group>
        {storing.isError && <ErrorNote title="The secret was not stored" error={storing.error} />}
      </Stack>
    </Paper>
  );
};

interface ValueInputProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | null;
  readonly valueRef: RefObject<HTMLInputElement | null>;
}

/** One hidden line, or several visible ones: a password field would drop the line breaks of a key. */
const ValueInput = ({ value, onValue, error, valueRef }: ValueInputProps) => {
  const [isLong, setLong] = useState(false);
  const common = { label: 'Value', value, error, autoComplete: 'off' } as const;
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text');
    if (!pasted.trimEnd().includes('\n')) return;
    event.preventDefault();
    setLong(true);
    onValue(pasted);
  };
  return (
    <Stack gap="xs" w={{ base: '100%', sm: 320 }}>
      {isLong ? (
        <Textarea
          {...common}
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      ) : (
        <PasswordInput
          {...common}
          ref={valueRef}
          autoComplete="new-password"
          onPaste={onPaste}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
      <Switch
        label="Several lines, visible while you type"
        size="xs"
        checked={isLong}
        // A password field cannot hold what several lines hold.
        disabled={isLong && value.includes('\n')}
        onChange={(event) => setLong(event.currentTarget.checked)}
      />
    </Stack>
  );
};

export default Secrets;
