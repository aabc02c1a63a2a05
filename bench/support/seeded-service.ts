import { setTimeout as delay } from 'node:timers/promises'
import { startTestService, type TestService, type TestTeam } from '../../test/support/services/service.ts'
import { until } from '../../test/support/until.ts'
import { progress } from './progress.ts'
import type { Scope } from './scope.ts'
import { seedMonitors } from './seed.ts'
import { startConstantServer } from './start-constant-server.ts'

const BODY_BYTES = 100

/** A service with a team, and a target on the loopback for monitors that are checked once a minute. */
export type SeededService = { service: TestService; team: TestTeam; targetUrl: string }

export async function startSeededService(
  scope: Scope,
  environment: Record<string, string> = {},
): Promise<SeededService> {
  const service = await startTestService(environment)
  scope.after(() => service.close())
  const target = await startConstantServer(scope)
  const team = await service.createTeam()
  return { service, team, targetUrl: `http://127.0.0.1:${target.ports.http}/${BODY_BYTES}` }
}

/**
 * Adds monitors as they are after a time of work, up and checked, and starts the service anew: what is measured
 * then is the schedule, not 10,000 first checks at once. Resolves when it checks.
 */
export async function addMonitors({ service, team, targetUrl }: SeededService, count: number): Promise<void> {
  progress(`creating ${count} monitors`)
  const settings = { url: targetUrl, check_interval_minutes: 1 as const }
  await seedMonitors(service.services, team.id, count, () => settings)
  await service.services.db.pool.query(
    `UPDATE monitor_state SET status = 'up', last_checked_at = now() WHERE last_checked_at IS NULL`,
  )
  await service.services.db.pool.query('VACUUM ANALYZE monitors, monitor_state')
  await restart(service)
  await untilChecking(service)
}

/** Restarts the service, so that it reads monitors that were written past it. */
export async function restart(service: TestService): Promise<void> {
  await service.signal('SIGTERM')
  await service.start()
}

export async function untilChecking(service: TestService): Promise<void> {
  await until('the service is healthy', async () => {
    const { status } = await fetch(`${service.url}/health`)
    if (status !== 200) await delay(20)
    return status === 200
  })
}

export async function countChecked(service: TestService): Promise<number> {
  const { rows } = await service.services.db.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM monitor_state WHERE last_checked_at IS NOT NULL',
  )
  return rows[0]?.count ?? 0
}
