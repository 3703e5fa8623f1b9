import { type ExecFileException, execFile } from 'node:child_process';
import { errnoOf, ioError } from '../files/ioError.js';

export interface ProgramEnd {
  /** Exit code; `null` if the program did not run or a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** One sentence; `null` for exit code 0. */
  readonly reason: string | null;
  readonly isMissing: boolean;
}

const MAX_OUTPUT_BYTES = 64 * 1024;

const reasonOf = (program: string, code: number | null, stderr: string, thrown: ExecFileException | null) => {
  if (thrown === null) return null;
  if (typeof thrown.code === 'string') return ioError('unavailable', 'run', program, thrown).message;
  if (code === null) return `${program} took too long`;
  const [said = ''] = stderr.trim().split('\n');
  return `${program} ended with ${code}${said === '' ? '' : `: ${said}`}`;
};

/** Runs a program to its end, without a shell. Never rejects. */
export const runProgram = (
  program: string,
  args: readonly string[],
  timeout_ms: number,
): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    const options = { timeout: timeout_ms, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
    execFile(program, [...args], options, (thrown, stdout, stderr) => {
      const given = thrown?.code;
      const code = thrown === null ? 0 : typeof given === 'number' ? given : null;
      const reason = reasonOf(program, code, stderr, thrown);
      resolve({ code, stdout, stderr, reason, isMissing: errnoOf(thrown) === 'ENOENT' });
    });
  });
