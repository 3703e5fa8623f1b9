import {
  Accordion,
  ActionIcon,
  Badge,
  Box,
  Code,
  CopyButton,
  Group,
  Loader,
  Pagination,
  SegmentedControl,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Json } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';
import { ErrorNote } from '../../parts/notes.js';
import { shownTime } from '../../parts/times.js';
import { deadLetterJsonOf, meaningOf, PAGE_SIZE } from './deadLetterTexts.js';

type Letter = AnswerOf<'readDeadLetters'>['letters'][number];

interface PageProps {
  readonly id: string;
  readonly output: string;
  /** Number of all letters. */
  readonly letters: number;
  readonly zone: string;
}

/** The service ends a page of large letters early. */
const readPage = async (id: string, output: string, from: number): Promise<readonly Letter[]> => {
  const letters: Letter[] = [];
  for (let offset: number | null = from; offset !== null && letters.length < PAGE_SIZE; ) {
    const query: { readonly offset: number; readonly limit: number } = {
      offset,
      limit: PAGE_SIZE - letters.length,
    };
    const page: AnswerOf<'readDeadLetters'> = await call('readDeadLetters', { path: { id, output }, query });
    letters.push(...page.letters);
    offset = page.next_offset;
  }
  return letters;
};

/** The dead letters of an output, oldest first; the address names the page. */
export const DeadLetterPage = ({ id, output, letters, zone }: PageProps) => {
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<string | null>(null);
  const pages = Math.max(1, Math.ceil(letters / PAGE_SIZE));
  const given = Math.trunc(Number(search.get('letter-page') ?? 1));
  const page = Math.min(pages, Math.max(1, Number.isNaN(given) ? 1 : given));
  const offset = (page - 1) * PAGE_SIZE;
  const read = useQuery({
    queryKey: ['letters', id, output, offset, letters],
    queryFn: () => readPage(id, output, offset),
    placeholderData: keepPreviousData,
  });
  const turnTo = (next: number): void => {
    setOpened(null);
    setSearch(
      (before) => {
        before.set('letter-page', String(next));
        return before;
      },
      { replace: true },
    );
  };
  if (read.isError) return <ErrorNote title="The dead letters cannot be read" error={read.error} />;
  if (read.data === undefined) return <Loader size="sm" className="late" aria-label="Loading dead letters" />;
  return (
    <Stack gap="sm">
      <Accordion
        variant="contained"
        value={opened}
        onChange={setOpened}
        aria-label={`Dead letters of ${output}`}
      >
        {read.data.map(({ at, code, reason, event }, index) => {
          const key = String(offset + index);
          return (
            <Accordion.Item key={key} value={key}>
              <Accordion.Control>
                <span className="dead-letter">
                  <Text size="sm" className="figure" component="span">
                    {shownTime(at, zone)}
                  </Text>
                  <Badge
                    variant="light"
                    color="red"
                    autoContrast
                    tt="none"
                    title={meaningOf(code)}
                    component="span"
                  >
                    {code}
                  </Badge>
                  <Text size="sm" component="span" truncate ff="monospace">
                    {event}
                  </Text>
                </span>
              </Accordion.Control>
              <Accordion.Panel>
                {opened === key && (
                  <Stack gap="xs">
                    <Text size="sm" className="wrapped">
                      {reason}
                    </Text>
                    <DeadLetterEvent event={event} />
                  </Stack>
                )}
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={turnTo}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(item) => ({ 'aria-label': `Page ${item} of dead letters` })}
        />
      )}
    </Stack>
  );
};

const MAX_OPEN_DEPTH = 2;

const Leaf = ({ value }: { readonly value: Json }) => (
  <Code className="wrapped">{JSON.stringify(value)}</Code>
);

const nameOf = (name: string, count: number, isList: boolean): string =>
  `${name === '' ? 'event' : name} ${isList ? `[${count}]` : `{${count}}`}`;

/** JSON whose objects and lists fold. */
const Folded = ({
  name,
  value,
  depth,
}: {
  readonly name: string;
  readonly value: Json;
  readonly depth: number;
}) => {
  if (typeof value !== 'object' || value === null)
    return (
      <Group gap="xs" wrap="nowrap" align="baseline">
        <Text size="sm" component="span" ff="monospace">
          {name}:
        </Text>
        <Leaf value={value} />
      </Group>
    );
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return (
    <details className="foldable" open={depth < MAX_OPEN_DEPTH}>
      <Text size="sm" component="summary" ff="monospace">
        {nameOf(name, entries.length, Array.isArray(value))}
      </Text>
      <Box pl="md">
        {entries.map(([key, inner]) => (
          <Folded key={key} name={key} value={inner} depth={depth + 1} />
        ))}
      </Box>
    </details>
  );
};

/** The event of a dead letter: as JSON that folds, or as it is. */
const DeadLetterEvent = ({ event }: { readonly event: string }) => {
  const json = deadLetterJsonOf(event);
  const [form, setForm] = useState<string>('json');
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        {json === null ? (
          <Text size="sm">Event before formatting</Text>
        ) : (
          <SegmentedControl
            aria-label="Form of the event"
            size="xs"
            data={[
              { value: 'json', label: 'JSON' },
              { value: 'plain', label: 'Plain' },
            ]}
            value={form}
            onChange={setForm}
          />
        )}
        <CopyButton value={event}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy the event'}>
              <ActionIcon variant="default" onClick={copy} aria-label="Copy the event">
                {copied ? <Check size={16} /> : <Copy size={16} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      {json !== null && form === 'json' ? (
        <Folded name="" value={json} depth={0} />
      ) : (
        <Code block className="wrapped">
          {event}
        </Code>
      )}
    </Stack>
  );
};
