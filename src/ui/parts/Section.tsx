import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page under a heading, which names it. */
export const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Stack component="section" gap="sm" aria-label={title}>
    <Title order={2} size="h4">
      {title}
    </Title>
    {children}
  </Stack>
);
