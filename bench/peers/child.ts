import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { treeCpuMicros, treePssBytes } from '../processes.ts'
import type { Scope } from '../support/scope.ts'
import type { PreparedPeer } from './peer.ts'

/** A program that runs until the scope ends. */
export function startChild(
  scope: Scope,
  program: string,
  args: string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): ChildProcess {
  const child = spawn(program, args, { ...options, stdio: 'ignore' })
  const exited = once(child, 'exit')
  scope.after(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill()) await exited
  })
  return child
}

/** The resources of these and all below them; none of them is below another. */
export function resourcesOf(children: () => ChildProcess[]): Pick<PreparedPeer, 'cpuMicros' | 'pssBytes'> {
  const sum = (read: (pid: number) => number) =>
    children().reduce((total, { pid }) => total + read(pid as number), 0)
  return { cpuMicros: () => sum(treeCpuMicros), pssBytes: () => sum(treePssBytes) }
}

/** The first version that the program prints. */
export function versionOf(program: string): string {
  const printed = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return /\d+(\.\d+)+/.exec(printed)?.[0] ?? '?'
}
