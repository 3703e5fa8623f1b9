import './audit.css';
import { Anchor, Autocomplete, Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, RotateCw, Search } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { useMay } from '../../app/role.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote, Note } from '../../parts/notes.js';
import { browserZone } from '../../parts/times.js';
import { useCluster } from '../../parts/useCluster.js';
import { EntryTable } from './EntryTable.js';
import {
  type AuditRange,
  type AuditSearch,
  addressOfSearch,
  auditSearchOf,
  isSearching,
  localTime,
  NOTED_OPERATIONS,
  olderPage,
  queryOfSearch,
  RANGE_WORDS,
  RANGES,
  withFilter,
} from './entries.js';

/** The first page reads itself again, so that it shows what colleagues do. */
const EVERY_MS = 5_000;
const TYPING_MS = 300;

/** Who changed what. The address holds the search, so that it can be sent to a colleague. */
const Audit = () => {
  const [params, setParams] = useSearchParams();
  const search = auditSearchOf(params);
  const show = (next: AuditSearch, isStep: boolean): void =>
    setParams(addressOfSearch(next), { replace: !isStep });
  const may = useMay('readAudit');
  const [settled] = useDebouncedValue(params.toString(), TYPING_MS);
  const trail = useQuery({
    queryKey: ['audit', settled],
    queryFn: () =>
      call('readAudit', { query: queryOfSearch(auditSearchOf(new URLSearchParams(settled)), Date.now()) }),
    placeholderData: keepPreviousData,
    enabled: may === true,
    // Each request that is refused is an entry of the trail.
    refetchInterval: ({ state }) => (search.page === 1 && state.error === null ? EVERY_MS : false),
  });
  const { data, error } = trail;
  return (
    <Stack gap="lg">
      <Heading />
      {may === false || isForbidden(error) ? (
        <Forbidden />
      ) : (
        <>
          <Filters
            search={search}
            users={[...new Set((data?.entries ?? []).flatMap(({ user }) => user ?? []))].toSorted()}
            onChange={(filter) => show(withFilter(search, filter), false)}
            onRefresh={() => void trail.refetch()}
          />
          {error !== null && <ErrorNote title="The audit trail cannot be read" error={error} />}
          {trail.isPending && <Loading />}
          {data !== undefined && (
            <>
              {data.entries.length === 0 ? (
                <Empty search={search} onAll={() => setParams('')} />
              ) : (
                <EntryTable entries={data.entries} onNarrow={(by) => show(withFilter(search, by), true)} />
              )}
              <Turns
                page={search.page}
                hasMore={data.next_offset !== null}
                onNewer={() => show({ ...search, page: search.page - 1 }, true)}
                onOlder={() => show(olderPage(search, data.entries[0]?.at), true)}
              />
            </>
          )}
        </>
      )}
    </Stack>
  );
};

const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

const Heading = () => {
  const isInCluster = useCluster().data?.enabled === true;
  return (
    <Stack gap={4}>
      <Title order={1} size="h2">
        Audit log
      </Title>
      <Text>
        Who changed what, newest first: every request that changes something, refused and failed ones
        included, and sign-ins. Times in {browserZone()}.
        {isInCluster && ' Each node of a cluster has its own: this is the one of the node that you use.'}
      </Text>
    </Stack>
  );
};

const Forbidden = () => (
  <Note title="Only admins read the audit log">
    <Text size="sm">
      It shows what each user did, so it needs the role admin, and you have another one. Ask an admin to look
      for you, or for another role:{' '}
      <Anchor component={Link} href="/users" inherit underline="always">
        who is admin
      </Anchor>
      .
    </Text>
  </Note>
);

interface FiltersProps {
  readonly search: AuditSearch;
  /** Users to choose from. */
  readonly users: readonly string[];
  readonly onChange: (filter: Partial<AuditSearch>) => void;
  readonly onRefresh: () => void;
}

