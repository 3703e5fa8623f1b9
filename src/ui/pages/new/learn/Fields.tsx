import { ScrollArea, Table } from '@mantine/core';
import { kindText } from '../../../../learn/emit/words.js';
import type { LearnedLog } from '../../../../learn/report.js';
import { shownCount } from '../../../parts/numbers.js';
import { percent, sortedFields } from './facts.js';

/** The fields of the log, the greatest difference first. */
export const Fields = ({ learned }: { readonly learned: LearnedLog }) => (
  <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Fields' }}>
    <Table aria-label="Fields" stickyHeader miw={640}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Field</Table.Th>
          <Table.Th scope="col">Kind</Table.Th>
          <Table.Th scope="col" ta="end">
            Records
          </Table.Th>
          <Table.Th scope="col" ta="end">
            Distinct
          </Table.Th>
          <Table.Th scope="col" ta="end">
            Generated
          </Table.Th>
          <Table.Th scope="col" ta="end">
            Difference
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sortedFields(learned).map(({ name, kind, share, distinct, difference }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" className="wrapped" miw={160}>
              {name}
            </Table.Th>
            <Table.Td>{kindText(kind)}</Table.Td>
            <Table.Td ta="end">{percent(share)}</Table.Td>
            <Table.Td ta="end">{shownCount(distinct.log)}</Table.Td>
            <Table.Td ta="end">{shownCount(distinct.generated)}</Table.Td>
            <Table.Td ta="end">{difference === null ? '' : percent(difference)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollArea.Autosize>
);
