import { Code, Table, Text } from '@mantine/core';
import type { Json } from '../../domain/json.js';
import type { Difference } from './document.js';

const shown = (value: Json | undefined): string => (value === undefined ? 'not set' : JSON.stringify(value));

/** What a save changes. */
export const Differences = ({ differences }: { readonly differences: readonly Difference[] }) => {
  if (differences.length === 0) return <Text size="sm">Nothing is changed.</Text>;
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Option</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ place, before, after }) => (
            <Table.Tr key={JSON.stringify(place)}>
              <Table.Td>{place.join('.')}</Table.Td>
              <Table.Td>
                <Code className="wrapped">{shown(before)}</Code>
              </Table.Td>
              <Table.Td>
                <Code className="wrapped">{shown(after)}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};
