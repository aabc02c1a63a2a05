import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = '/sys/fs/cgroup'
const PERIOD_US = 100_000
/** The weight of a group that nobody has given another one (cgroups(7)). */
const USUAL_WEIGHT = 100

/** A control group of Linux: counts the processor time of all its processes, and may limit it. */
export type Cgroup = {
  /** A shell joins by writing its process id to each. */
  procsFiles: string[]
  /** Processes that join here compete with the group's one by one, uncounted; null where they need no group. */
  beside: string | null
  cpuSeconds(): number
  remove(): void
}

/**
 * Null where this user or this system cannot make one. `cores` is what its processes get at most, all together; among
 * `rivals` processes elsewhere they have the weight of one.
 */
export function createCgroup(name: string, cores: number | null, rivals = 0): Cgroup | null {
  try {
    return existsSync(join(ROOT, 'cgroup.controllers')) ? unified(name, cores, rivals) : legacy(name, cores)
  } catch {
    return null
  }
}

/** Version 2: one tree. */
function unified(name: string, cores: number | null, rivals: number): Cgroup {
  const folder = join(ROOT, name)
  writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu')
  mkdirSync(folder)
  if (cores !== null) writeFileSync(join(folder, 'cpu.max'), `${cores * PERIOD_US} ${PERIOD_US}`)
  if (rivals > 0) writeFileSync(join(folder, 'cpu.weight'), String(Math.ceil(USUAL_WEIGHT / rivals)))
  return {
    procsFiles: [join(folder, 'cgroup.procs')],
    beside: null,
    cpuSeconds: () =>
      Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8'))?.[1]) / 1e6,
    remove: () => removeQuietly(folder),
  }
}

/** Version 1: a tree for each controller. */
function legacy(name: string, cores: number | null): Cgroup {
  const limit = join(ROOT, 'cpu', name)
  const account = join(ROOT, 'cpuacct', name)
  mkdirSync(limit, { recursive: true })
  mkdirSync(account, { recursive: true })
  if (cores !== null) {
    writeFileSync(join(limit, 'cpu.cfs_period_us'), String(PERIOD_US))
    writeFileSync(join(limit, 'cpu.cfs_quota_us'), String(cores * PERIOD_US))
  }
  return {
    procsFiles: [limit, account].map((folder) => join(folder, 'cgroup.procs')),
    beside: join(limit, 'cgroup.procs'),
    cpuSeconds: () => Number(readFileSync(join(account, 'cpuacct.usage'), 'utf8')) / 1e9,
    remove: () => [limit, account].forEach(removeQuietly),
  }
}

function removeQuietly(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // A process is still in it; an empty group costs nothing.
  }
}
