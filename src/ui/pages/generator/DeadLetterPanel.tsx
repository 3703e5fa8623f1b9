import { Badge, Button, Card, Group, List, Stack, Text } from '@mantine/core';
import { ChevronDown, ChevronRight, Send, Trash2 } from 'lucide-react';
import type { DeadLetterSummary } from '../../../messages/deadLetters.js';
import { Needs } from '../../app/role.js';
import { shownCount } from '../../parts/numbers.js';
import { shownTime } from '../../parts/times.js';
import { DeadLetterPage } from './DeadLetterPage.js';
import { countedDeadLetters, deadLetterBytes, meaningOf } from './deadLetterTexts.js';

const MAX_REASONS = 3;

interface PanelProps {
  readonly id: string;
  readonly summary: DeadLetterSummary;
  readonly zone: string;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly onToggle: () => void;
  readonly onSend: () => void;
  readonly onPurge: () => void;
}

const Reasons = ({ reasons }: Pick<DeadLetterSummary, 'reasons'>) => (
  <List size="sm" listStyleType="none">
    {reasons.slice(0, MAX_REASONS).map(({ code, reason, letters }) => (
      <List.Item key={`${code} ${reason}`}>
        <Text size="sm" className="wrapped">
          <Text component="span" fw={600} size="sm" className="figure">
            {shownCount(letters)} ×
          </Text>{' '}
          {reason}{' '}
          <Badge variant="light" color="red" size="sm" autoContrast tt="none" title={meaningOf(code)}>
            {code === '' ? 'several' : code}
          </Badge>
        </Text>
      </List.Item>
    ))}
    {reasons.length > MAX_REASONS && (
      <List.Item>and {shownCount(reasons.length - MAX_REASONS)} other reasons</List.Item>
    )}
  </List>
);

const sinceOf = ({ oldest, newest }: DeadLetterSummary, zone: string): string => {
  if (oldest === null || newest === null) return '';
  const [from, to] = [shownTime(oldest, zone), shownTime(newest, zone)];
  return from === to ? from : `${from} – ${to}`;
};

/** Dead letters of one output: how many, since when, why, and what can be done. */
export const DeadLetterPanel = ({
  id,
  summary,
  zone,
  isOpen,
  isBusy,
  onToggle,
  onSend,
  onPurge,
}: PanelProps) => {
  const { output, letters, bytes, torn } = summary;
  return (
    <Card withBorder component="section" aria-label={`Dead letters of ${output}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="start">
          <div>
            <Text fw={600}>{output}</Text>
            <Text size="sm" className="figure">
              {countedDeadLetters(letters)}, {deadLetterBytes(bytes)}
            </Text>
            <Text size="sm" className="figure">
              {sinceOf(summary, zone)}
            </Text>
          </div>
          <Group gap="xs">
            <Needs to="resendDeadLetters">
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<Send size={14} />}
                disabled={isBusy || letters === 0}
                onClick={onSend}
                aria-label={`Send again the dead letters of ${output}`}
              >
                Send again
              </Button>
            </Needs>
            <Needs to="purgeDeadLetters">
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<Trash2 size={14} />}
                disabled={isBusy}
                onClick={onPurge}
                aria-label={`Remove the dead letters of ${output}`}
              >
                Remove
              </Button>
            </Needs>
          </Group>
        </Group>
        <Reasons reasons={summary.reasons} />
        {torn > 0 && (
          <Text size="sm">
            {shownCount(torn)} torn {torn === 1 ? 'line' : 'lines'}, left by a crash. Sending or removing the
            letters moves them to torn.txt.
          </Text>
        )}
        {letters > 0 && (
          <Group>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={isOpen ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
              aria-expanded={isOpen}
              onClick={onToggle}
            >
              {isOpen ? 'Hide letters' : 'Show letters'}
            </Button>
          </Group>
        )}
        {isOpen && letters > 0 && <DeadLetterPage id={id} output={output} letters={letters} zone={zone} />}
      </Stack>
    </Card>
  );
};
