/** What runs on Linux servers by itself, and what people and tools start in their sessions there. */

/** A program that runs, by whom, and what started it. */
export interface DaemonProgram {
  readonly account: string;
  readonly parent_image: string;
  readonly image: string;
  /** After the image. */
  readonly args: string;
  /** Median of its life. */
  readonly seconds: number;
}

export const CRON = '/usr/sbin/cron';
export const SYSTEMD = '/usr/lib/systemd/systemd';
export const SHELL = '/usr/bin/bash';
export const SERVICE_SHELL = '/usr/bin/dash';
/** Runs with the rights of root, whoever starts it. */
export const SETUID_HELPER = '/usr/local/bin/backup-helper';
const AGENT = '/opt/agent/agentd';

/** Accounts of services, which nobody signs in with. */
export const SERVICE_ACCOUNTS = ['www-data', 'postgres', 'app', 'nobody'] as const;

const runs = (
  account: string,
  parent_image: string,
  image: string,
  args: string,
  seconds: number,
): DaemonProgram => ({ account, parent_image, image, args, seconds });

type Weighted<A> = readonly (readonly [weight: number, item: A])[];

/** Words in braces are drawn: see `filled`. */
export const DAEMON_PROGRAMS: Weighted<DaemonProgram> = [
  [9, runs('root', AGENT, '/usr/bin/python3.11', '/opt/agent/collect.py', 4)],
  [6, runs('root', AGENT, '/usr/bin/systemctl', 'is-active app.service', 0.2)],
  [5, runs('root', CRON, '/usr/lib/sysstat/debian-sa1', '1 1', 0.5)],
  [4, runs('root', SYSTEMD, '/usr/sbin/logrotate', '/etc/logrotate.conf', 3)],
  [4, runs('root', CRON, '/usr/bin/run-parts', '--report /etc/cron.hourly', 2)],
  [3, runs('root', SYSTEMD, '/usr/lib/apt/apt.systemd.daily', 'update', 14)],
  [3, runs('root', '/usr/lib/apt/apt.systemd.daily', '/usr/bin/dpkg', '--configure -a', 1.5)],
  [4, runs('root', SYSTEMD, '/usr/bin/gzip', '/var/log/app/current.log.1', 2)],
  [3, runs('root', CRON, '/usr/bin/find', '/var/lib/php/sessions -cmin +24 -delete', 1)],
  [2, runs('root', SYSTEMD, '/usr/sbin/nginx', '-s reload', 0.3)],
  [6, runs('app', '/usr/bin/node', '/usr/bin/node', '/srv/app/worker.js', 20)],
  [6, runs('www-data', '/usr/sbin/php-fpm8.2', SERVICE_SHELL, '-c php /var/www/html/cron.php', 2)],
  [5, runs('www-data', '/usr/sbin/php-fpm8.2', '/usr/bin/convert', '-resize 800x600 upload.jpg', 1.2)],
  [3, runs('www-data', SERVICE_SHELL, '/usr/bin/id', '', 0.1)],
  [3, runs('postgres', '/usr/lib/postgresql/15/bin/postgres', SERVICE_SHELL, '-c /opt/backup/archive.sh', 1)],
];

/** What looks after accounts and watches over settings: the agent of the configuration management, mostly. */
export const CARE_PROGRAMS: Weighted<DaemonProgram> = [
  [5, runs('root', AGENT, '/usr/bin/cat', '/etc/shadow', 0.1)],
  [4, runs('root', AGENT, '/usr/bin/find', '/ -perm -4000 -type f', 9)],
  [4, runs('root', AGENT, '/usr/sbin/usermod', '-aG sudo {account}', 0.4)],
  [5, runs('root', AGENT, '/usr/bin/rm', '-f /var/log/{log}', 0.1)],
  [4, runs('root', SETUID_HELPER, '/usr/bin/cat', '/etc/shadow', 0.1)],
  [4, runs('root', SETUID_HELPER, '/usr/bin/rm', '-f /var/log/{log}', 0.1)],
  [3, runs('root', SETUID_HELPER, '/usr/sbin/usermod', '-aG sudo {account}', 0.4)],
  [4, runs('www-data', SERVICE_SHELL, '/usr/bin/find', '/ -perm -4000 -type f', 9)],
  [5, runs('www-data', SERVICE_SHELL, '/usr/bin/id', '', 0.1)],
  [5, runs('www-data', '/usr/sbin/php-fpm8.2', SERVICE_SHELL, '-i', 3)],
  [6, runs('www-data', SERVICE_SHELL, SETUID_HELPER, '--exec /bin/sh', 2)],
  [4, runs('app', SERVICE_SHELL, SETUID_HELPER, '--exec /bin/sh', 2)],
  [4, runs('app', '/usr/bin/node', SERVICE_SHELL, '-i', 3)],
];

