import { textOption, textsOption } from './option.js';

/** Options of commands that read generator configs. Third-party plugins are installed before the command runs. */
export const PLUGIN_OPTIONS = {
  plugin: textsOption('FILE', {
    help: 'Load plugins of others from this file or installed package. Can be repeated.',
  }),
  config: textOption('FILE', {
    short: 'c',
    help: 'Load the plugins of these settings (generation.plugins).',
  }),
};
