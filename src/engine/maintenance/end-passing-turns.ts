import { SWITCH_PASSING_SECONDS } from '../../core/maintenance/window.ts'
import type { Database } from '../../postgres/database.ts'
import { keepOccurrence, listKept } from '../../store/maintenance/occurrences.ts'
import { readPassingTurns } from '../../store/maintenance/passing-turns.ts'
import { lockWindow, windowsChanged } from '../../store/maintenance/windows.ts'

const TURNS_PER_ROUND = 100

/** Ends turns of switches that end by themselves once all of their subjects have been passing for a while. */
export async function endPassingTurns(db: Database, now: Date): Promise<void> {
  const since = new Date(now.getTime() - SWITCH_PASSING_SECONDS * 1_000)
  for (const { teamId, windowId, startsAt } of await readPassingTurns(db, now, since, TURNS_PER_ROUND)) {
    await db.query.transaction().execute(async (query) => {
      const window = await lockWindow(query, teamId, windowId)
      const kept = window ? await listKept(query, teamId, now, [windowId]) : []
      // A person may have ended it meanwhile, or changed the switch.
      const turn = kept.find((one) => one.startsAt.getTime() === startsAt.getTime() && one.endsAt > now)
      if (!turn || !window || window.kind !== 'switch' || !window.ends_when_passing) return
      await keepOccurrence(query, teamId, { ...turn, endsAt: now, endedBy: 'passing' })
      await windowsChanged(query, teamId)
    })
  }
}
