import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * The resources that processes use, read from /proc (see proc(5)): CPU time as utime + stime of /proc/<pid>/stat, in
 * ticks of 10 ms, and memory as Pss of /proc/<pid>/smaps_rollup, which counts shared pages once over all processes.
 */

const MICROS_PER_SECOND = 1_000_000

type Stat = { parent: number; ticks: number; endedChildrenTicks: number }

/** CPU time since its start, in microseconds. */
export function cpuMicros(pid: number): number {
  return micros(statOf(pid)?.ticks ?? 0)
}

/** The same of processes and all below them, those that have ended included; each counts once. */
export function treeCpuMicros(...roots: number[]): number {
  const pids = new Set(roots.flatMap((root) => [root, ...descendants(root)]))
  const stats = [...pids].map(statOf).filter((stat) => stat !== null)
  return micros(stats.reduce((sum, { ticks, endedChildrenTicks }) => sum + ticks + endedChildrenTicks, 0))
}

/** CPU time of the children of a process that have ended, and of theirs. */
export function endedChildrenCpuMicros(pid: number): number {
  return micros(statOf(pid)?.endedChildrenTicks ?? 0)
}

/** Proportional set size in bytes; 0 of a process that has just ended. */
export function pssBytes(pid: number): number {
  return memoryOf(pid).all
}

/** Parts of the proportional set size, in bytes: heaps and stacks, shared memory, and pages of files. */
export type Memory = { all: number; own: number; shared: number; files: number }

export function memoryOf(pid: number): Memory {
  const rollup = readOrEmpty(`/proc/${pid}/smaps_rollup`)
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1_024
  return { all: read('Pss'), own: read('Pss_Anon'), shared: read('Pss_Shmem'), files: read('Pss_File') }
}

/** The same of a process and all below it. */
export function treeMemory(root: number): Memory {
  const parts = [root, ...descendants(root)].map(memoryOf)
  const sum = (read: (memory: Memory) => number) => parts.reduce((all, memory) => all + read(memory), 0)
  return {
    all: sum(({ all }) => all),
    own: sum(({ own }) => own),
    shared: sum(({ shared }) => shared),
    files: sum(({ files }) => files),
  }
}

export function treePssBytes(root: number): number {
  return [root, ...descendants(root)].reduce((sum, pid) => sum + pssBytes(pid), 0)
}

/** The main process of the embedded database of `dataDir`. */
export function postmaster(dataDir: string): number {
  const elsewhere = join(dataDir, 'postgres-location')
  const cluster = existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').trim() : join(dataDir, 'postgres')
  return Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
}

/** The shell that supervises the embedded database of `dataDir`: all of its processes are below it. */
export function databaseRoot(dataDir: string): number {
  const parent = statOf(postmaster(dataDir))?.parent
  if (!parent) throw new Error(`the database of ${dataDir} does not run`)
  return parent
}

/** The child of this process whose command line has `text` in it. */
export function childRunning(text: string): number {
  const pid = descendants(process.pid).find((pid) => readOrEmpty(`/proc/${pid}/cmdline`).includes(text))
  if (pid === undefined) throw new Error(`no child process runs ${text}`)
  return pid
}

function descendants(root: number): number[] {
  const children = Map.groupBy(allPids(), (pid) => statOf(pid)?.parent)
  const below = (pid: number): number[] =>
    (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)])
  return below(root)
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function statOf(pid: number): Stat | null {
  const text = readOrEmpty(`/proc/${pid}/stat`)
  if (text === '') return null
  // The second field, the name, may hold anything; the third comes after its last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return { parent: field(4), ticks: field(14) + field(15), endedChildrenTicks: field(16) + field(17) }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

let ticksPerSecond = 0

function micros(ticks: number): number {
  ticksPerSecond ||= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return (ticks * MICROS_PER_SECOND) / ticksPerSecond
}
