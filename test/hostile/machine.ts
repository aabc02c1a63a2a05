import { existsSync } from 'node:fs'
import { canMakeHosts } from './network.ts'

const CLOCK_LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
]

/** The faults that this machine allows. */
export type Machine = {
  /** Network namespaces with rules that drop packets. */
  hosts: boolean
  /** A small file system for the database's data. */
  disk: boolean
  /** libfaketime, which gives a process a clock of its own; null when it is not installed. */
  clockLibrary: string | null
  /** PostgreSQL on three machines, one of which leads. */
  standbys: boolean
}

/** Nothing that needs root or an installed program. */
export const PLAIN_MACHINE: Machine = { hosts: false, disk: false, clockLibrary: null, standbys: false }

export async function readMachine(): Promise<Machine> {
  const isRoot = process.geteuid?.() === 0
  return {
    hosts: isRoot && (await canMakeHosts()),
    disk: isRoot && process.platform === 'linux',
    clockLibrary: CLOCK_LIBRARIES.find((path) => existsSync(path)) ?? null,
    standbys: false,
  }
}
