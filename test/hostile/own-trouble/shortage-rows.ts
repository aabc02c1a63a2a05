import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { occupyDescriptors } from '../../support/probing/occupy-descriptors.ts'
import { PORT_RANGE, takePorts } from '../../support/probing/take-ports.ts'
import type { Heal, Row } from './row.ts'

const run = promisify(execFile)

const SPARE_DESCRIPTORS = 20
const SHORT_SECONDS = 20
const LOOKS = 40
const LOOK_MS = 50
/** Linux gives out those below unless told otherwise. */
const FEW_PORTS = '61000 61002'

/** With a few to spare, checks take them and pings go without, or the other way round. */
function short(spare: number): Row {
  return {
    name: `file descriptors: ${spare} to spare`,
    // Nothing is wrong with a way; what stays undecided for longer than the bound is told.
    isNoticed: null,
    seconds: SHORT_SECONDS,
    begin: async ({ service: { pid } }) => limitDescriptors(pid, (await alwaysOpen(pid)) + spare),
  }
}

/** Those that are open for a moment come and go. */
async function alwaysOpen(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < LOOKS; look++, await delay(LOOK_MS))
    least = Math.min(least, (await readdir(`/proc/${pid}/fd`)).length)
  return least
}

export const SHORTAGE_ROWS: Row[] = [
  {
    name: 'no file descriptor left',
    isNoticed: null,
    hasWitnesses: true,
    begin: ({ service: { pid, url } }) => takeDescriptors(pid, url),
  },
  ...[1, 3, 6, 10, 15].map(short),
  { name: 'no local port left', isNoticed: null, hasWitnesses: true, begin: leaveNoPort },
]

/** Leaves it a few more than it has open, and takes those by connecting to it. */
async function takeDescriptors(pid: number, url: string): Promise<Heal> {
  const held = await readdir(`/proc/${pid}/fd`)
  const limit = Math.max(...held.map(Number)) + SPARE_DESCRIPTORS
  const restore = await limitDescriptors(pid, limit)
  const release = occupyDescriptors({ after: () => {} }, url, limit)
  return async () => {
    await release()
    await restore()
  }
}

async function limitDescriptors(pid: number, limit: number): Promise<Heal> {
  const setLimit = (most: number | string) => run('prlimit', ['--pid', String(pid), `--nofile=${most}:`])
  const { stdout } = await run('prlimit', [
    ...['--pid', String(pid), '--nofile', '--output', 'SOFT', '--noheadings', '--raw'],
  ])
  await setLimit(limit)
  return async () => void (await setLimit(stdout.trim()))
}

/** Leaves three, which nobody has, for either protocol, and takes those. */
async function leaveNoPort(): Promise<Heal> {
  const usual = await readFile(PORT_RANGE, 'utf8')
  await writeFile(PORT_RANGE, FEW_PORTS)
  const giveBack = await takePorts()
  return async () => {
    giveBack()
    await writeFile(PORT_RANGE, usual)
  }
}
