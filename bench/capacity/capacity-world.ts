import { setTimeout as delay } from 'node:timers/promises'
import { insertTeam } from '../../src/store/teams/teams.ts'
import { copyMonitor } from '../../test/support/records/monitor-copies.ts'
import { databaseOf, startTestService, type TestService } from '../../test/support/services/service.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { seedMonitors } from '../support/seed.ts'
import { startConstantServer } from '../support/start-constant-server.ts'
import { openDashboard } from './capacity-answers.ts'
import { findDatabase } from './capacity-readings.ts'

export const PROBES = 4
/** One team as large as that, and the others as small as that: how fast answers come depends on the team. */
const LARGE_TEAM = 5_000
const SMALL_TEAM = 100
const BODY_BYTES = 100
/** A fresh connection for each check leaves a port behind for a minute: one address has 28,000 of them. */
const TARGET_HOSTS = Array.from({ length: 32 }, (_, n) => `127.0.0.${n + 2}`)
const POLL_MS = 100
const SETTLE_PATIENCE_MS = 300_000

/** A service as it runs on several machines: one process for requests and work, four that check. */
export type World = {
  monitors: number
  main: TestService
  probes: TestService[]
  targetPid: number
  /** The root of the processes of an embedded database; null of another server. */
  databasePid: number | null
  dashboard: Awaited<ReturnType<typeof openDashboard>>
  /** From the start of the processes that check until all slots were held, and until each monitor was checked. */
  heldSeconds: number
  checkedSeconds: number
  seedSeconds: number
}

export async function startWorld(scope: Scope, monitors: number, regions: string[]): Promise<World> {
  const name = `capacity of ${monitors.toLocaleString('en-US')}`
  progress(`${name}: starting the service`)
  const main = await startTestService({ ROLES: 'api,scheduler,alerts' })
  scope.after(() => main.close())
  const target = await startConstantServer(scope, TARGET_HOSTS)
  const team = await main.createTeam()
  const began = performance.now()
  await seed(main, team.id, monitors, target.ports.http, (what) => progress(`${name}: ${what}`))
  const seedSeconds = secondsSince(began)
  const dashboard = await openDashboard(main, team.id)
  progress(`${name}: starting ${PROBES} processes that check`)
  const startedAt = performance.now()
  const sinceMs = Date.now()
  const probes = await Promise.all(
    Array.from({ length: PROBES }, (_, n) => startProbe(scope, main, regions[n % regions.length] ?? '')),
  )
  await untilTrue(`${name}: waiting until all slots are held`, () => isHeld(main, regions, PROBES))
  const heldSeconds = secondsSince(startedAt)
  await untilTrue(`${name}: waiting until each monitor was checked`, () => isChecked(main, sinceMs))
  const checkedSeconds = secondsSince(startedAt)
  const pids = { targetPid: target.pid, databasePid: findDatabase(main) }
  return { monitors, main, probes, ...pids, dashboard, heldSeconds, checkedSeconds, seedSeconds }
}

async function seed(
  { services }: TestService,
  largeTeam: number,
  monitors: number,
  port: number,
  onStep: (what: string) => void,
): Promise<void> {
  const { db, vault } = services
  const urlOf = (number: number) =>
    `http://${TARGET_HOSTS[number % TARGET_HOSTS.length]}:${port}/${BODY_BYTES}`
  const [first] = await seedMonitors(services, largeTeam, 1, () => ({
    url: urlOf(0),
    check_interval_minutes: 1,
  }))
  if (!first) return
  const teams: number[] = []
  for (let rest = monitors - LARGE_TEAM; rest > 0; rest -= SMALL_TEAM) {
    const team = { name: `Team ${rest}`, plan: 'business' as const, signingSecret: 'whsec_benchmark' }
    teams.push(await insertTeam(db.query, vault, team))
  }
  const teamOf = (number: number) => teams[Math.floor((number - LARGE_TEAM + 1) / SMALL_TEAM)] ?? largeTeam
  await copyMonitor(db, first.id, monitors - 1, teamOf, urlOf, (done) => onStep(`${done} monitors written`))
  await db.pool.query(
    `UPDATE monitor_state SET status = 'up', last_checked_at = now() WHERE last_checked_at IS NULL`,
  )
  onStep('settling the database')
  await db.pool.query('VACUUM ANALYZE monitors, monitor_state')
  await db.pool.query('CHECKPOINT')
}

/** It lives in the database of the first one, and ends without an order: at the end nobody is left to take over. */
async function startProbe(scope: Scope, main: TestService, region: string): Promise<TestService> {
  const probe = await startTestService({ ...databaseOf(main), ROLES: 'probe', REGION: region })
  await probe.letGo()
  scope.after(async () => {
    await probe.signal('SIGKILL')
    await probe.close()
  })
  return probe
}

/** Whether so many processes share the slots of all regions, and all regions take turns. */
export async function isHeld(
  { services }: TestService,
  regions: string[],
  probers: number,
): Promise<boolean> {
  const { rows } = await services.db.pool.query<{ held: boolean }>(
    `SELECT (SELECT count(*) FROM probers) = $2
       AND (SELECT count(DISTINCT holder) = $2 AND count(*) = count(holder)
              AND bool_and(wanted_by IS NULL) FROM slots WHERE region = ANY($1))
       AND EXISTS (SELECT FROM turns WHERE effective_at <= now()
         AND regions @> $1 AND regions <@ $1) AS held`,
    [[...new Set(regions)], probers],
  )
  return rows[0]?.held ?? false
}

async function isChecked({ services }: TestService, sinceMs: number): Promise<boolean> {
  const { rows } = await services.db.pool.query<{ checked: boolean }>(
    'SELECT NOT EXISTS (SELECT FROM monitor_state WHERE last_checked_at < $1) AS checked',
    [new Date(sinceMs)],
  )
  return rows[0]?.checked ?? false
}

export async function untilTrue(what: string, look: () => Promise<boolean>): Promise<void> {
  progress(what)
  const began = performance.now()
  for (let looks = 1; !(await look()); looks++) {
    if (performance.now() - began > SETTLE_PATIENCE_MS) throw new Error(`${what}: in vain`)
    if (looks % 50 === 0) progress(`${what}, for ${secondsSince(began).toFixed(0)} s`)
    await delay(POLL_MS)
  }
}

export function secondsSince(began: number): number {
  return (performance.now() - began) / 1_000
}
