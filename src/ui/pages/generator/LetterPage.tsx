import { Accordion, Badge, Loader, Pagination, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';
import { ErrorNote } from '../../parts/ErrorNote.js';
import { shownTime } from '../../parts/times.js';
import { LetterEvent } from './LetterEvent.js';
import { meaningOf, PAGE_SIZE } from './letters.js';

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
export const LetterPage = ({ id, output, letters, zone }: PageProps) => {
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
                <span className="letter">
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
                    <LetterEvent event={event} />
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
