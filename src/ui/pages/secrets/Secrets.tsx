import { ActionIcon, Button, Code, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Search, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { call } from '../../api/client.js';
import { ErrorNote, tellDone } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import { Ask } from '../../parts/Questions.js';
import { SecretForm } from './SecretForm.js';

/** Rows that show at first. */
const FIRST_ROWS = 200;

interface RowProps {
  readonly name: string;
  readonly onReplace: () => void;
  readonly onDelete: () => void;
}

const SecretRow = ({ name, onReplace, onDelete }: RowProps) => (
  <Paper withBorder px="md" py="xs" component="li">
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Stack gap={2} miw={0}>
        <Text fw={600} className="wrapped">
          {name}
        </Text>
        <Code className="wrapped">{`\${secrets.${name}}`}</Code>
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" size="compact-sm" onClick={onReplace} aria-label={`Replace ${name}`}>
          Replace
        </Button>
        <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 size={18} />
        </ActionIcon>
      </Group>
    </Group>
  </Paper>
);

/** Names of the keyring; values are set and never shown. */
const Secrets = () => {
  const client = useQueryClient();
  const list = useQuery({ queryKey: ['secrets'], queryFn: () => call('listSecrets') });
  const [name, setName] = useState('');
  const [doomed, setDoomed] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState(FIRST_ROWS);
  const value = useRef<HTMLInputElement>(null);
  const deleting = useMutation({
    mutationFn: (secret: string) => call('deleteSecret', { path: { name: secret } }),
    onSuccess: (_, secret) =>
      tellDone(`${secret} is deleted. Running generators keep the value they started with.`),
    onSettled: () => client.invalidateQueries({ queryKey: ['secrets'] }),
  });
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
      <SecretForm name={name} onName={setName} names={names} valueRef={value} />
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
      <Ask
        isOpen={doomed !== null}
        title={`Delete ${doomed ?? ''}?`}
        verb="Delete"
        onYes={() => doomed !== null && deleting.mutate(doomed)}
        onClose={() => setDoomed(null)}
      >
        The value cannot be restored. Generators that use it fail at their next start.
      </Ask>
    </Stack>
  );
};

export default Secrets;
