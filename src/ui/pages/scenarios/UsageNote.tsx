import { Text } from '@mantine/core';
import type { KeyUsage, Place } from './usage.js';

const MAX_PLACES = 3;

const placesText = (places: readonly Place[]): string => {
  const named = places.slice(0, MAX_PLACES).map(({ member, template }) => `${member} (${template})`);
  const rest = places.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
};

/** Which templates write and read a key. */
export const UsageNote = ({ usage: { writes, reads } }: { readonly usage: KeyUsage }) => (
  <>
    {writes.length > 0 && (
      <Text size="xs" className="wrapped">
        Written by {placesText(writes)}
      </Text>
    )}
    {reads.length > 0 && (
      <Text size="xs" className="wrapped">
        Read by {placesText(reads)}
      </Text>
    )}
  </>
);
