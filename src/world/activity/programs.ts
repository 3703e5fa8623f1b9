/** Programs that run in a world, and their parents. */

export interface RunnableProgram {
  readonly image: string;
  readonly command_line: string;
  /** Median of its life in seconds; null when its user decides. */
  readonly seconds: number | null;
  /** Libraries that it loads, files that it writes: what sensors of an endpoint see. */
  readonly libraries: readonly string[];
  readonly writes: string | null;
  readonly key: string | null;
}

const SYSTEM = 'C:\\Windows\\System32\\';
const OFFICE = 'C:\\Program Files\\Microsoft Office\\root\\Office16\\';

/** Libraries that most programs load, two each beside those that all do. */
const LIBRARIES = [
  'user32.dll',
  'advapi32.dll',
  'combase.dll',
  'ws2_32.dll',
  'crypt32.dll',
  'shell32.dll',
  'uxtheme.dll',
  'bcrypt.dll',
  'winhttp.dll',
  'dbghelp.dll',
  'samlib.dll',
];
const librariesOf = (image: string): readonly string[] =>
  [
    'ntdll.dll',
    'kernel32.dll',
    ...[0, 3].map((step) => LIBRARIES[(image.length + step) % LIBRARIES.length]),
  ].map((name) => `${SYSTEM}${name}`);

const program = (
  image: string,
  args: string,
  seconds: number | null,
  more: Partial<Pick<RunnableProgram, 'libraries' | 'writes' | 'key'>> = {},
): RunnableProgram => ({
  image,
  command_line: `${image.includes(' ') ? `"${image}"` : image}${args === '' ? '' : ` ${args}`}`,
  seconds,
  libraries: librariesOf(image),
  writes: null,
  key: null,
  ...more,
});

export const EXPLORER = program('C:\\Windows\\explorer.exe', '', null);
export const USERINIT = `${SYSTEM}userinit.exe`;
export const SERVICES = `${SYSTEM}services.exe`;
export const WMI_PROVIDER = `${SYSTEM}wbem\\WmiPrvSE.exe`;

/** By number, as in the plans of days. */
export const LONG_RUNNING: readonly RunnableProgram[] = [
  program(`${OFFICE}OUTLOOK.EXE`, '', null, { writes: 'AppData\\Local\\Microsoft\\Outlook\\index.nst' }),
  program('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', '--profile-directory=Default', null, {
    writes: 'AppData\\Local\\Google\\Chrome\\User Data\\Default\\History-journal',
  }),
  program('C:\\Program Files\\WindowsApps\\MSTeams\\ms-teams.exe', '', null, {
    writes: 'AppData\\Local\\Packages\\MSTeams\\LocalCache\\log.txt',
  }),
  program(`${OFFICE}EXCEL.EXE`, '', null, { writes: 'Documents\\~$plan.xlsx' }),
  program('C:\\Program Files\\Microsoft VS Code\\Code.exe', '', null, {
    writes: 'AppData\\Roaming\\Code\\User\\workspaceStorage\\state.vscdb',
  }),
  program(
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    '--no-startup-window --win-session-start',
    null,
  ),
];

/** A browser that Windows starts with the session. */
export const SESSION_BROWSER = LONG_RUNNING.length - 1;

type Weighted = readonly (readonly [weight: number, item: RunnableProgram])[];

/** What people start for a moment. */
export const SHORT: Weighted = [
  [
    14,
    program(`${OFFICE}WINWORD.EXE`, '/n "report.docx"', 40, {
      writes: 'Documents\\report.docx',
      // An add-in for labels, which nobody signed.
      libraries: [...librariesOf(`${OFFICE}WINWORD.EXE`), 'C:\\Program Files\\LabelPrint\\labelprint.dll'],
    }),
  ],
  [10, program('C:\\Program Files\\Adobe\\Acrobat\\Acrobat.exe', '"invoice.pdf"', 35)],
  [9, program(`${SYSTEM}notepad.exe`, 'notes.txt', 25, { writes: 'Documents\\notes.txt' })],
  [8, program(`${SYSTEM}SnippingTool.exe`, '', 12, { writes: 'Pictures\\Screenshots\\screenshot.png' })],
  [
    6,
    program('C:\\Program Files\\7-Zip\\7zG.exe', 'x archive.zip', 4, {
      writes: 'Downloads\\archive\\index.html',
    }),
  ],
  [4, program(`${SYSTEM}calc.exe`, '', 15)],
  [3, program(`${SYSTEM}cmd.exe`, '/c ipconfig /all', 1)],
  [2, program(`${SYSTEM}cmd.exe`, '/c net use', 1)],
];

