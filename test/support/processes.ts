import { readdirSync, readFileSync } from 'node:fs'

/** False when there is no such process. */
export function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Whether it runs: one that has ended may wait for its parent to notice. Linux only, as all that follows. */
export function isAlive(pid: number): boolean {
  return !['', 'Z', 'X'].includes(fieldsOf(pid)[0] ?? '')
}

/** A process and all that descend from it. */
export function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)]
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(fieldsOf(pid)[1]) === parent)
}

/** Its command line, which some write themselves. */
export function titleOf(pid: number): string {
  return readOf(pid, 'cmdline')
}

/** The values of `stat` behind the name, which stands in brackets and may hold anything: state, parent and so on. */
function fieldsOf(pid: number): string[] {
  const text = readOf(pid, 'stat')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
