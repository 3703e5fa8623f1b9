import { Anchor } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { shownCount } from '../../parts/numbers.js';

const MAX_NAMES = 5;

/** Generators by name, each a link; many are counted. */
export const GeneratorNames = ({ ids }: { readonly ids: readonly string[] }) => (
  <>
    {ids.slice(0, MAX_NAMES).map((id, index) => (
      <Fragment key={id}>
        {index > 0 && ', '}
        <Anchor component={Link} href={`/r/${encodeURIComponent(id)}`} underline="always" inherit>
          {id}
        </Anchor>
      </Fragment>
    ))}
    {ids.length > MAX_NAMES && ` and ${shownCount(ids.length - MAX_NAMES)} more`}
  </>
);
