import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';

export const Nothing = () => (
  <Stack>
    <Title order={1} size="h2">
      There is no such page
    </Title>
    <Text>
      Go to the{' '}
      <Anchor component={Link} href="/" underline="always">
        overview
      </Anchor>
      .
    </Text>
  </Stack>
);
