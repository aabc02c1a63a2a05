import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { familyOf, trySignal } from '../../support/processes.ts'
import type { Heal, Row } from './row.ts'
import type { World } from './world.ts'

const run = promisify(execFile)

const HOUR_SECONDS = 3_600
const CPU_PERIOD_US = 100_000
const CPU_SHARE = 0.05
const CPU_GROUPS = '/sys/fs/cgroup/cpu'
const GROUPS = '/sys/fs/cgroup'

function freeze(seconds: number): Row {
  return {
    name: `service frozen for ${seconds} s`,
    isNoticed: false,
    seconds,
    async begin({ service: { pid } }) {
      process.kill(pid, 'SIGSTOP')
      return async () => void trySignal(pid, 'SIGCONT')
    },
  }
}

function clock(name: string, seconds: number): Row {
  return {
    name: `clock of the service ${name} of the database's`,
    isNoticed: false,
    async begin({ setClock }) {
      await setClock(seconds)
      return () => setClock(0)
    },
  }
}

export const TIME_ROWS: Row[] = [
  ...[5, 20, 70].map(freeze),
  {
    name: 'processor at 5 %',
    isNoticed: null,
    isPossible: () => existsSync(CPU_GROUPS) || existsSync(join(GROUPS, 'cgroup.controllers')),
    begin: ({ service: { pid } }) => starve(pid),
  },
  clock('1 h ahead', HOUR_SECONDS),
  clock('1 h behind', -HOUR_SECONDS),
]

export const DATABASE_ROWS: Row[] = [
  {
    name: 'database frozen',
    isNoticed: false,
    takesDatabase: true,
    async begin(world) {
      const server = await postmaster(world)
      process.kill(server, 'SIGSTOP')
      const frozen = familyOf(server)
      for (const pid of frozen) trySignal(pid, 'SIGSTOP')
      return async () => {
        for (const pid of frozen) trySignal(pid, 'SIGCONT')
      }
    },
  },
  {
    name: 'database killed',
    isNoticed: false,
    takesDatabase: true,
    async begin(world) {
      process.kill(await postmaster(world), 'SIGKILL')
      return async () => {}
    },
  },
  {
    name: 'disk of the database full',
    isNoticed: false,
    takesDatabase: true,
    async begin({ disk }) {
      const ballast = join(disk, 'ballast')
      // It ends when there is no room any more.
      await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']).catch(() => {})
      return () => rm(ballast)
    },
  },
]

async function postmaster({ service: { dataDir } }: World): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

/** The service and its database share a twentieth of one core. */
async function starve(pid: number): Promise<Heal> {
  const isOld = existsSync(CPU_GROUPS)
  const root = isOld ? CPU_GROUPS : GROUPS
  const group = join(root, `upbeat-own-trouble-${pid}`)
  await mkdir(group)
  const quota = Math.round(CPU_PERIOD_US * CPU_SHARE)
  const write = (file: string, text: string | number) => writeFile(join(group, file), String(text))
  if (isOld) {
    await write('cpu.cfs_period_us', CPU_PERIOD_US)
    await write('cpu.cfs_quota_us', quota)
  } else {
    await write('cpu.max', `${quota} ${CPU_PERIOD_US}`)
  }
  // One at a time, and again for those that were started meanwhile.
  for (const _ of [1, 2]) await moveAll(group, familyOf(pid))
  return async () => {
    if (isOld) await write('cpu.cfs_quota_us', -1)
    else await write('cpu.max', 'max')
    while ((await readFile(join(group, 'cgroup.procs'), 'utf8')) !== '') await moveAll(root, familyOf(pid))
    await rmdir(group)
  }
}

async function moveAll(group: string, pids: number[]): Promise<void> {
  // One that has just ended is no harm.
  for (const pid of pids) await writeFile(join(group, 'cgroup.procs'), String(pid)).catch(() => {})
}
