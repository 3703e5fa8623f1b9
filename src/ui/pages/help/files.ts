import { useQuery } from '@tanstack/react-query';
import { NO_ANSWER } from '../../api/errors.js';
import { type HelpSection, makeIndex } from './search.js';

export interface HelpEntry {
  /** Address below `/help/`. */
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly summary: string;
}

export interface HelpPage {
  /** Checked by the build, see `.ci/help.mjs`. */
  readonly html: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

/** Addresses of the files that the build makes of the docs. */
const FILES = import.meta.glob<string>('../../../../dist/help/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
});

const readFile = async <A>(name: string): Promise<A> => {
  const url = FILES[`../../../../dist/help/${name}.json`];
  if (url === undefined) throw new Error(`The help has no file ${name}.`);
  const response = await fetch(url).catch(() => null);
  if (response?.ok !== true) throw NO_ANSWER;
  return (await response.json()) as A;
};

const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

const readEntries = (): Promise<readonly HelpEntry[]> => readFile('pages');

export const useHelpEntries = () =>
  useQuery({ queryKey: ['help', 'pages'], queryFn: readEntries, ...FOREVER });

export const useHelpPage = (name: string) =>
  useQuery({
    queryKey: ['help', 'page', name],
    queryFn: () => readFile<HelpPage>(`page-${name.replaceAll('/', '-')}`),
    ...FOREVER,
  });

const readIndex = async () => {
  const [entries, sections] = await Promise.all([readEntries(), readFile<readonly HelpSection[]>('search')]);
  const titles = new Map(entries.map(({ name, title }) => [name, title]));
  return makeIndex(sections, (page) => titles.get(page) ?? '');
};

/** The index of all pages; loads when it is first needed. */
export const useHelpIndex = (isNeeded: boolean) =>
  useQuery({ queryKey: ['help', 'index'], queryFn: readIndex, enabled: isNeeded, ...FOREVER });
