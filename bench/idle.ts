import { setTimeout as delay } from 'node:timers/promises'
import { INTERVAL_MS, latenessOf, PATIENCE_MS, readDueChecks } from './due-checks.ts'
import { cpuMicros, databaseRoot, pssBytes, treeCpuMicros, treePssBytes } from './processes.ts'
import { bareRequest } from './support/bare-request.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { addMonitors, type SeededService, startSeededService } from './support/seeded-service.ts'
import { startConstantServer } from './support/start-constant-server.ts'
import { alone, compare, type Row } from './support/table.ts'

const SIZES = [0, 1_000, 10_000]
const MIB = 2 ** 20
/** The aftermath of starting (compiling, the collector, the database's writer) is over by then. */
const SETTLE_MS = 8_000
/** For what needs no whole interval to show itself. */
const SHORT_SECONDS = 5

/** The service left alone with its monitors, each checked every 60 s: what it takes, and how punctual it is. */
export async function benchIdle(scope: Scope, options: Options): Promise<Row[]> {
  progress('idle: starting the service')
  const seeded = await startSeededService(scope)
  const bare = await startConstantServer(scope)
  const rows: Row[] = []
  let present = 0
  for (const size of SIZES) {
    await addMonitors(seeded, size - present)
    present = size
    await delay(SETTLE_MS)
    rows.push(...(await watchIdling(seeded, bare.pid, size, options.idleSeconds)))
  }
  return rows
}

async function watchIdling(
  { service, targetUrl }: SeededService,
  barePid: number,
  size: number,
  idleSeconds: number,
): Promise<Row[]> {
  const own = service.pid
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
  await delay(PATIENCE_MS)
  const checks = await readDueChecks(service, from, to)
  if (checks.missed > 0) throw new Error(`${checks.missed} checks that were due did not run`)
  const barePercent = await idleBare(targetUrl, (size / INTERVAL_MS) * 1_000)
  const bareIs = 'bare requests at the same pace'
  return [
    ...rows,
    compare(`${name}: CPU, service + database`, '% of a core', bareIs, [
      { ours: ownPercent + databasePercent, reference: barePercent },
    ]),
    compare(`${name}: CPU, service`, '% of a core', bareIs, [{ ours: ownPercent, reference: barePercent }]),
    alone(`${name}: checks late by, p99 of ${checks.started.length}`, 'ms', [latenessOf(checks).p99Ms]),
  ]
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
