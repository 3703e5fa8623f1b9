import './help.css';
import { Kbd, Stack, TextInput, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { ErrorNote } from '../../parts/notes.js';
import { Article } from './Article.js';
import { Contents } from './Contents.js';
import { useHelpEntries } from './files.js';
import { Results } from './Results.js';

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
      {entries.isSuccess && page === '' && !isSearch && <Contents entries={entries.data} />}
      {entries.isSuccess && page !== '' && <Article key={page} name={page} entries={entries.data} />}
    </Stack>
  );
};

export default Help;
