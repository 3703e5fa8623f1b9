import { boolean, defaulted, freeObject, optional, record, required } from '../../schema/index.js';
import { type ApiRequest, apiPath } from '../api.js';
import { asks, does, file, name, type Tool, tool } from '../tool.js';

const id = required(name, { help: 'Id of the generator.', example: 'clicks' });
const one = record({ id });

const post = (url: string, body?: ApiRequest['body']): ApiRequest => ({
  method: 'post',
  path: url,
  ...(body === undefined ? {} : { body }),
});

export const runTools: readonly Tool[] = [
  tool({
    name: 'add_generator',
    title: 'Register a generator',
    description:
      'Registers a stored config under an id, so that start_generator can run it. Does not start it. With keep, also adds it to the ' +
      'startup list, so that the service starts it after a restart.',
    effect: 'changes',
    input: record({
      id: required(name, {
        help: 'Id of the new generator: letters, digits, ., _ and -.',
        example: 'clicks',
      }),
      path: required(file, {
        help: 'Path of the config below the generators directory.',
        example: 'clicks/generator.yml',
      }),
      params: optional(freeObject(), { help: 'Values for the ${params.NAME} placeholders of the config.' }),
      keep: defaulted(boolean(), false, { help: 'Also add it to the startup list.' }),
    }),
    run: does(
      ({ id: given, path: config, params, keep }) => {
        const body = { path: config, ...(params === null ? {} : { params }) };
        const registered = post(apiPath`/generators/${given}`, body);
        return keep ? [registered, post(apiPath`/startup/${given}`, body)] : [registered];
      },
      ({ id: given, keep }) => ({ id: given, registered: true, in_startup_list: keep }),
    ),
  }),
  tool({
    name: 'start_generator',
    title: 'Start a generator',
    description:
      'Reads the config and starts a registered generator: it writes events to its outputs from now on. Answers once it runs. ' +
      'Succeeds if it runs already; a changed config needs stop_generator first.',
    effect: 'changes',
    input: one,
    run: asks('running', ({ id: given }) => post(apiPath`/generators/${given}/start`)),
  }),
  tool({
    name: 'stop_generator',
    title: 'Stop a generator',
    description: 'Delivers events in flight and stops the generator. Succeeds if it does not run.',
    effect: 'changes',
    input: one,
    run: does(
      ({ id: given }) => [post(apiPath`/generators/${given}/stop`)],
      ({ id: given }) => ({ id: given, running: false }),
    ),
  }),
  tool({
    name: 'remove_generator',
    title: 'Unregister a generator',
    description: 'Stops a generator and removes it from the service. Its files and its startup entry stay.',
    effect: 'removes',
    input: one,
    run: does(
      ({ id: given }) => [{ method: 'delete', path: apiPath`/generators/${given}` }],
      ({ id: given }) => ({ id: given, removed: true }),
    ),
  }),
];
