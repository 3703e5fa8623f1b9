import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'cyan',
  // White text on it has enough contrast; Mantine chooses the color of such text by the light shade alone.
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, monospace',
  cursorType: 'pointer',
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
});

const darker = (color: string, percent: number): string =>
  `color-mix(in srgb, var(--mantine-color-${color}-9), black ${percent}%)`;

/** Filled buttons under the pointer: Mantine takes a lighter shade. */
const hoveredButtons = (colors: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(colors.map((color) => [`--mantine-color-${color}-filled-hover`, darker(color, 15)]));

/** Colors with the contrast of WCAG AA; those of Mantine have less. */
export const readableColors: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    ...hoveredButtons(Object.keys(colors)),
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    ...Object.fromEntries(
      Object.keys(colors).flatMap((color) => [
        [`--mantine-color-${color}-text`, darker(color, 25)],
        [`--mantine-color-${color}-light-color`, darker(color, 40)],
      ]),
    ),
  },
  dark: { ...hoveredButtons(Object.keys(colors)), '--mantine-color-dimmed': 'var(--mantine-color-dark-1)' },
});
