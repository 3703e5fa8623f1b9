import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { Ask } from '../../parts/Ask.js';
import { shownCount, shownFine, shownRate, shownSeconds } from '../../parts/numbers.js';
import { StateBadge } from '../../parts/Phase.js';
import { tellDone, tellError } from '../../parts/tell.js';
import { drainWords, lookOf, resumeWords, type ShownNode, shareOf } from './nodes.js';

interface NodeProps {
  readonly node: ShownNode;
  readonly nodes: readonly ShownNode[];
}

const useDrain = (name: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (drain: boolean) => call(drain ? 'drainNode' : 'resumeNode', { path: { node: name } }),
    onSuccess: (_, drain) =>
      tellDone(drain ? `${name} gives its generators away.` : `${name} takes generators again.`),
    onError: (error, drain) => tellError(`${name} was not ${drain ? 'drained' : 'resumed'}`, error),
    onSettled: () => client.invalidateQueries({ queryKey: ['cluster'] }),
  });
};

const DrainButton = ({ node, nodes }: NodeProps) => {
  const { name, is_drained } = node;
  const [isAsking, asking] = useDisclosure(false);
  const draining = useDrain(name);
  const verb = is_drained ? 'Resume' : 'Drain';
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${verb} ${name}`}
        onClick={asking.open}
        loading={draining.isPending}
      >
        {verb}
      </Button>
      <Ask
        isOpen={isAsking}
        title={`${verb} ${name}?`}
        verb={verb}
        {...(is_drained ? { color: 'cyan' } : {})}
        onYes={() => draining.mutate(!is_drained)}
        onClose={asking.close}
      >
        {is_drained ? resumeWords(node, nodes) : drainWords(node, nodes)}
      </Ask>
    </>
  );
};

interface FactProps {
  readonly label: string;
  readonly isLong?: true;
  readonly children: ReactNode;
}

const Fact = ({ label, isLong, children }: FactProps) => (
  <div className={isLong ? 'long' : ''}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const Refused = ({ refused }: Pick<ShownNode, 'refused'>) =>
  refused.map(({ reason, units }) => (
    <Alert key={reason} color="orange" p="xs" title={`It cannot run ${units.join(', ')}`}>
      <Text size="sm" className="wrapped">
        {reason}
      </Text>
    </Alert>
  ));

const Address = ({ api }: Pick<ShownNode, 'api'>) =>
  api === null ? (
    'none'
  ) : (
    <Anchor href={api} inherit underline="always" className="wrapped">
      {api}
    </Anchor>
  );

const Facts = ({ node, nodes }: NodeProps) => (
  <dl className="facts">
    <Fact label="Generators">{shownCount(node.generators)}</Fact>
    <Fact label="Events/s">{shownRate(node.events_per_second)}</Fact>
    <Fact label="Cores in use">{shownFine(node.cpu)}</Fact>
    <Fact label="Share of the cluster">{shareOf(node, nodes) ?? 'none'}</Fact>
    <Fact label="Capacity">{shownFine(node.capacity)}</Fact>
    <Fact label="Last seen">{shownSeconds(node.seen_seconds_ago)} ago</Fact>
    <Fact label="Version">{node.version}</Fact>
    <Fact label="API" isLong>
      <Address api={node.api} />
    </Fact>
  </dl>
);

/** A node with its load, and the button that drains it or takes it back. */
export const NodeCard = ({ node, nodes, isHere }: NodeProps & { readonly isHere: boolean }) => {
  const { word, color, meaning } = lookOf(node);
  return (
    <Paper withBorder p="md" component="li">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="xs">
            <Title order={3} size="h4" className="wrapped">
              {node.name}
            </Title>
            {isHere && (
              <Badge variant="outline" color="gray">
                this node
              </Badge>
            )}
          </Group>
          <DrainButton node={node} nodes={nodes} />
        </Group>
        <Group gap="xs">
          <StateBadge word={word} color={color} />
          <Text size="sm">{meaning}</Text>
        </Group>
        <Facts node={node} nodes={nodes} />
        <Group gap="xs" aria-label={`Labels of ${node.name}`} role="group">
          {Object.entries(node.labels).map(([key, value]) => (
            <Badge key={key} variant="light" color="gray" tt="none" autoContrast>
              {key}: {value}
            </Badge>
          ))}
        </Group>
        <Refused refused={node.refused} />
      </Stack>
    </Paper>
  );
};
