import { Anchor, Button, CopyButton, Group, List, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { Link } from 'wouter';
import { call } from '../api/client.js';
import { Loading } from '../parts/Loading.js';
import { ErrorNote } from '../parts/notes.js';
import { counted, shownBytes } from '../parts/numbers.js';
import { Section } from '../parts/Section.js';
import { shownDuration } from '../parts/times.js';

/** Which program this is, on which machine, and where its interfaces are told of. */
const About = () => (
  <Stack gap="xl">
    <div>
      <Title order={1} size="h2">
        About
      </Title>
      <Text>Spate makes events with known truth, and runs hundreds of generators as one service.</Text>
    </div>
    <Service />
    <Section title="Interfaces">
      <Links links={INTERFACES} />
    </Section>
    <Section title="Docs">
      <Links links={DOCS} />
    </Section>
    <Text size="sm">
      Apache License 2.0. The licenses of its parts are in the package, in dist/licenses.txt.
    </Text>
  </Stack>
);

/** Version and machine: what a report of a fault begins with. */
const Service = () => {
  const info = useQuery({ queryKey: ['info'], queryFn: () => call('readInstanceInfo') });
  const health = useQuery({ queryKey: ['health'], queryFn: () => call('readHealth') });
  const error = info.error ?? health.error;
  if (error !== null) return <ErrorNote title="The service cannot be described" error={error} />;
  if (info.data === undefined || health.data === undefined) return <Loading />;
  const { app_version, node_version, v8_version, platform, host_name, cpu_count, memory_total_bytes } =
    info.data;
  const rows = [
    ['Spate', app_version],
    ['Runs for', shownDuration(health.data.uptime_seconds)],
    ['Node.js', `${node_version}, V8 ${v8_version}`],
    ['System', platform],
    [
      'Machine',
      `${host_name}, ${cpu_count === null ? '' : `${counted(cpu_count, 'core')}, `}${shownBytes(memory_total_bytes)}`,
    ],
  ] as const;
  return (
    <Section title="Service">
      <Table maw={640} aria-label="Service">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td className="wrapped">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group>
        <CopyButton value={rows.map(([name, value]) => `${name}: ${value}`).join('\n')}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy for a report'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Section>
  );
};

interface ToldLink {
  readonly href: string;
  readonly label: string;
  readonly text: string;
  /** Outside of the pages of the UI. */
  readonly isDocument?: true;
}

const INTERFACES: readonly ToldLink[] = [
  { href: '/api/docs', label: 'API reference', text: 'Every request and answer.', isDocument: true },
  { href: '/api/openapi.json', label: 'OpenAPI document', text: 'For makers of clients.', isDocument: true },
  { href: '/api/metrics', label: 'Metrics', text: 'For Prometheus.', isDocument: true },
  { href: '/help/mcp', label: 'MCP', text: 'For assistants.' },
];

const DOCS: readonly ToldLink[] = [
  { href: '/help', label: 'Help', text: 'The docs of this version.' },
  { href: '/help/upgrade', label: 'Upgrade', text: 'What to know before the next version.' },
  { href: '/help/errors', label: 'Errors', text: 'Every code, and what to do.' },
];

const Links = ({ links }: { readonly links: readonly ToldLink[] }) => (
  <List spacing={4}>
    {links.map(({ href, label, text, isDocument }) => (
      <List.Item key={href}>
        {isDocument ? (
          <Anchor href={href} target="_blank" rel="noreferrer" underline="always">
            {label}
          </Anchor>
        ) : (
          <Anchor component={Link} href={href} underline="always">
            {label}
          </Anchor>
        )}
        <Text span size="sm">
          {' '}
          {text}
        </Text>
      </List.Item>
    ))}
  </List>
);

export default About;
