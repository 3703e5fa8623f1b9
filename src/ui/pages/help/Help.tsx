import './help.css';
import {
  Anchor,
  Breadcrumbs,
  Highlight,
  Kbd,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { type HelpEntry, type HelpPage, useHelpEntries, useHelpIndex, useHelpPage } from './files.js';
import { type HelpSection, search, snippetOf, wantedWords } from './search.js';

const RESULTS = 'help-results';

/** The docs of this version, without a network: by page, and by search. */
const Help = ({ page }: { readonly page: string }) => {
  const entries = useHelpEntries();
  const [params] = useSearchParams();
  const [, go] = useLocation();
  const query = params.get('q') ?? '';
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
    <Anchor component={Link} href="/about">
      About this service, its version and its API
    </Anchor>
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

const readHash = (): string => decodeURIComponent(location.hash.slice(1));

/** Events of a new address on the same page; the router fires the first. */
const MOVES = ['pushState', 'hashchange'];

/** Shows the place that the address names, and moves the focus there. */
const showPlace = (article: HTMLElement, id: string): void => {
  for (const former of article.querySelectorAll('[data-here]')) former.removeAttribute('data-here');
  const place = id === '' ? null : article.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
  if (place === null) {
    if (id === '') scrollTo(0, 0);
    return;
  }
  place.dataset['here'] = '';
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView();
};

/** Returns the address in the app that a plain click on a link leads to, or null to leave it to the browser. */
const addressOf = (event: MouseEvent): string | null => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlain || link.origin !== location.origin) return null;
  return `${link.pathname}${link.hash}`;
};

const Markup = ({ page }: { readonly page: HelpPage }) => {
  const article = useRef<HTMLElement>(null);
  const [, go] = useLocation();
  useEffect(() => {
    const show = (): void => {
      if (article.current !== null) showPlace(article.current, readHash());
    };
    show();
    for (const event of MOVES) addEventListener(event, show);
    return () => {
      for (const event of MOVES) removeEventListener(event, show);
    };
  }, []);
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const address = addressOf(event);
      if (address === null) return;
      event.preventDefault();
      go(address);
    };
    const element = article.current;
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [go]);
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: made of our docs; the build lets plain markup through only
    <article ref={article} className="help" dangerouslySetInnerHTML={{ __html: page.html }} />
  );
};

const OnThisPage = ({ name, sections }: { readonly name: string } & Pick<HelpPage, 'sections'>) => (
  <nav aria-label="On this page" className="on-this-page">
    <Text size="sm" fw={600} mb={4}>
      On this page
    </Text>
    <Stack gap={4} component="ul">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <Anchor component={Link} href={`/help/${name}#${encodeURIComponent(id)}`} size="sm">
            {title}
          </Anchor>
        </li>
      ))}
    </Stack>
  </nav>
);

/** A page of the help. */
const Article = ({ name, entries }: { readonly name: string; readonly entries: readonly HelpEntry[] }) => {
  const entry = entries.find((one) => one.name === name);
  const page = useHelpPage(entry?.name ?? '');
  if (entry === undefined)
    return (
      <Stack>
        <Title order={1} size="h2">
          There is no such help page
        </Title>
        <Text>
          Search for it, or see{' '}
          <Anchor component={Link} href="/help" underline="always">
            all pages
          </Anchor>
          .
        </Text>
      </Stack>
    );
  return (
    <>
      <Breadcrumbs>
        <Anchor component={Link} href="/help">
          Help
        </Anchor>
        <Text>{entry.group}</Text>
      </Breadcrumbs>
      <Title order={1} size="h2">
        {entry.title}
      </Title>
      {page.isError && <ErrorNote title="The page cannot be read" error={page.error} />}
      {page.isSuccess && (
        <div className="help-columns">
          {page.data.sections.length > 1 && <OnThisPage name={name} sections={page.data.sections} />}
          <Markup page={page.data} />
        </div>
      )}
    </>
  );
};

export default Help;
