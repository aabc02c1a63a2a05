import { setTimeout as delay } from 'node:timers/promises'
import { nextTickMs, phaseMs } from '../src/core/schedule.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { until } from '../test/support/until.ts'
import { bareRequest } from './bare-request.ts'
import type { Options } from './options.ts'
import { childRunning, cpuMicros, databaseRoot, pssBytes, treeCpuMicros, treePssBytes } from './processes.ts'
import { progress } from './progress.ts'
import type { Scope } from './scope.ts'
import { seedMonitors } from './seed.ts'
import { countChecked, restart } from './seeded-service.ts'
import { startConstantServer } from './start-constant-server.ts'
import { percentile } from './statistics.ts'
import { alone, compare, type Row } from './table.ts'

const SIZES = [0, 1_000, 5_000]
const INTERVAL_MS = 60_000
const MIB = 2 ** 20
/** What starting leaves to do (the first checks, the collector, the database's writer) is over by then. */
const SETTLE_MS = 4_000
const BODY_BYTES = 100
/** For what needs no whole interval to show itself. */
const SHORT_SECONDS = 5

/** The service left alone with its monitors, each checked every 60 s: what it takes, and how punctual it is. */
export async function benchIdle(scope: Scope, options: Options): Promise<Row[]> {
  progress('idle: starting the service')
  const service = await startTestService()
  scope.after(() => service.close())
  const target = await startConstantServer(scope)
  const bare = await startConstantServer(scope)
  const { id: teamId } = await service.createTeam()
  const url = `http://127.0.0.1:${target.ports.http}/${BODY_BYTES}`
  const rows: Row[] = []
  let present = 0
  for (const size of SIZES) {
    progress(`idle: creating ${size - present} monitors`)
    const settings = { url, checkIntervalMinutes: 1 }
    await seedMonitors(service.services, teamId, size - present, () => settings)
    present = size
    await restart(service)
    await until('every monitor is checked', async () => (await countChecked(service)) === size)
    await delay(SETTLE_MS)
    rows.push(...(await watchIdling(service, bare.pid, url, size, options.idleSeconds)))
  }
  return rows
}

async function watchIdling(
  service: TestService,
  barePid: number,
  url: string,
  size: number,
  idleSeconds: number,
): Promise<Row[]> {
  const own = childRunning('src/main.ts')
  const database = databaseRoot(service.dataDir)
  const name = size === 0 ? 'Idle, no monitors' : `Idle, ${size.toLocaleString('en-US')} monitors at 60 s`
  const seconds = size === 0 ? Math.min(idleSeconds, SHORT_SECONDS) : idleSeconds
  progress(`${name}: watching for ${seconds} s`)
  const ownBefore = cpuMicros(own)
  const databaseBefore = treeCpuMicros(database)
  const from = Date.now()
  await delay(seconds * 1_000)
  const to = Date.now()
  const ownPercent = (cpuMicros(own) - ownBefore) / (to - from) / 10
  const databasePercent = (treeCpuMicros(database) - databaseBefore) / (to - from) / 10
  const ownMib = pssBytes(own) / MIB
  const databaseMib = treePssBytes(database) / MIB
  const bareMib = pssBytes(barePid) / MIB
  const rows = [
    compare(`${name}: memory (PSS), service + database`, 'MiB', 'an idle bare node:http server', [
      { ours: ownMib + databaseMib, reference: bareMib },
    ]),
    compare(`${name}: memory (PSS), service`, 'MiB', 'an idle bare node:http server', [
      { ours: ownMib, reference: bareMib },
    ]),
  ]
  if (size === 0) return [...rows, alone(`${name}: CPU`, '% of a core', [ownPercent + databasePercent])]
  const latenesses = await readLatenesses(service, from, to)
  const barePercent = await idleBare(url, (size / INTERVAL_MS) * 1_000)
  const bareIs = 'bare requests at the same pace'
  return [
    ...rows,
    compare(`${name}: CPU, service + database`, '% of a core', bareIs, [
      { ours: ownPercent + databasePercent, reference: barePercent },
    ]),
    compare(`${name}: CPU, service`, '% of a core', bareIs, [{ ours: ownPercent, reference: barePercent }]),
    alone(`${name}: checks late by, p99 of ${latenesses.length}`, 'ms', [percentile(latenesses, 0.99)]),
  ]
}

/** How long after its tick each check began. Throws when one that was due did not run. */
async function readLatenesses({ services }: TestService, from: number, to: number): Promise<number[]> {
  // What is under way at the end is in the database a moment later.
  await delay(1_000)
  const { rows } = await services.db.pool.query<{ id: number; checked_at: Date | null }>(
    `SELECT s.monitor_id AS id, c.checked_at FROM monitor_state s
     LEFT JOIN checks c ON c.monitor_id = s.monitor_id AND c.checked_at BETWEEN $1 AND $2`,
    [new Date(from), new Date(to)],
  )
  const latenesses: number[] = []
  let missed = 0
  for (const { id, checked_at: checkedAt } of rows) {
    const phase = phaseMs(id, INTERVAL_MS)
    if (checkedAt) {
      // The last tick up to then: the first one after an interval before it.
      const at = checkedAt.getTime()
      latenesses.push(at - nextTickMs(at - INTERVAL_MS, INTERVAL_MS, phase))
    } else if (nextTickMs(from, INTERVAL_MS, phase) < to - 1_000) {
      missed++
    }
  }
  if (missed > 0) throw new Error(`${missed} checks that were due did not run`)
  return latenesses
}

/** The CPU of this process, in percent, while it only makes requests at an even pace. */
async function idleBare(url: string, perSecond: number): Promise<number> {
  progress(`idle: ${Math.round(perSecond)} bare requests a second`)
  const request = bareRequest(url, '')
  const before = cpuMicros(process.pid)
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  const underWay: Promise<number>[] = []
  while (elapsed() < SHORT_SECONDS * 1_000) {
    underWay.push(request())
    await delay(Math.max(0, (underWay.length / perSecond) * 1_000 - elapsed()))
  }
  await Promise.all(underWay)
  return (cpuMicros(process.pid) - before) / elapsed() / 10
}
