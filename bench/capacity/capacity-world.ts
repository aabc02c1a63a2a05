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
const LOOKED_AT_PER_MS = 1_000
const LOOKS_PER_PROGRESS = 50
const SETTLE_PATIENCE_MS = 600_000

/** The addresses that monitors check, and the process that answers them; null where none does. */
export type Targets = { pid: number | null; urlOf(number: number): string }

export type WorldSettings = {
  /** For the progress. */
  name: string
  monitors: number
  regions: string[]
  /** Where the database is, for all processes; nothing: each world has an embedded one of its own. */
  database?: Record<string, string>
  /** The environment of the processes that check. */
  probe?: Record<string, string>
  startTargets?: (scope: Scope) => Promise<Targets>
}

/** A service as it runs on several machines: one process for requests and work, four that check. */
export type World = {
  monitors: number
  main: TestService
  probes: TestService[]
  targetPid: number | null
  /** The root of the processes of an embedded database; null of another server. */
  databasePid: number | null
  dashboard: Awaited<ReturnType<typeof openDashboard>>
  /** From the start of the processes that check until all slots were held, and until each monitor was checked. */
  heldSeconds: number
  checkedSeconds: number
  seedSeconds: number
}

export async function startWorld(scope: Scope, settings: WorldSettings): Promise<World> {
  const { name, monitors, regions, database = {}, startTargets = startServer } = settings
  progress(`${name}: starting the service`)
  const main = await startTestService({ ...database, ROLES: 'api,scheduler,alerts' })
  scope.after(() => main.close())
  const targets = await startTargets(scope)
  const team = await main.createTeam()
  const began = performance.now()
  await seed(main, team.id, monitors, targets.urlOf, (what) => progress(`${name}: ${what}`))
  const seedSeconds = secondsSince(began)
  const dashboard = await openDashboard(main, team.id)
  progress(`${name}: starting ${PROBES} processes that check`)
  const startedAt = performance.now()
  const sinceMs = Date.now()
  const probes = await Promise.all(
    Array.from({ length: PROBES }, (_, n) =>
      startProbe(scope, main, { ...settings.probe, REGION: regions[n % regions.length] ?? '' }),
    ),
  )
  await untilTrue(`${name}: waiting until all slots are held`, () => isHeld(main, regions, PROBES))
  const heldSeconds = secondsSince(startedAt)
  await untilTrue(`${name}: waiting until each monitor was checked`, () => isChecked(main, sinceMs), monitors)
  const checkedSeconds = secondsSince(startedAt)
  const pids = { targetPid: targets.pid, databasePid: findDatabase(main) }
  return { monitors, main, probes, ...pids, dashboard, heldSeconds, checkedSeconds, seedSeconds }
}

async function startServer(scope: Scope): Promise<Targets> {
  const { pid, ports } = await startConstantServer(scope, TARGET_HOSTS)
  const hostOf = (number: number) => TARGET_HOSTS[number % TARGET_HOSTS.length]
  return { pid, urlOf: (number) => `http://${hostOf(number)}:${ports.http}/${BODY_BYTES}` }
}

async function seed(
  { services }: TestService,
  largeTeam: number,
  monitors: number,
  urlOf: (number: number) => string,
  onStep: (what: string) => void,
): Promise<void> {
  const { db, vault } = services
  const [first] = await seedMonitors(services, largeTeam, 1, () => ({
    url: urlOf(0),
    check_interval_minutes: 1,
  }))
  if (!first) return
  const teams: number[] = []
  await db.transaction(async (query) => {
    for (let rest = monitors - LARGE_TEAM; rest > 0; rest -= SMALL_TEAM) {
      const team = { name: `Team ${rest}`, plan: 'business' as const, signingSecret: 'whsec_benchmark' }
      teams.push(await insertTeam(query, vault, team))
    }
  })
  const teamOf = (number: number) => teams[Math.floor((number - LARGE_TEAM + 1) / SMALL_TEAM)] ?? largeTeam
  await copyMonitor(db, first.id, monitors - 1, teamOf, urlOf, (done) => onStep(`${done} monitors written`))
  await db.pool.query(
    `UPDATE monitor_state SET status = 'up', last_checked_at = now() WHERE last_checked_at IS NULL`,
  )
  onStep('settling the database')
  await unhurried(db, 'VACUUM ANALYZE monitors, monitor_state')
  await unhurried(db, 'CHECKPOINT')
}

/** A statement that may take minutes. */
export async function unhurried(db: TestService['services']['db'], statement: string): Promise<void> {
  const client = db.newClient('bench')
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** It lives in the database of the first one, and ends without an order: at the end nobody is left to take over. */
async function startProbe(
  scope: Scope,
  main: TestService,
  environment: Record<string, string>,
): Promise<TestService> {
  const probe = await startTestService({ ...databaseOf(main), ROLES: 'probe', ...environment })
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

/** `monitors`: how many the look is at; at many it costs too much to look often. */
export async function untilTrue(what: string, look: () => Promise<boolean>, monitors = 0): Promise<void> {
  progress(what)
  const began = performance.now()
  const pollMs = Math.max(POLL_MS, monitors / LOOKED_AT_PER_MS)
  for (let looks = 1; !(await look()); looks++) {
    if (performance.now() - began > SETTLE_PATIENCE_MS) throw new Error(`${what}: in vain`)
    if (looks % LOOKS_PER_PROGRESS === 0) progress(`${what}, for ${secondsSince(began).toFixed(0)} s`)
    await delay(pollMs)
  }
}

export function secondsSince(began: number): number {
  return (performance.now() - began) / 1_000
}