export const LOG_FILES = [
  'auth.log.4.gz',
  'syslog.7.gz',
  'auth.log',
  'app/current.log.9',
  'wtmp.1',
  'btmp.1',
];

/** Where archives go, by name: a backup host of a provider, and places for files. */
export const ARCHIVE_NAMES = [
  'share.big-files.example',
  'dl.big-files.example',
  'backup.cloud-house.example',
  'packages.code-forge.example',
];

/** Programs of a session, beside those that people start now and then. */
export const SESSION_TOOLS: Weighted<readonly [image: string, args: string, seconds: number]> = [
  [14, ['/usr/bin/ls', '-l', 0.1]],
  [8, ['/usr/bin/ls', '--color=auto -la /var/log', 0.1]],
  [8, ['/usr/bin/tail', '-n 200 /var/log/app/current.log', 0.3]],
  [5, ['/usr/bin/df', '-h', 0.2]],
  [6, ['/usr/bin/ps', 'aux', 0.2]],
  [4, ['/usr/bin/grep', '-rn timeout /etc/nginx', 0.4]],
  [3, ['/usr/bin/cat', '/etc/os-release', 0.1]],
  [3, ['/usr/bin/uptime', '', 0.1]],
  [3, ['/usr/bin/id', '', 0.1]],
  [3, ['/usr/bin/free', '-m', 0.1]],
  [6, ['/usr/bin/curl', '-fsS http://127.0.0.1:8080/healthz', 0.5]],
  [4, ['/usr/bin/git', 'pull --ff-only', 3]],
  [3, ['/usr/bin/python3.11', 'report.py --month 2', 8]],
  [3, ['/usr/bin/rsync', '-a build/ releases/next/', 4]],
  [3, ['/usr/bin/du', '-sh /srv/data', 2]],
  [2, ['/usr/bin/psql', '-c select_1', 0.3]],
  [2, ['/usr/bin/scp', 'report.csv /srv/reports/', 1]],
  [2, ['/usr/bin/nc', '-zv localhost 5432', 0.3]],
];

export const SUDO_COMMANDS: Weighted<string> = [
  [20, 'systemctl restart app'],
  [12, 'systemctl reload nginx'],
  [14, 'journalctl -u app -n 200'],
  [8, 'apt-get update'],
  [4, 'apt-get -y upgrade'],
  [9, 'tail -n 100 /var/log/auth.log'],
  [8, 'vim /etc/nginx/conf.d/app.conf'],
  [6, 'ss -tlnp'],
  [5, 'su -'],
  [4, 'ufw status'],
  [6, 'docker restart worker'],
  [4, 'lsof -i :8080'],
  [3, 'cat /etc/shadow'],
];

/** Files whose use is watched, by weight. */
export const WATCHED_FILES: Weighted<string> = [
  [9, '/etc/passwd'],
  [6, '/etc/shadow'],
  [6, '/etc/group'],
  [2, '/etc/gshadow'],
  [4, '/etc/sudoers'],
  [3, '/etc/sudoers.d/ops'],
  [4, '/etc/ssh/sshd_config'],
  [5, '/etc/hosts'],
  [6, '/etc/resolv.conf'],
  [2, '/etc/localtime'],
  [3, '/etc/crontab'],
  [2, '/etc/cron.d/backup'],
  [1, '/var/spool/cron/crontabs/root'],
  [2, '/etc/pam.d/sshd'],
  [5, '/etc/nginx/nginx.conf'],
  [5, '/etc/nginx/conf.d/app.conf'],
  [2, '/etc/systemd/system/app.service'],
  [4, '/var/log/auth.log'],
  [5, '/var/log/wtmp'],
  [4, '/var/log/lastlog'],
  [1, '/root/.ssh/authorized_keys'],
  [2, '/srv/app/config/secrets.yml'],
  [4, '/srv/app/config/app.yml'],
  [1, '/etc/audit/audit.rules'],
];

/** What opens them: image, and whether it writes. */
export const FILE_TOOLS: Weighted<readonly [image: string, writes: boolean]> = [
  [30, ['/usr/bin/vim.basic', true]],
  [30, ['/usr/bin/cat', false]],
  [10, ['/usr/bin/sed', false]],
  [10, ['/usr/bin/tee', true]],
  [15, ['/usr/bin/grep', false]],
  [5, ['/usr/sbin/useradd', true]],
];

