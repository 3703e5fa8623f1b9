/** Facilities by code (RFC 5424, 6.2.1); the last ones before `local0` have no agreed names. */
export const FACILITIES = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp'],
  ...['ntp', 'audit', 'alert', 'clock'],
  ...['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
] as const;

/** Severities by code. */
export const SEVERITIES = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const;

export const priorityOf = (facility: string, severity: string): number =>
  (FACILITIES as readonly string[]).indexOf(facility) * SEVERITIES.length +
  (SEVERITIES as readonly string[]).indexOf(severity);
