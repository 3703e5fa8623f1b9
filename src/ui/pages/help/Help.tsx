import './help.css';
import { Anchor, Highlight, Kbd, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { Article } from './Article.js';
import { type HelpEntry, useHelpEntries, useHelpIndex } from './files.js';
import { type HelpSection, search, snippetOf, wantedWords } from './search.js';

const RESULTS = 'help-results';

/** The docs of this version, without a network: by page, and by search. */
const Help = ({ page }: { readonly page: string }) => {
  const entries = useHelpEntries();
  const [params] = useSearchParams();
  const [, go] = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const query = params.get('q') ?? '';
  useHotkeys([['/', () => field.current?.focus()]]);
  const ask = (text: string): void =>
    go(text === '' ? '/help' : `/help?${new URLSearchParams({ q: text }).toString()}`, {
      // Letters of a search are one step back.
      replace: query !== '',
    });
  const toResults = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    const first = document.getElementById(RESULTS)?.querySelector('a');
    if (first === undefined || first === null) return;
    event.preventDefault();
    if (event.key === 'Enter') first.click();
    else first.focus();
  };
  const isSearch = page === '' && query.trim() !== '';
  return (
    <Stack>
      {(page === '' || isSearch) && (
        <Title order={1} size="h2">
          Help
        </Title>
      )}
      <TextInput
        ref={field}
        type="search"
        aria-label="Search the help"
        placeholder="Search the help"
        leftSection={<Search size={16} />}
        rightSection={<Kbd aria-hidden>/</Kbd>}
        value={query}
        onChange={(event) => ask(event.currentTarget.value)}
        onKeyDown={toResults}
        maw={420}
      />
      {entries.isError && <ErrorNote title="The help cannot be read" error={entries.error} />}
      {entries.isSuccess && isSearch && <Results id={RESULTS} query={query} entries={entries.data} />}
      {entries.isSuccess && page === '' && !isSearch && <HelpContents entries={entries.data} />}
      {entries.isSuccess && page !== '' && <Article key={page} name={page} entries={entries.data} />}
    </Stack>
  );
};

const HelpContents = ({ entries }: { readonly entries: readonly HelpEntry[] }) => (
  <Stack gap="xl">
    {[...grouped(entries)].map(([group, pages]) => (
      <section key={group} aria-label={group}>
        <Title order={2} size="h4" mb="sm">
          {group}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg" verticalSpacing="sm">
          {pages.map(({ name, title, summary }) => (
            <div key={name}>
              <Anchor component={Link} href={`/help/${name}`} fw={500}>
                {title}
              </Anchor>
              <Text size="sm" c="dimmed" lineClamp={2}>
                {summary}
              </Text>
            </div>
          ))}
        </SimpleGrid>
      </section>
    ))}
  </Stack>
);

/** Pages of a group, in the order of the list. */
const grouped = (entries: readonly HelpEntry[]): ReadonlyMap<string, readonly HelpEntry[]> => {
  const groups = new Map<string, readonly HelpEntry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return groups;
};

const MAX_RESULTS = 30;

interface ResultsProps {
  readonly id: string;
  readonly query: string;
  readonly entries: readonly HelpEntry[];
}

const Results = ({ id, query, entries }: ResultsProps) => {
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

const hrefOf = ({ page, id }: HelpSection): string =>
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

export default Help;
