import { Anchor, Code, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import { GeneratorNames } from '../destinations/GeneratorNames.js';
import { worldHref } from './answers.js';

/** The worlds of the service: populations that many sources tell of. */
const Worlds = () => {
  const list = useQuery({ queryKey: ['worlds'], queryFn: () => call('listWorlds') });
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={1} size="h2">
          Worlds
        </Title>
        <Text>
          Organizations whose people and machines many log sources tell of: who is there, and what they do.
        </Text>
      </Stack>
      {list.isError && <ErrorNote title="The worlds cannot be listed" error={list.error} />}
      {list.isPending && <Loading />}
      {list.data !== undefined && list.data.length > 0 && <Rows worlds={list.data} />}
      {list.data?.length === 0 && <Empty />}
    </Stack>
  );
};

const EXAMPLE = 'seed: 7\npeople: 40\n';

const Empty = () => (
  <Stack gap="sm" maw={640}>
    <Text>
      A world is one organization behind many log sources. Its people sign in, open pages and write mail by
      the clock, and each source writes down what it would see: the firewall, the mail gateway and the domain
      controller then name the same person with the same address in the same minute.
    </Text>
    <Text>
      There is no world file yet. Write one as <Code>worlds/branch.yml</Code>, beside <Code>generators</Code>.
      This is a whole world, in which all else has a default:
    </Text>
    <Code block>{EXAMPLE}</Code>
    <Text>
      A generator is in it with the input <Code>world</Code> and <Code>path: ../../worlds/branch.yml</Code>.
      Ready-made generators without a path are in the default world. The{' '}
      <Anchor component={Link} href="/help/worlds" underline="always">
        guide
      </Anchor>{' '}
      explains every field.
    </Text>
  </Stack>
);

const Rows = ({ worlds }: { readonly worlds: AnswerOf<'listWorlds'> }) => (
  <Table.ScrollContainer minWidth={480}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th miw={120}>Name</Table.Th>
          <Table.Th className="number">People</Table.Th>
          <Table.Th className="number">Hosts</Table.Th>
          <Table.Th>Used by</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {worlds.map(({ name, people, hosts, error, used_by }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Anchor component={Link} href={worldHref(name)} fw={600} className="wrapped">
                {name}
              </Anchor>
            </Table.Td>
            {error === null ? (
              <>
                <Table.Td className="number">{shownCount(people ?? 0)}</Table.Td>
                <Table.Td className="number">{shownCount(hosts ?? 0)}</Table.Td>
              </>
            ) : (
              <Table.Td colSpan={2}>
                <Text size="sm" c="red" className="wrapped">
                  {error}
                </Text>
              </Table.Td>
            )}
            <Table.Td>{used_by.length === 0 ? 'no generator' : <GeneratorNames ids={used_by} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

export default Worlds;