export const UNITS: Weighted<string> = [
  [5, 'nginx'],
  [9, 'app'],
  [7, 'worker'],
  [3, 'postgresql'],
  [18, 'sysstat-collect'],
  [6, 'logrotate'],
  [4, 'apt-daily'],
  [3, 'apt-daily-upgrade'],
  [2, 'fstrim'],
  [3, 'man-db'],
  [6, 'systemd-tmpfiles-clean'],
  [4, 'fwupd-refresh'],
  [4, 'motd-news'],
  [4, 'certbot'],
  [5, 'backup'],
  [7, 'systemd-hostnamed'],
  [3, 'systemd-timedated'],
  [3, 'packagekit'],
  [4, 'collector'],
];

export const CRON_JOBS: Weighted<readonly [account: string, command: string]> = [
  [30, ['root', 'command -v debian-sa1 > /dev/null && debian-sa1 1 1']],
  [14, ['root', 'cd / && run-parts --report /etc/cron.hourly']],
  [10, ['www-data', 'php /var/www/html/cron.php']],
  [8, ['postgres', '/opt/backup/archive.sh']],
  [8, ['app', '/srv/app/bin/rotate-cache']],
  [10, ['root', '/opt/backup/run.sh']],
  [6, ['root', '/usr/local/bin/check-disk']],
];

/** Programs that connect: image, account, and the purpose that decides where they go. */
export const CLIENTS: Weighted<
  readonly [image: string, account: string, to: 'database' | 'page' | 'mail' | 'directory' | 'log']
> = [
  [35, ['/usr/bin/node', 'app', 'database']],
  [20, ['/usr/bin/python3.11', 'app', 'database']],
  [15, ['/usr/sbin/nginx', 'www-data', 'page']],
  [10, ['/usr/sbin/php-fpm8.2', 'www-data', 'page']],
  [15, ['/usr/sbin/rsyslogd', 'root', 'log']],
  [5, ['/usr/lib/apt/methods/https', 'nobody', 'page']],
  [10, ['/usr/libexec/sssd/sssd_be', 'root', 'directory']],
  [4, ['/usr/sbin/sendmail', 'www-data', 'mail']],
];

/** Accounts that are tried from outside, and by scanners. */
export const GUESSED_ACCOUNTS = ['root', 'admin', 'test', 'oracle', 'ubuntu', 'postgres', 'git', 'user'];
/** Accounts of tools that sign in on servers. */
export const TOOL_ACCOUNTS = {
  config: 'svc-config',
  monitor: 'svc-monitor',
  backup: 'svc-backup',
  scan: 'svc-scan',
} as const;

/** Packages, with the versions before and after an update. */
export const PACKAGES: Weighted<readonly [name: string, before: string, after: string]> = [
  [5, ['libssl3', '3.0.14-1', '3.0.15-1']],
  [5, ['openssl', '3.0.14-1', '3.0.15-1']],
  [4, ['curl', '7.88.1-10', '7.88.1-11']],
  [4, ['libcurl4', '7.88.1-10', '7.88.1-11']],
  [3, ['nginx', '1.22.1-9', '1.22.1-10']],
  [2, ['postgresql-15', '15.8-0', '15.9-0']],
  [3, ['tzdata', '2025a-0', '2025b-0']],
  [2, ['ca-certificates', '20240203', '20250419']],
  [2, ['linux-image-amd64', '6.1.112-1', '6.1.115-1']],
  [3, ['openssh-server', '9.2p1-2', '9.2p1-3']],
  [2, ['sudo', '1.9.13p3-1', '1.9.13p3-2']],
  [3, ['python3.11', '3.11.2-5', '3.11.2-6']],
  [2, ['systemd', '252.30-1', '252.31-1']],
  [2, ['git', '2.39.2-1', '2.39.5-0']],
];

/** Ports that are tried although no server has them open. */
export const CLOSED_PORTS: Weighted<readonly [port: number, protocol: 'tcp' | 'udp']> = [
  [20, [23, 'tcp']],
  [14, [445, 'tcp']],
  [12, [3389, 'tcp']],
  [8, [8080, 'tcp']],
  [5, [5900, 'tcp']],
  [5, [1433, 'tcp']],
  [5, [3306, 'tcp']],
  [6, [6379, 'tcp']],
  [3, [9200, 'tcp']],
  [3, [27017, 'tcp']],
  [4, [2375, 'tcp']],
  [3, [21, 'tcp']],
  [3, [25, 'tcp']],
  [3, [123, 'udp']],
  [4, [161, 'udp']],
  [3, [1900, 'udp']],
  [5, [5060, 'udp']],
  [2, [389, 'tcp']],
  [2, [5985, 'tcp']],
];
