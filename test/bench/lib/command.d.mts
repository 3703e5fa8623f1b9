export interface CommandMade {
  readonly seconds: number;
  readonly cpu_seconds: number;
  readonly peak_mb: number;
  readonly code: number | string;
  readonly text: string;
}

export function peakMbOf(pid: number): number;
export function runCommand(
  command: string,
  options?: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    readonly onOutput?: (chunk: Buffer) => void;
  },
): Promise<CommandMade>;
