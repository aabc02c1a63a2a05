import type { TestService } from '../test/support/service.ts'

/** So that the service reads monitors that were written past it. */
export async function restart(service: TestService): Promise<void> {
  await service.signal('SIGTERM')
  await service.start()
}

export async function countChecked(service: TestService): Promise<number> {
  const { rows } = await service.services.db.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM monitor_state WHERE last_checked_at IS NOT NULL',
  )
  return rows[0]?.count ?? 0
}
