import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { Needs } from '../../app/role.js';
import { tellDone, tellError } from '../../parts/notes.js';
import { shownCount, shownFine, shownRate, shownSeconds } from '../../parts/numbers.js';
import { StateBadge } from '../../parts/Phase.js';
import { Question } from '../../parts/Questions.js';
import { drainWords, nodeLookOf, nodeShareOf, removeWords, resumeWords, type ShownNode } from './nodes.js';

interface NodeProps {
  readonly node: ShownNode;
  readonly nodes: readonly ShownNode[];
}

/** An order to a node, and its words. */
interface NodeOrder {
  readonly verb: 'Drain' | 'Resume' | 'Remove';
  readonly operation: 'drainNode' | 'resumeNode' | 'removeNode';
  readonly question: string;
  readonly done: string;
  readonly failed: string;
}

const drainOrder = ({ node, nodes }: NodeProps): NodeOrder => ({
  verb: 'Drain',
  operation: 'drainNode',
  question: drainWords(node, nodes),
  done: `${node.name} gives its generators away.`,
  failed: `${node.name} was not drained`,
});

const resumeOrder = ({ node, nodes }: NodeProps): NodeOrder => ({
  verb: 'Resume',
  operation: 'resumeNode',
  question: resumeWords(node, nodes),
  done: `${node.name} takes generators again.`,
  failed: `${node.name} was not resumed`,
});

const removeOrder = ({ node: { name } }: NodeProps): NodeOrder => ({
  verb: 'Remove',
  operation: 'removeNode',
  question: removeWords(name),
  done: `${name} is removed.`,
  failed: `${name} was not removed`,
});

const OrderButton = ({ name, order }: { readonly name: string; readonly order: NodeOrder }) => {
  const { verb, operation, question, done, failed } = order;
  const [isAsking, asking] = useDisclosure(false);
  const client = useQueryClient();
  const sending = useMutation({
    mutationFn: () => call(operation, { path: { node: name } }),
    onSuccess: () => tellDone(done),
    onError: (error) => tellError(failed, error),
    onSettled: () => client.invalidateQueries({ queryKey: ['cluster'] }),
  });
  return (
    <>
      <Needs to={operation}>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${verb} ${name}`}
          onClick={asking.open}
          loading={sending.isPending}
        >
          {verb}
        </Button>
      </Needs>
      <Question
        isOpen={isAsking}
        title={`${verb} ${name}?`}
        verb={verb}
        {...(verb === 'Resume' ? { color: 'cyan' } : {})}
        onYes={() => sending.mutate()}
        onClose={asking.close}
      >
        {question}
      </Question>
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
  refused.map(({ reason, tasks }) => (
    <Alert key={reason} color="orange" p="xs" title={`It cannot run ${tasks.join(', ')}`}>
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
    <Fact label="Share of the cluster">{nodeShareOf(node, nodes) ?? 'none'}</Fact>
    <Fact label="Capacity">{shownFine(node.capacity)}</Fact>
    <Fact label="Last seen">{shownSeconds(node.seen_seconds_ago)} ago</Fact>
    <Fact label="Version">{node.version}</Fact>
    <Fact label="API" isLong>
      <Address api={node.api} />
    </Fact>
  </dl>
);

/** A node with its load, what is wrong with it, and its buttons. */
export const NodeCard = ({ node, nodes, isHere }: NodeProps & { readonly isHere: boolean }) => {
  const { word, color, meaning } = nodeLookOf(node);
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
          <Group gap="xs">
            {node.phase === 'lost' && <OrderButton name={node.name} order={removeOrder({ node, nodes })} />}
            <OrderButton
              name={node.name}
              order={node.is_drained ? resumeOrder({ node, nodes }) : drainOrder({ node, nodes })}
            />
          </Group>
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
        {node.problems.map((problem) => (
          <Alert key={problem} color="red" p="xs">
            <Text size="sm" className="wrapped">
              {problem}
            </Text>
          </Alert>
        ))}
        <Refused refused={node.refused} />
      </Stack>
    </Paper>
  );
};