const Filters = ({ search, users, onChange, onRefresh }: FiltersProps) => (
  <Group gap="sm" align="end">
    <TextInput
      label="Target contains"
      aria-label="Filter by a part of the target"
      placeholder="/generators/web"
      leftSection={<Search size={16} />}
      value={search.target}
      onChange={(event) => onChange({ target: event.currentTarget.value })}
      spellCheck={false}
      w={{ base: '100%', xs: 240 }}
    />
    <Autocomplete
      label="User"
      placeholder="anyone"
      data={[...users]}
      value={search.user}
      onChange={(user) => onChange({ user })}
      spellCheck={false}
      w={{ base: 'calc(50% - 6px)', xs: 160 }}
    />
    <Autocomplete
      label="Operation"
      placeholder="any"
      data={[...NOTED_OPERATIONS]}
      value={search.operation}
      onChange={(operation) => onChange({ operation })}
      spellCheck={false}
      w={{ base: 'calc(50% - 6px)', xs: 220 }}
    />
    <Select
      label="Time"
      data={RANGES.map((value) => ({ value, label: RANGE_WORDS[value] }))}
      value={search.range}
      onChange={(range) => onChange(rangeStart(range ?? 'all'))}
      allowDeselect={false}
      w={{ base: 'calc(50% - 6px)', xs: 150 }}
    />
    {search.range === 'own' && (
      <>
        <Moment label="From" value={search.since} onChange={(since) => onChange({ since })} />
        <Moment label="Before" value={search.until} onChange={(until) => onChange({ until })} />
      </>
    )}
    <Button variant="default" leftSection={<RotateCw size={16} />} onClick={onRefresh}>
      Refresh
    </Button>
  </Group>
);

const DAY_MS = 86_400_000;

/** A range of one's own begins as the last day. */
const rangeStart = (range: AuditRange): Partial<AuditSearch> =>
  range === 'own'
    ? { range, since: new Date(Date.now() - DAY_MS).toISOString(), until: '' }
    : { range, since: '', until: '' };

interface MomentProps {
  readonly label: string;
  /** ISO 8601, or empty. */
  readonly value: string;
  readonly onChange: (iso: string) => void;
}

/** A time in the zone of the browser. What is typed stays while it is no time yet. */
const Moment = ({ label, value, onChange }: MomentProps) => {
  const [typed, setTyped] = useState(localTime(value));
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const at = Date.parse(text);
        onChange(Number.isNaN(at) ? '' : new Date(at).toISOString());
      }}
      w={{ base: '100%', xs: 210 }}
    />
  );
};

const Empty = ({ search, onAll }: { readonly search: AuditSearch; readonly onAll: () => void }) =>
  isSearching(search) ? (
    <Group gap="sm">
      <Text size="sm" role="status">
        No entry matches. User and operation must be whole and exact.
      </Text>
      <Button variant="default" size="compact-sm" onClick={onAll}>
        Show all
      </Button>
    </Group>
  ) : (
    <Text size="sm" role="status">
      Nothing has been changed yet.
    </Text>
  );

interface TurnsProps {
  readonly page: number;
  readonly hasMore: boolean;
  readonly onNewer: () => void;
  readonly onOlder: () => void;
}

const Turns = ({ page, hasMore, onNewer, onOlder }: TurnsProps) => {
  if (page === 1 && !hasMore) return null;
  return (
    <Group gap="sm" component="nav" aria-label="Pages of the audit log">
      <Button
        variant="default"
        leftSection={<ChevronLeft size={16} />}
        onClick={onNewer}
        disabled={page === 1}
      >
        Newer
      </Button>
      <Text size="sm">Page {page}</Text>
      <Button
        variant="default"
        rightSection={<ChevronRight size={16} />}
        onClick={onOlder}
        disabled={!hasMore}
      >
        Older
      </Button>
    </Group>
  );
};

export default Audit;
