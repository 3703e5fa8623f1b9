import { Alert, Code, Paper, Stack, Table, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { JsonObject } from '../../../../domain/json.js';
import { useAddress } from '../../../parts/address.js';
import { counted, shownCount } from '../../../parts/numbers.js';
import type { Usage, UsageLocation } from '../membership.js';
import {
  filteredFlow,
  flowOf,
  flowPicture,
  type GlobalsFlow,
  MAX_NAMED_FILES,
  MAX_SHOWN_KEYS,
} from './flow.js';

interface DataFlowProps {
  readonly usage: Usage;
  readonly ids: readonly string[];
  readonly globals: JsonObject;
}

/** Which generator writes and reads which key of the globals. */
export const DataFlow = ({ usage, ids, globals }: DataFlowProps) => {
  const [filter, setFilter] = useAddress<string>('keys', '');
  const [chosen, choose] = useAddress<string>('key', '');
  const set = Object.keys(globals).toSorted().join('\n');
  const whole = useMemo(() => flowOf(usage, ids, set === '' ? [] : set.split('\n')), [usage, ids, set]);
  const flow = useMemo(() => filteredFlow(whole, filter), [whole, filter]);
  const count = whole.keys.length;
  if (count === 0) return <Text size="sm">No member uses a global, and none is set.</Text>;
  return (
    <Stack gap="sm">
      {count > MAX_SHOWN_KEYS && (
        <>
          <TextInput
            aria-label="Filter keys of the data flow"
            placeholder="Filter keys"
            leftSection={<Search size={16} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
            maw={320}
          />
          <Text size="sm" role="status">
            {shownCount(flow.keys.length)} of {counted(count, 'key')}.
          </Text>
        </>
      )}
      <Picture flow={flow} chosen={chosen} onChoose={(key) => choose(key === chosen ? '' : key)} />
      {whole.keys.some(({ key }) => key === chosen) && (
        <KeyFacts name={chosen} usage={usage} globals={globals} />
      )}
      {whole.unused.length > 0 && (
        <Text size="sm" className="wrapped">
          No use of globals is found in {whole.unused.join(', ')}.
        </Text>
      )}
      {usage.unclear.length > 0 && (
        <Alert color="gray" variant="light">
          <Text size="sm" className="wrapped">
            {counted(usage.unclear.length, 'more use', 'more uses')} of keys that are only known at run time,
            in {filesText(usage.unclear)}.
          </Text>
        </Alert>
      )}
      <details className="more-numbers">
        <summary>As a table</summary>
        <FlowTable flow={flow} />
      </details>
    </Stack>
  );
};

interface PictureProps {
  readonly flow: GlobalsFlow;
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

const Picture = ({ flow, chosen, onChoose }: PictureProps) => {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const picture = useMemo(() => flowPicture(flow, width), [flow, width]);
  const key = flow.keys.find((one) => one.key === chosen);
  const users = new Set(key === undefined ? [] : [...key.writers, ...key.readers]);
  const mark = (isOn: boolean) =>
    key === undefined ? {} : isOn ? { 'data-on': true } : { 'data-off': true };
  return (
    <div ref={ref}>
      <div className="flow" style={{ height: picture.height }}>
        <svg width={picture.width} height={picture.height} aria-hidden>
          <defs>
            <marker
              id="flow-head"
              viewBox="0 0 8 8"
              refX="8"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto-start-reverse"
            >
              <path className="flow-head" d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          {picture.edges.map((edge) => (
            <path
              key={`${edge.member}\n${edge.key}`}
              className="flow-edge"
              d={edge.path}
              {...mark(edge.key === chosen)}
              {...(edge.isRead ? { markerStart: 'url(#flow-head)' } : {})}
              {...(edge.isWrite ? { markerEnd: 'url(#flow-head)' } : {})}
            />
          ))}
        </svg>
        {picture.members.map(({ of: { id, files }, ...box }) => (
          <Link
            key={id}
            href={`/r/${encodeURIComponent(id)}`}
            className="flow-node"
            style={styleOf(box)}
            title={`${id}: ${files.join(', ')}`}
            {...mark(users.has(id))}
          >
            <b>{id}</b>
            {files.slice(0, MAX_NAMED_FILES).map((file) => (
              <span key={file}>{file}</span>
            ))}
            {files.length > MAX_NAMED_FILES && <span>{files.length - MAX_NAMED_FILES} more files</span>}
          </Link>
        ))}
        {picture.keys.map(({ of: { key: name, note, writers, readers }, ...box }) => (
          <button
            key={name}
            type="button"
            className="flow-node flow-key"
            style={styleOf(box)}
            title={name}
            aria-pressed={name === chosen}
            onClick={() => onChoose(name)}
            {...mark(name === chosen)}
          >
            <b>{name}</b>
            {note !== null && <span>{note}</span>}
            {writers.length > 0 && <VisuallyHidden>written by {writers.join(', ')}</VisuallyHidden>}
            {readers.length > 0 && <VisuallyHidden>read by {readers.join(', ')}</VisuallyHidden>}
          </button>
        ))}
      </div>
    </div>
  );
};

const styleOf = ({
  x,
  y,
  width,
  height,
}: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}) => ({ left: x, top: y, width, height });

const MAX_VALUE = 2_000;

const filesText = (locations: readonly UsageLocation[]): string =>
  [...new Set(locations.map(({ member, template }) => `${member} (${template})`))].toSorted().join(', ');

/** The value of a key, and the files that write and read it. */
const KeyFacts = ({
  name,
  usage,
  globals,
}: {
  readonly name: string;
  readonly usage: Usage;
  readonly globals: JsonObject;
}) => {
  const { writes = [], reads = [] } = usage.keys.get(name) ?? {};
  const text = Object.hasOwn(globals, name) ? JSON.stringify(globals[name]) : null;
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label={`Key ${name}`}>
      <Stack gap={6}>
        <Text fw={600} className="wrapped">
          {name}
        </Text>
        {text === null ? (
          <Text size="sm">It is not set.</Text>
        ) : (
          <Code block mah={160} tabIndex={0}>
            {text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text}
          </Code>
        )}
        <Text size="sm" className="wrapped">
          {writes.length === 0
            ? 'No file of a member writes it: people set it, here or over the API.'
            : `Written by ${filesText(writes)}.`}
        </Text>
        <Text size="sm" className="wrapped">
          {reads.length === 0
            ? 'No file of a member is seen to read it: a change may have no effect.'
            : `Read by ${filesText(reads)}.`}
        </Text>
      </Stack>
    </Paper>
  );
};

const FlowTable = ({ flow }: { readonly flow: GlobalsFlow }) => (
  <Table aria-label="Data flow as a table" verticalSpacing="xs" horizontalSpacing="xs">
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">Key</Table.Th>
        <Table.Th scope="col">Written by</Table.Th>
        <Table.Th scope="col">Read by</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {flow.keys.map(({ key, writers, readers }) => (
        <Table.Tr key={key}>
          <Table.Th scope="row" className="wrapped">
            {key}
          </Table.Th>
          <Table.Td className="wrapped">{writers.length === 0 ? 'people' : writers.join(', ')}</Table.Td>
          <Table.Td className="wrapped">{readers.length === 0 ? 'nobody' : readers.join(', ')}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
