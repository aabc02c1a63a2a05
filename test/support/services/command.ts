import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { ENTRY } from '../entry.ts'
import { inheritedEnvironment } from '../environment.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'

export type Ran = {
  status: number | null
  out: string
  err: string
  /** The `data` that `--json` printed. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the command's
  readonly data: any
}

/** Runs one command of the command line to its end, with nothing but `env` in its environment. */
export async function runCommand(
  env: Record<string, string>,
  args: string[],
  input = '',
  main = ENTRY,
): Promise<Ran> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    env: { ...inheritedEnvironment(), ...env },
    timeout: HANG_GUARD_MS,
    killSignal: 'SIGKILL',
  })
  // A command that reads nothing may be gone before it is told anything.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return {
    status,
    out,
    err,
    get data() {
      return JSON.parse(out).data
    },
  }
}
