import type { Check } from '../../../src/core/monitors/check.ts'
import type { AskedService } from '../services/asked-service.ts'

export type KeptCheck = Pick<Check, 'checked_at' | 'status' | 'region' | 'error_message'>

/**
 * All checks of a monitor from the database, oldest first: a page of the API does not hold those of a slow machine, nor
 * does it tell what was not confirmed.
 */
export async function keptChecks({ services }: AskedService, monitorId: number): Promise<KeptCheck[]> {
  const { rows } = await services.db.pool.query<KeptCheck & { at: Date }>(
    'SELECT checked_at AS at, status, region, error_message FROM checks WHERE monitor_id = $1 ORDER BY checked_at',
    [monitorId],
  )
  return rows.map(({ at, ...check }) => ({ ...check, checked_at: at.toISOString() }))
}
