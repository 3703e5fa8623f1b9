import { Anchor, Highlight, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, useMemo } from 'react';
import { Link } from 'wouter';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { type HelpEntry, useHelpIndex } from './files.js';
import { type Section, search, snippetOf, wantedWords } from './search.js';

const MAX_RESULTS = 30;

const hrefOf = ({ page, id }: Section): string =>
  `/help/${page}${id === '' ? '' : `#${encodeURIComponent(id)}`}`;

/** Arrow keys go from result to result. */
const step = (event: KeyboardEvent<HTMLElement>): void => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
};

interface ResultsProps {
  readonly id: string;
  readonly query: string;
  readonly entries: readonly HelpEntry[];
}

export const Results = ({ id, query, entries }: ResultsProps) => {
  const index = useHelpIndex(true);
  const found = useMemo(
    () => (index.data === undefined ? [] : search(index.data, query, MAX_RESULTS)),
    [index.data, query],
  );
  const titles = useMemo(() => new Map(entries.map(({ name, title }) => [name, title])), [entries]);
  if (index.isError) return <ErrorNote title="The help cannot be searched" error={index.error} />;
  if (index.isPending) return <Loading />;
  const words = [...wantedWords(query)];
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {found.length === 0 && `No page has these words: ${query}`}
        {found.length === 1 && '1 result'}
        {found.length > 1 && `${found.length === MAX_RESULTS ? 'First ' : ''}${found.length} results`}
      </Text>
      <Stack id={id} component="ul" gap="md" className="results" onKeyDown={step}>
        {found.map((section) => (
          <li key={hrefOf(section)}>
            <Anchor component={Link} href={hrefOf(section)} fw={500}>
              {[titles.get(section.page), section.title].filter(Boolean).join(' › ')}
            </Anchor>
            <Highlight size="sm" highlight={words}>
              {snippetOf(section, query)}
            </Highlight>
          </li>
        ))}
      </Stack>
    </>
  );
};
