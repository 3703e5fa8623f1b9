import * as E from 'fp-ts/lib/Either.js';
import type { OutputPlugin } from '../../kit.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { openHttp, secretsIn } from '../shared/http/open.js';
import { probe } from '../shared/http/probe.js';
import { httpOutput, urlMaker } from './output.js';
import { httpSpec, type outputHttpFields } from './spec.js';

export const httpPlugin: OutputPlugin<typeof outputHttpFields> = {
  spec: httpSpec,
  open: async (params, context) => {
    const generator = generatorName(context);
    const url = urlMaker(params.url, { generator, zone: context.zone })(context.clock.now());
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
