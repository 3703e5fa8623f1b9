import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** Deep water and slate in place of two colors of Mantine; ten shades each, from light to dark. */
const COLORS = {
  cyan: [
    ...(['#e6f6f8', '#cfe9ee', '#a3d4dd', '#73bdca', '#4ba9ba'] as const),
    ...(['#309cb0', '#1d90a5', '#128093', '#0c7687', '#0a6b7c'] as const),
  ] as const,
  dark: [
    ...(['#d3dce0', '#b4c0c6', '#8c9aa1', '#5d6b73', '#3a464d'] as const),
    ...(['#2c373d', '#1f282d', '#151c20', '#10161a', '#0b1013'] as const),
  ] as const,
};

/** Fonts, colors and defaults of all pages. */
export const theme = createTheme({
  primaryColor: 'cyan',
  colors: COLORS,
  // White text on it has enough contrast; Mantine chooses the color of such text by the light shade alone.
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  headings: { fontWeight: '600' },
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
