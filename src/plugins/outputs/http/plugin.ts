import { basename } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { OutputPlugin } from '../../kit.js';
import { openHttp, secretsIn } from '../shared/http/open.js';
import { compilePlaceholders } from '../shared/http/placeholders.js';
import { probe } from '../shared/http/probe.js';
import { fillingOf, httpOutput } from './output.js';
import { httpSpec, type outputHttpFields } from './spec.js';

export const httpPlugin: OutputPlugin<typeof outputHttpFields> = {
  spec: httpSpec,
  open: async (params, context) => {
    const generator = basename(context.directory);
    const url = new URL(compilePlaceholders(params.url, encodeURIComponent)(fillingOf(context, generator)));
    // A query may hold a key.
    const name = params.url.replace(/[?#].*/s, '');
    const connection = await openHttp(
      'http',
      params,
      {
        url,
        name,
        field: 'url',
        max_connections: params.concurrency,
        secrets: secretsIn(url),
      },
      context,
    );
    if (E.isLeft(connection)) return connection;
    const { client, agent, report } = connection.right;
    const reached = await probe(agent, url, context.signal);
    if (E.isRight(reached)) return E.right(httpOutput({ client, params, report, name, generator, context }));
    client.close();
    return E.left(report('cannot open', reached.left));
  },
};
