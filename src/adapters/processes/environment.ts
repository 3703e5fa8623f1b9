import { NEW_PASSWORD_VARIABLE, PASSWORD_VARIABLE } from '../keyring/password.js';

/** Not passed on: passwords and access to systemd. */
const OWN_VARIABLES = [
  PASSWORD_VARIABLE,
  NEW_PASSWORD_VARIABLE,
  'NOTIFY_SOCKET',
  'WATCHDOG_PID',
  'WATCHDOG_USEC',
  'LISTEN_FDS',
  'LISTEN_PID',
];

/** Environment for programs that run user code. */
export const environment = (): NodeJS.ProcessEnv => {
  const env = { ...process.env };
  for (const name of OWN_VARIABLES) delete env[name];
  return env;
};
