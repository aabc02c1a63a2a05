import { setTimeout as delay } from 'node:timers/promises'
import { type DueChecks, INTERVAL_MS, latenessOf, PATIENCE_MS, readDueChecks } from './due-checks.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { addMonitors, startSeededService } from './support/seeded-service.ts'
import { mostWithin } from './support/statistics.ts'
import { alone, compare, type Row } from './support/table.ts'
import { benchTakeover } from './takeover.ts'

const MONITORS = 10_000
/** It works like this before it is restarted. */
const SETTLE_MS = 3_000
/** A check that begins no later than this after its tick is on time. */
const ON_TIME_MS = 50
const HERD_MS = 100

/** A service with 10,000 monitors that is stopped and started: when its checks are on time again, and how even; and one that is killed. */
export async function benchRestart(scope: Scope, options: Options): Promise<Row[]> {
  progress('restart: starting the service')
  const seeded = await startSeededService(scope)
  const { service } = seeded
  await addMonitors(seeded, MONITORS)
  await delay(SETTLE_MS)
  progress('restart: stopping and starting it, and its database')
  await service.letGo()
  const stoppedMs = Date.now()
  await service.signal('SIGTERM')
  await service.start()
  const readyMs = Date.now()
  await service.takeUp()
  progress(`restart: watching for ${options.restartSeconds} s`)
  await delay(options.restartSeconds * 1_000 + PATIENCE_MS)
  const checks = await readDueChecks(service, readyMs, readyMs + options.restartSeconds * 1_000)
  const beganMs = checks.started.map(({ atMs }) => atMs)
  const evenShare = (MONITORS / INTERVAL_MS) * HERD_MS
  const name = `Restart, ${MONITORS.toLocaleString('en-US')} monitors at 60 s`
  return [
    alone(`${name}: SIGTERM to ready again`, 's', [(readyMs - stoppedMs) / 1_000]),
    alone(`${name}: ready to all on schedule`, 's', [secondsUntilOnSchedule(checks, readyMs)]),
    compare(`${name}: most checks begun in ${HERD_MS} ms`, 'checks', 'the even share', [
      { ours: mostWithin(beganMs, HERD_MS), reference: evenShare },
    ]),
    alone(`${name}: of ${checks.due} checks due then, missed`, 'checks', [checks.missed]),
    alone(`${name}: checks late by, p99 of ${checks.started.length}`, 'ms', [latenessOf(checks).p99Ms]),
    ...(await benchTakeover(scope)),
  ]
}

/** From when on no tick is missed and no check is late. */
function secondsUntilOnSchedule({ started, missedTicks }: DueChecks, readyMs: number): number {
  const late = started.filter(({ lateMs }) => lateMs > ON_TIME_MS).map(({ atMs }) => atMs)
  const last = [...late, ...missedTicks].reduce((latest, atMs) => Math.max(latest, atMs), readyMs)
  return (last - readyMs) / 1_000
}