/** What writes down the memory of a program that hangs or crashed; `{pid}` is that program. */
export const DUMP_TOOLS: Weighted = [
  [40, program(`${SYSTEM}WerFault.exe`, '-u -p {pid}', 3)],
  [30, program('C:\\Tools\\procdump64.exe', '-accepteula -ma {pid}', 4)],
  [30, program(`${SYSTEM}Taskmgr.exe`, '/4', 25)],
];

/** What those who look after machines start, on theirs and on servers. */
export const ADMIN_TOOLS: Weighted = [
  [
    8,
    program(
      `${SYSTEM}WindowsPowerShell\\v1.0\\powershell.exe`,
      '-NoProfile -File C:\\Tools\\inventory.ps1',
      9,
    ),
  ],
  [6, program(`${SYSTEM}cmd.exe`, '/c whoami /all', 0.6)],
  [5, program(`${SYSTEM}cmd.exe`, '/c tasklist /v', 1.1)],
  [4, program(`${SYSTEM}cmd.exe`, '/c quser', 0.5)],
  [4, program(`${SYSTEM}cmd.exe`, '/c net group "Domain Admins" /domain', 0.7)],
  [
    4,
    program(`${SYSTEM}cmd.exe`, '/c reg query HKLM\\Software /s', 2, {
      key: 'HKLM\\System\\CurrentControlSet\\Services\\bam\\State',
    }),
  ],
  [3, program(`${SYSTEM}mmc.exe`, `${SYSTEM}dsa.msc`, 45)],
  [3, program(`${SYSTEM}net.exe`, 'view', 0.8)],
  [2, program(`${SYSTEM}nltest.exe`, '/dclist:', 0.9)],
];

/** What Windows does by itself. */
export const SCHEDULED: Weighted = [
  [10, program(`${SYSTEM}taskhostw.exe`, '', 20)],
  [9, program(`${SYSTEM}backgroundTaskHost.exe`, '-ServerName:App.AppX', 10)],
  [
    7,
    program('C:\\ProgramData\\Microsoft\\Windows Defender\\Platform\\MpCmdRun.exe', 'SignatureUpdate', 6, {
      writes: 'C:\\ProgramData\\Microsoft\\Windows Defender\\Definition Updates\\mpasdlta.vdm',
    }),
  ],
  [
    6,
    program('C:\\Program Files (x86)\\Google\\Update\\GoogleUpdate.exe', '/ua /installsource scheduler', 5),
  ],
  [
    5,
    program(`${SYSTEM}sc.exe`, 'start wuauserv', 0.4, {
      key: 'HKLM\\System\\CurrentControlSet\\Services\\wuauserv\\Start',
    }),
  ],
  [4, program(`${SYSTEM}defrag.exe`, '-c -h -k -g', 50)],
  [3, program(`${SYSTEM}wbem\\WMIC.exe`, 'product get name,version', 8)],
];

/** What Linux servers run: command lines of cron, of services and of people. */
export const LINUX_SCHEDULED: Weighted = [
  [8, program('/usr/bin/run-parts', '--report /etc/cron.hourly', 2)],
  [6, program('/usr/lib/sysstat/sa1', '1 1', 0.5)],
  [4, program('/usr/sbin/logrotate', '/etc/logrotate.conf', 3, { writes: '/var/lib/logrotate/status' })],
  [3, program('/usr/bin/apt-get', 'update', 12, { writes: '/var/lib/apt/lists/lock' })],
];
export const LINUX_TOOLS: Weighted = [
  [8, program('/usr/bin/ls', '-la', 0.1)],
  [7, program('/usr/bin/systemctl', 'status', 0.3)],
  [6, program('/usr/bin/journalctl', '-n 200', 1)],
  [5, program('/usr/bin/tail', '-n 50 /var/log/syslog', 0.2)],
  [4, program('/usr/bin/ps', 'aux', 0.2)],
  [4, program('/usr/bin/id', '', 0.1)],
  [3, program('/usr/bin/df', '-h', 0.2)],
  [3, program('/usr/bin/cat', '/etc/passwd', 0.1)],
  [2, program('/usr/bin/sudo', '-l', 0.4)],
];
