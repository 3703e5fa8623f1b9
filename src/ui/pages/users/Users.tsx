import { ActionIcon, Alert, Anchor, Badge, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../../domain/audit.js';
import type { JsonObject } from '../../../domain/json.js';
import { call, callTagged, type Tagged } from '../../api/client.js';
import { Needs, useMay, useSignedIn } from '../../app/role.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote, tellDone } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import { Question } from '../../parts/Questions.js';
import { Section } from '../../parts/Section.js';
import { browserZone, shownTime } from '../../parts/times.js';
import { useCluster } from '../../parts/useCluster.js';
import { InstanceActions } from '../settings/InstanceActions.js';
import { AddAccount } from './AddAccount.js';
import {
  type AccountRow,
  accountRows,
  accountsIn,
  lastSeen,
  ownSecretOf,
  ROLE_SENTENCES,
  removalFlaw,
  SEEN_AMONG,
  withoutAccount,
} from './accounts.js';

/** Who may do what: users and tokens of the settings. */
const Users = () => {
  const inUse = useQuery({
    queryKey: ['settings', 'users in use'],
    queryFn: async () => (await call('readSettings')) as JsonObject,
  });
  const stored = useQuery({
    queryKey: ['settings', 'users stored'],
    queryFn: async (): Promise<Tagged<JsonObject>> => {
      const { value, etag } = await callTagged('readSettings', { query: { stored: true } });
      return { value: value as JsonObject, etag };
    },
  });
  const error = inUse.error ?? stored.error;
  return (
    <Stack gap="lg">
      <Heading />
      {error !== null && <ErrorNote title="The settings cannot be read" error={error} />}
      {(inUse.isPending || stored.isPending) && <Loading />}
      {inUse.data !== undefined && stored.data !== undefined && (
        <Accounts inUse={inUse.data} stored={stored.data} />
      )}
    </Stack>
  );
};

const Heading = () => {
  const isInCluster = useCluster().data?.enabled === true;
  return (
    <Stack gap={4}>
      <Title order={1} size="h2">
        Users and tokens
      </Title>
      <Text>
        Who may do what on this service. People sign in with a password, programs send a token. They are in
        the settings, so a change takes effect with a restart.
        {isInCluster && ' Each node of a cluster has settings of its own: repeat a change on the others.'}
      </Text>
    </Stack>
  );
};

interface AccountsProps {
  readonly inUse: JsonObject;
  readonly stored: Tagged<JsonObject>;
}

const Accounts = ({ inUse, stored }: AccountsProps) => {
  const rows = accountRows(inUse, stored.value);
  const isOpen = accountsIn(inUse).length === 0;
  const isWaiting = rows.some(({ state }) => state !== 'in use');
  return (
    <>
      {isOpen && <OpenNote isMended={rows.length > 0} />}
      {isWaiting && <WaitingNote />}
      {rows.length > 0 && <Rows rows={rows} stored={stored} />}
      <Section title={rows.length === 0 ? 'Ask for credentials' : 'Add a user or token'}>
        <AddAccount stored={stored} />
      </Section>
    </>
  );
};

/** Says what a service without credentials means. */
const OpenNote = ({ isMended }: { readonly isMended: boolean }) => (
  <Alert color="orange" title="The service asks for no credentials">
    <Text size="sm">
      Everybody who reaches this address is admin, with the rights of the service. It serves only browsers and
      programs of this machine, unless it was started with <Code>SPATE_ALLOW_REMOTE_WITHOUT_AUTH=1</Code>.{' '}
      {isMended
        ? 'That ends with the restart.'
        : 'To let others in, and to know who changed what, add the first user below and restart the service.'}
    </Text>
  </Alert>
);

const WaitingNote = () => (
  <Alert color="yellow" title="Saved and not in use yet">
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        A restart of the service applies the users below, and everything else that is saved. It ends every
        session: you sign in again. <Code>systemctl reload</Code>, or the signal SIGHUP, does the same.
      </Text>
      <InstanceActions canStop={false} />
    </Stack>
  </Alert>
);

const STATE_WORDS: Readonly<Record<Exclude<AccountRow['state'], 'in use'>, string>> = {
  added: 'after a restart',
  changed: 'changes with a restart',
  removed: 'until a restart',
};

interface RowsProps {
  readonly rows: readonly AccountRow[];
  readonly stored: Tagged<JsonObject>;
}

const Rows = ({ rows, stored }: RowsProps) => {
  const user = useSignedIn()?.user ?? null;
  const seen = useLastSeen(rows.map(({ name }) => name));
  const removing = useRemoving(stored);
  const [doomed, setDoomed] = useState<AccountRow | null>(null);
  return (
    <>
      {removing.isError && <ErrorNote title="The user was not removed" error={removing.error} />}
      {seen?.error != null && <ErrorNote title="The audit trail cannot be read" error={seen.error} />}
      <Table.ScrollContainer minWidth={720}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Credential</Table.Th>
              <Table.Th>Role</Table.Th>
              {seen !== null && <Table.Th>Last change</Table.Th>}
              <Table.Th>Remove</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row
                key={row.name}
                row={row}
                isYou={row.name === user}
                seen={seen === null ? null : { entry: seen.data?.get(row.name), isRead: seen.isSuccess }}
                flaw={removalFlaw(stored.value, row.name, user)}
                onRemove={() => setDoomed(row)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {seen !== null && (
        <Text size="sm">
          Last changes are from the newest {shownCount(SEEN_AMONG)} entries of the audit log. Reading leaves
          no entry, so a program that only reads never shows there. Times in {browserZone()}.
        </Text>
      )}
      <Question
        isOpen={doomed !== null}
        title={`Remove ${doomed?.name ?? ''}?`}
        verb="Remove"
        onYes={() => doomed !== null && removing.mutate(doomed)}
        onClose={() => setDoomed(null)}
      >
        {doomed?.kind === 'token'
          ? 'From the restart on, its token is refused. It cannot be shown or restored.'
          : 'From the restart on, nobody can sign in with this name.'}
      </Question>
    </>
  );
};

interface RowProps {
  readonly row: AccountRow;
  readonly isYou: boolean;
  /** Null when the user may not read the trail. */
  readonly seen: { readonly entry: AuditEntry | undefined; readonly isRead: boolean } | null;
  /** Why it cannot be removed. */
  readonly flaw: string | null;
  readonly onRemove: () => void;
}

const Row = ({ row: { name, role, kind, state }, isYou, seen, flaw, onRemove }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="xs">
        <Text size="sm" fw={600} className="wrapped">
          {name}
        </Text>
        {isYou && (
          <Badge variant="light" color="blue" autoContrast tt="none">
            you
          </Badge>
        )}
        {state !== 'in use' && (
          <Badge variant="light" color="yellow" autoContrast tt="none" miw="max-content">
            {STATE_WORDS[state]}
          </Badge>
        )}
      </Group>
    </Table.Td>
    <Table.Td>{kind}</Table.Td>
    <Table.Td>
      <Text size="sm" fw={600}>
        {role}
      </Text>
      <Text size="xs">{ROLE_SENTENCES[role]}</Text>
    </Table.Td>
    {seen !== null && (
      <Table.Td>
        <Seen name={name} {...seen} />
      </Table.Td>
    )}
    <Table.Td>
      {state !== 'removed' && (
        <Needs to="updateSettings">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name}`}
            title={flaw ?? undefined}
            disabled={flaw !== null}
            onClick={onRemove}
          >
            <Trash2 size={18} />
          </ActionIcon>
        </Needs>
      )}
    </Table.Td>
  </Table.Tr>
);

interface SeenProps {
  readonly name: string;
  readonly entry: AuditEntry | undefined;
  readonly isRead: boolean;
}

const Seen = ({ name, entry, isRead }: SeenProps) => {
  if (entry === undefined) return <Text size="sm">{isRead ? 'none' : ''}</Text>;
  return (
    <Anchor
      component={Link}
      href={`/audit?${new URLSearchParams({ user: entry.user ?? name })}`}
      size="sm"
      underline="always"
      title={entry.at}
    >
      {shownTime(entry.at, browserZone())}
    </Anchor>
  );
};

/** What the trail tells of users. Null when the role does not allow to read it. */
const useLastSeen = (names: readonly string[]) => {
  const may = useMay('readAudit') === true;
  const seen = useQuery({
    queryKey: ['audit', 'last seen', ...names],
    queryFn: () => lastSeen(names, (query) => call('readAudit', { query })),
    enabled: may,
  });
  return may ? seen : null;
};

const useRemoving = ({ value, etag }: Tagged<JsonObject>) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, credential }: AccountRow) => {
      await call('updateSettings', { body: withoutAccount(value, name), etag });
      const secret = ownSecretOf(credential);
      if (secret === null) return;
      const path = { name: secret };
      if ((await call('listSecretReferences', { path })).length === 0) await call('deleteSecret', { path });
    },
    onSuccess: (_, { name }) =>
      tellDone(`${name} is no longer in the settings. Restart the service to apply the change.`),
    onSettled: () => client.invalidateQueries({ queryKey: ['settings'] }),
  });
};

export default Users;
