/** How a command of the machine is run. */
export interface CommandOptions {
  /** Working directory; `null`: that of the process. */
  readonly cwd: string | null;
  /** Takes the place of the whole environment; `null`: that of the process. */
  readonly env: Readonly<Record<string, string>> | null;
  readonly timeout_ms: number;
}

/** What became of a command. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** As the shell counts it: 128 and the number of the signal that ended it. */
  readonly exit_code: number;
  /** True when it was ended because its time was over. */
  readonly isTimedOut: boolean;
}

/** Runs a shell command and waits for its end; `problem` says why it could not be run to its end. */
export type RunCommand = (
  command: string,
  options: CommandOptions,
) => CommandResult | { readonly problem: string };
