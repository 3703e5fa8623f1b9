import type { CommandGroup } from '../../arguments/command.js';
import { serviceInstall } from './install.js';
import { serviceStatus } from './status.js';
import { serviceUninstall } from './uninstall.js';

export const service: CommandGroup = {
  name: 'service',
  summary: 'Installs, removes and shows the systemd service of an instance.',
  commands: [serviceInstall, serviceUninstall, serviceStatus],
};
