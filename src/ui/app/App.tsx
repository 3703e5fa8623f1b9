import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { NONCE } from './nonce.js';
import { Pages } from './Pages.js';
import { queries } from './queries.js';
import { Session } from './Session.js';
import { readableColors, theme } from './theme.js';

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={readableColors}
    defaultColorScheme="auto"
    getStyleNonce={() => NONCE}
  >
    <Notifications position="bottom-right" />
    <QueryClientProvider client={queries}>
      <Session>
        <Pages />
      </Session>
    </QueryClientProvider>
  </MantineProvider>
);
