import { Stack, Title } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

/** A part of a page under a heading, which names it. */
export const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Stack component="section" gap="sm" aria-label={title}>
    <Title order={2} size="h4">
      {title}
    </Title>
    {children}
  </Stack>
);

interface ScrollerProps {
  readonly label: string;
  readonly className: string;
  readonly ref: Ref<HTMLElement>;
  /** Most pixels of its height, if not those of its class. */
  readonly height?: number;
  readonly children: ReactNode;
}

/** A long list that the browser scrolls itself: the scroll area of Mantine measures its list at each frame. */
export const Scroller = ({ label, className, height, ...rest }: ScrollerProps) => {
  const style = height === undefined ? {} : { style: { maxHeight: height } };
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
  return <section className={`scroller ${className}`} aria-label={label} tabIndex={0} {...style} {...rest} />;
};
