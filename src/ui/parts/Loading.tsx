import './loading.css';
import { Skeleton, Stack } from '@mantine/core';

/** The place of what is being loaded; it shows after a moment, so that fast answers do not flicker. */
export const Loading = () => (
  <Stack className="loading" role="status" aria-label="Loading">
    <Skeleton height={28} width="30%" />
    <Skeleton height={72} />
    <Skeleton height={240} />
  </Stack>
);
