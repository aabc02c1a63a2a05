import { announceMonitors, requestCheck } from '../../../src/store/probing/schedule.ts'
import { countRows } from '../records/rows.ts'
import type { SwitchTarget } from '../servers/switch-target.ts'
import { until } from '../until.ts'
import type { AskedService } from './asked-service.ts'

const LOOKS_PER_REQUEST = 4

/**
 * Has a monitor checked, whatever its interval; returns when its target was asked and what it said is recorded. Unlike
 * the button it does not take two requests that follow one another fast for one.
 */
export async function checkNow(
  { services: { db, now } }: AskedService,
  { teamId, id, target }: { teamId: number; id: number; target: SwitchTarget },
): Promise<void> {
  const { asked } = target
  const countChecks = () => countRows(db, 'checks', { monitor_id: id })
  const recorded = await countChecks()
  let looks = 0
  await until(`monitor ${id} is checked`, async () => {
    if (target.asked > asked) return (await countChecks()) > recorded
    // A request that meets a check under way is answered by that one, which may have asked before.
    if (looks++ % LOOKS_PER_REQUEST === 0) {
      await requestCheck(db.query, teamId, id, now(), 0)
      await announceMonitors(db.query, [id])
    }
    return false
  })
}
