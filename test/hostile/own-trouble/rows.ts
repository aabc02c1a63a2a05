import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMS_DOWN } from '../../../src/core/monitors/cause.ts'
import { occupyDescriptors } from '../../support/probing/occupy-descriptors.ts'
import { familyOf, trySignal } from '../../support/processes.ts'
import type { Mood } from './internet.ts'
import type { World } from './world.ts'

const run = promisify(execFile)

const HOUR_SECONDS = 3_600
const SPARE_DESCRIPTORS = 20
const CPU_PERIOD_US = 100_000
const CPU_SHARE = 0.05
const CPU_GROUPS = '/sys/fs/cgroup/cpu'
const GROUPS = '/sys/fs/cgroup'

type Heal = () => Promise<void>

/** One trouble of our own. */
export type Row = {
  name: string
  /** Whether the operator is to have one notice of it, or none; null where the machine decides. */
  isNoticed: boolean | null
  /** How long it lasts, where that is what it is about. */
  seconds?: number
  /** The database answers nobody meanwhile. */
  takesDatabase?: true
  isPossible?(): boolean
  begin(world: World): Promise<Heal>
}

/** The beginnings of troubles of the way, as the log has them. */
const NETWORK_NOTICE = new RegExp(NETWORK_SEEMS_DOWN)
const NAMES_NOTICE = new RegExp(NAME_SERVERS_SEEM_DOWN)
const UNDECIDED_NOTICE = /a target has not been judged for longer/
export const NOTICES = [NETWORK_NOTICE, NAMES_NOTICE, UNDECIDED_NOTICE]

const WELL: Mood[] = ['well', 'well']

function freeze(seconds: number): Row {
  return {
    name: `service frozen for ${seconds} s`,
    isNoticed: false,
    seconds,
    async begin({ service: { pid } }) {
      process.kill(pid, 'SIGSTOP')
      return async () => void process.kill(pid, 'SIGCONT')
    },
  }
}

function rejected(name: string, how: string): Row {
  return {
    name: `${name} answered for everything`,
    isNoticed: true,
    async begin({ far }) {
      await far.reject(how)
      return () => far.reject(null)
    },
  }
}

function names(mood: Mood, only: 'all' | 'first'): Row {
  return {
    name: only === 'all' ? `name servers: ${mood} for every name` : `first of two name servers: ${mood}`,
    // The first one's word that nothing exists counts where it was the one that answered last.
    isNoticed: only === 'first' && mood === 'NXDOMAIN' ? null : only === 'all',
    async begin({ far }) {
      await far.setMoods(only === 'all' ? [mood, mood] : [mood, 'well'])
      return () => far.setMoods(WELL)
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

export const ROWS: Row[] = [
  { name: 'nothing', isNoticed: false, begin: async () => async () => {} },
  ...[5, 20, 70].map(freeze),
  {
    name: 'processor at 5 %',
    isNoticed: null,
    isPossible: () => existsSync(CPU_GROUPS) || existsSync(join(GROUPS, 'cgroup.controllers')),
    begin: ({ service: { pid } }) => starve(pid),
  },
  {
    name: 'link down',
    isNoticed: true,
    async begin({ far }) {
      await far.setLink('near', 'down')
      return () => far.setLink('near', 'up')
    },
  },
  {
    name: 'cable out',
    isNoticed: true,
    async begin({ far }) {
      await far.setLink('far', 'down')
      return () => far.setLink('far', 'up')
    },
  },
  {
    name: 'all packets dropped',
    isNoticed: true,
    async begin({ far }) {
      await far.drop(true)
      return () => far.drop(false)
    },
  },
  {
    name: 'all packets dropped for 1 s',
    isNoticed: null,
    seconds: 1,
    async begin({ far }) {
      await far.drop(true)
      return () => far.drop(false)
    },
  },
  rejected('net-unreachable', 'icmp net-unreachable'),
  rejected('host-unreachable', 'icmp host-unreachable'),
  rejected('admin-prohibited', 'icmp admin-prohibited'),
  ...(['silence', 'SERVFAIL', 'REFUSED', 'NXDOMAIN'] as const).map((mood) => names(mood, 'all')),
  ...(['silence', 'SERVFAIL', 'REFUSED', 'NXDOMAIN'] as const).map((mood) => names(mood, 'first')),
  {
    name: 'no file descriptor left',
    // Nothing is wrong with a way; what stays undecided for longer than the bound is told.
    isNoticed: null,
    begin: ({ service: { pid, url } }) => takeDescriptors(pid, url),
  },
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
  clock('1 h ahead', HOUR_SECONDS),
  clock('1 h behind', -HOUR_SECONDS),
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

/** Leaves it a few more than it has open, and takes those by connecting to it. */
async function takeDescriptors(pid: number, url: string): Promise<Heal> {
  const held = await readdir(`/proc/${pid}/fd`)
  const limit = Math.max(...held.map(Number)) + SPARE_DESCRIPTORS
  const setLimit = (most: number | string) => run('prlimit', ['--pid', String(pid), `--nofile=${most}:`])
  const { stdout } = await run('prlimit', [
    ...['--pid', String(pid), '--nofile', '--output', 'SOFT', '--noheadings', '--raw'],
  ])
  await setLimit(limit)
  const release = occupyDescriptors({ after: () => {} }, url, limit)
  return async () => {
    await release()
    await setLimit(stdout.trim())
  }
}

async function moveAll(group: string, pids: number[]): Promise<void> {
  // One that has just ended is no harm.
  for (const pid of pids) await writeFile(join(group, 'cgroup.procs'), String(pid)).catch(() => {})
}
