import { Box, Stack, Tabs, Title } from '@mantine/core';
import { FilePlus2, LibraryBig, ScanSearch, ScrollText } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { LibraryPage } from '../library/Library.js';
import { FromEmpty } from './FromEmpty.js';
import { FromLog } from './FromLog.js';
import { Learn } from './learn/Learn.js';
import './new.css';

const WAYS = ['example', 'learn', 'log', 'empty'] as const;

/** Short on narrow screens. */
const Label = ({ long, short }: { readonly long: string; readonly short: string }) => (
  <>
    <Box component="span" visibleFrom="xs">
      {long}
    </Box>
    <Box component="span" hiddenFrom="xs">
      {short}
    </Box>
  </>
);

/** The ways to a new generator; the chosen one is in the address. */
export default function New() {
  const [search, setSearch] = useSearchParams();
  const way = WAYS.find((one) => one === search.get('from')) ?? 'example';
  return (
    <Stack>
      <Title order={1} size="h2">
        New generator
      </Title>
      <Tabs
        value={way}
        onChange={(chosen) => {
          setSearch(chosen === null || chosen === 'example' ? {} : { from: chosen }, { replace: true });
        }}
      >
        <Tabs.List className="ways">
          <Tabs.Tab value="example" leftSection={<LibraryBig size={16} />}>
            <Label long="From an example" short="Example" />
          </Tabs.Tab>
          <Tabs.Tab value="learn" leftSection={<ScanSearch size={16} />}>
            <Label long="Learn from a log" short="Learn" />
          </Tabs.Tab>
          <Tabs.Tab value="log" leftSection={<ScrollText size={16} />}>
            <Label long="Replay a log" short="Replay" />
          </Tabs.Tab>
          <Tabs.Tab value="empty" leftSection={<FilePlus2 size={16} />}>
            <Label long="From empty" short="Empty" />
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="example" pt="md">
          <LibraryPage />
        </Tabs.Panel>
        <Tabs.Panel value="learn" pt="md">
          <Learn />
        </Tabs.Panel>
        <Tabs.Panel value="log" pt="md">
          <FromLog />
        </Tabs.Panel>
        <Tabs.Panel value="empty" pt="md">
          <FromEmpty />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
