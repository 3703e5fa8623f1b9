import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Code,
  Group,
  Stack,
  Table,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../../domain/audit.js';
import { browserZone, shownTime } from '../../parts/times.js';
import {
  type AuditSearch,
  keyedEntries,
  type Outcome,
  operationWords,
  outcomeOf,
  outcomeWords,
  targetPage,
  whoOf,
} from './entries.js';

/** What a filter takes from an entry. */
export type Narrowing = Partial<Pick<AuditSearch, 'user' | 'operation' | 'target'>>;

interface TableProps {
  readonly entries: readonly AuditEntry[];
  readonly onNarrow: (by: Narrowing) => void;
}

const COLUMNS = 6;

/** Entries of the trail, newest first. Each opens to show everything that is known of it. */
export const EntryTable = ({ entries, onNarrow }: TableProps) => {
  const [opened, setOpened] = useState<string | null>(null);
  const zone = browserZone();
  return (
    <Table.ScrollContainer minWidth={680}>
      <Table verticalSpacing="xs" className="audit">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={44}>
              <VisuallyHidden>Details</VisuallyHidden>
            </Table.Th>
            <Table.Th>Time</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Target</Table.Th>
            <Table.Th>Outcome</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keyedEntries(entries).map(({ key, entry }) => (
            <Fragment key={key}>
              <Row
                entry={entry}
                zone={zone}
                isOpen={opened === key}
                onToggle={() => setOpened(opened === key ? null : key)}
              />
              {opened === key && (
                <Table.Tr>
                  <Table.Td colSpan={COLUMNS}>
                    <Details entry={entry} zone={zone} onNarrow={onNarrow} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

const COLORS: Readonly<Record<Exclude<Outcome, 'done'>, string>> = {
  refused: 'orange',
  failed: 'red',
  unanswered: 'gray',
};

const OutcomeBadge = ({ status }: { readonly status: number }) => {
  const outcome = outcomeOf(status);
  if (outcome === 'done') return <Text size="sm">done</Text>;
  return (
    <Badge
      variant="light"
      color={COLORS[outcome]}
      autoContrast
      tt="none"
      miw="max-content"
      title={`Status ${status}`}
    >
      {outcomeWords(status)}
    </Badge>
  );
};

/** What an entry is about: a link where there is a page of it. */
const Subject = ({ entry }: { readonly entry: AuditEntry }) => {
  const page = targetPage(entry);
  if (page === null) return <Code className="wrapped">{entry.target}</Code>;
  return (
    <Anchor component={Link} href={page.href} size="sm" underline="always" className="wrapped">
      {page.label}
    </Anchor>
  );
};

interface RowProps {
  readonly entry: AuditEntry;
  readonly zone: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

const Row = ({ entry, zone, isOpen, onToggle }: RowProps) => {
  const time = shownTime(entry.at, zone);
  const what = operationWords(entry.operation);
  return (
    <Table.Tr className={outcomeOf(entry.status)}>
      <Table.Td>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Details of ${what} at ${time}`}
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          {isOpen ? <ChevronDown size={18} /> : <ChevronRight size={18} />}
        </ActionIcon>
      </Table.Td>
      <Table.Td className="figure nowrap">
        <time dateTime={entry.at} title={entry.at}>
          {time}
        </time>
      </Table.Td>
      <Table.Td className="wrapped">{whoOf(entry)}</Table.Td>
      <Table.Td>{what}</Table.Td>
      <Table.Td>
        <Subject entry={entry} />
      </Table.Td>
      <Table.Td>
        <OutcomeBadge status={entry.status} />
      </Table.Td>
    </Table.Tr>
  );
};

interface DetailsProps {
  readonly entry: AuditEntry;
  readonly zone: string;
  readonly onNarrow: TableProps['onNarrow'];
}

const Details = ({ entry, zone, onNarrow }: DetailsProps) => {
  const { at, user, client, operation, target, status } = entry;
  const [path = target] = target.split('?');
  return (
    <Stack gap="xs" py="xs" className="audit-details">
      <dl className="audit-facts">
        <dt>Time</dt>
        <dd>
          {shownTime(at, zone)} in {zone}, exactly <Code>{at}</Code>
        </dd>
        <dt>User</dt>
        <dd>{user ?? 'none: the request had no credentials'}</dd>
        <dt>Client</dt>
        <dd>{CLIENTS[client] ?? client}</dd>
        <dt>Operation</dt>
        <dd>
          <Code>{operation}</Code>
        </dd>
        <dt>Target</dt>
        <dd>
          <Code className="wrapped">{target}</Code>
        </dd>
        <dt>Status</dt>
        <dd>
          {status}, {outcomeWords(status)}
        </dd>
      </dl>
      <Group gap="xs">
        <Text size="sm">Show only</Text>
        {user !== null && (
          <Button variant="default" size="compact-sm" onClick={() => onNarrow({ user })}>
            this user
          </Button>
        )}
        <Button variant="default" size="compact-sm" onClick={() => onNarrow({ operation })}>
          this operation
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => onNarrow({ target: path })}>
          this target
        </Button>
      </Group>
    </Stack>
  );
};

/** What a client without an address is. */
const CLIENTS: Readonly<Record<string, string>> = {
  mcp: 'a language model (mcp)',
  signal: 'a signal to the process',
};
