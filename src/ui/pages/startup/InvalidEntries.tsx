import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/client.js';
import { Note } from '../../parts/notes.js';
import { counted } from '../../parts/numbers.js';

/** The startup file is edited by hand too. */
const LOOK_EVERY_MS = 10_000;

/** Entries of the startup file that the service cannot use. */
export const useInvalidEntries = () =>
  useQuery({
    queryKey: ['startup', 'invalid'],
    queryFn: () => call('listInvalidStartupEntries'),
    refetchInterval: LOOK_EVERY_MS,
  });

export const invalidTitle = (count: number): string =>
  `${counted(count, 'startup entry', 'startup entries')} ${count === 1 ? 'is' : 'are'} invalid`;

/** Says that entries are invalid and leads to them. */
export const InvalidEntriesNote = () => {
  const { data: entries = [] } = useInvalidEntries();
  if (entries.length === 0) return null;
  return (
    <Note title={invalidTitle(entries.length)}>
      <span className="wrapped">
        {entries.map(({ id, position }) => id ?? `number ${position}`).join(', ')}.{' '}
      </span>
      <Anchor component={Link} href="/startup" size="sm" underline="always">
        See what is wrong
      </Anchor>
    </Note>
  );
};
