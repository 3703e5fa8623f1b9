/** Where and how a command runs. A null `cwd` or `env` is that of the process. */
export interface CommandOptions {
  readonly cwd: string | null;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>> | null;
  readonly timeout_ms: number;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** As in the shell: 128 plus the number of the signal that ended it. */
  readonly exit_code: number;
  /** Ended by `timeout_ms`. */
  readonly isTimedOut: boolean;
}

/** Runs a shell command and waits for its end; `problem`: why it could not run to its end. */
export type RunCommand = (
  command: string,
  options: CommandOptions,
) => CommandResult | { readonly problem: string };
