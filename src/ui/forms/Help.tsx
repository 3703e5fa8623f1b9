import { Code, Text } from '@mantine/core';

/** The help of a declaration; what stands in backticks is code. */
export const Help = ({ text }: { readonly text: string }) => (
  <Text size="sm" mb={4} className="wrapped">
    {text.split('`').map((part, index) =>
      index % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text
        <Code key={index}>{part}</Code>
      ) : (
        part
      ),
    )}
  </Text>
);
