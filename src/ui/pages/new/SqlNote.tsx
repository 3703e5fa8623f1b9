import { Button, Code, CopyButton, Group } from '@mantine/core';
import { Check, Copy } from 'lucide-react';

/** A statement to run in ClickHouse. */
export const SqlNote = ({ sql }: { readonly sql: string }) => (
  <div>
    <Code block tabIndex={0}>
      {sql}
    </Code>
    <Group mt="xs">
      <CopyButton value={sql}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={copied ? <Check size={14} /> : <Copy size={14} />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  </div>
);
