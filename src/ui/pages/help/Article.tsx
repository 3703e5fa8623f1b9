import { Anchor, Breadcrumbs, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { ErrorNote } from '../../parts/notes.js';
import { type HelpEntry, type HelpPage, useHelpPage } from './files.js';

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
export const Article = ({
  name,
  entries,
}: {
  readonly name: string;
  readonly entries: readonly HelpEntry[];
}) => {
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
