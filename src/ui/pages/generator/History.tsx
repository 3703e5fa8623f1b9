import { Button, Code, Loader, Stack, Text, Timeline } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { ErrorNote, ErrorText } from '../../parts/notes.js';
import { meaningOf } from './letters.js';
import './letters.css';
import { type ShownTurn, shownTurns } from './turns.js';
import { useZone } from './useZone.js';

const FIRST_SHOWN = 8;

const Turn = ({ turn, config }: { readonly turn: ShownTurn; readonly config: string }) => (
  <Stack gap={4}>
    <Text size="sm" className="figure">
      {[turn.when, turn.ran].filter((text) => text !== '').join(', ')}
    </Text>
    {turn.reason !== null && <ErrorText text={turn.reason} config={config} />}
    {turn.code !== null && (
      <Text size="sm">
        <Code>{turn.code}</Code> {meaningOf(turn.code)}
      </Text>
    )}
  </Stack>
);

/** The last starts, ends and failures of a generator, newest first. */
export const History = ({ id, config }: { readonly id: string; readonly config: string }) => {
  const zone = useZone(id);
  const client = useQueryClient();
  const [isWhole, setWhole] = useState(false);
  const live = useLive().generators.get(id);
  const history = useQuery({
    queryKey: ['turns', id],
    queryFn: () => call('readGeneratorHistory', { path: { id } }),
  });
  const state = `${live?.phase} ${live?.reason}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the state may be a new line.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['turns', id] });
  }, [client, id, state]);
  if (history.isError) return <ErrorNote title="The history cannot be read" error={history.error} />;
  if (history.data === undefined)
    return <Loader size="sm" className="late" aria-label="Reading the history" />;
  const turns = shownTurns(history.data, zone);
  const shown = isWhole ? turns : turns.slice(0, FIRST_SHOWN);
  const rest = turns.length - shown.length;
  return (
    <Stack gap="md">
      {turns.length === 0 ? (
        <Text>The generator has not started yet.</Text>
      ) : (
        <Timeline bulletSize={16} lineWidth={2} active={shown.length}>
          {shown.map((turn) => (
            <Timeline.Item key={turn.key} title={turn.title} color={turn.color}>
              <Turn turn={turn} config={config} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
      {rest > 0 && (
        <Button variant="default" onClick={() => setWhole(true)}>
          Show {rest} more
        </Button>
      )}
      <Text size="sm">
        The last 50, since the service started; times in {zone}. The log of the generator has all of them.
      </Text>
    </Stack>
  );
};
