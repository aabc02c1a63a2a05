import { spawnSync } from 'node:child_process'

/** Whether a program is there and runs. */
export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args.length > 0 ? args : ['--version'], { stdio: 'ignore' }).status === 0
}
