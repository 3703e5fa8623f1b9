import { Button, CopyButton, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core';
import type { Json } from '../../../../domain/json.js';
import type { TailEvent } from '../../../api/streams/protocol.js';
import { JsonTree } from '../../../parts/JsonTree.js';

/** Returns the document in an event, or undefined when it is text. */
const documentOf = (text: string): Json | undefined => {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

/** One event in full: JSON as a tree that folds. */
export const EventView = ({ event }: { readonly event: TailEvent }) => {
  const document = documentOf(event.text);
  return (
    <Paper withBorder p="sm" component="section" aria-label="Event">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {document === undefined ? 'Text' : 'JSON'}
          </Text>
          <CopyButton value={event.text}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
        <ScrollArea.Autosize
          mah={360}
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Content of the event' }}
        >
          {document === undefined ? (
            <Text component="pre" size="xs" ff="monospace" m={0} className="wrapped">
              {event.text}
            </Text>
          ) : (
            <JsonTree value={document} />
          )}
        </ScrollArea.Autosize>
        {event.is_cut && <Text size="xs">The event is longer: the sample has its first 16 KiB.</Text>}
      </Stack>
    </Paper>
  );
};
