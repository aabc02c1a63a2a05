import { windowStart } from '../../core/history/history-span.ts'
import { uptimeOf } from '../../core/history/uptime.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { MAX_FIGURED } from '../../core/overview/team-figures.ts'
import { readFlapping, readTeamDay, readTeamWeek } from '../../store/history/team-figures.ts'
import { readHoursUntil } from '../../store/history/uptimes.ts'
import { listExpiries } from '../../store/sites/expiries.ts'
import type { Implementation } from '../implementation.ts'

/** Reads thousands of roll-ups of a large team: screens ask for it every few minutes, and apart from the overview. */
export const getTeamFigures: Implementation<'getTeamFigures'> = {
  async perform({ db, now: clock }, { actor: { teamId } }) {
    const now = clock()
    const until = await readHoursUntil(db)
    const [day, week, { total, flapping }, expiring] = await Promise.all([
      readTeamDay(db, teamId, { now, until, limit: MAX_FIGURED }),
      readTeamWeek(db, teamId, { now, until }),
      readFlapping(db, teamId, windowStart(1, now) as Date, MAX_FIGURED),
      listExpiries(db.query, teamId, {}, { limit: MAX_FIGURED, offset: 0 }),
    ])
    const isSummedUp = until.getTime() > 0
    return {
      body: {
        data: {
          until: formatInstantOrNull(isSummedUp ? until : null),
          uptime: { '24h': uptimeOf(day.times), '7d': uptimeOf(week) },
          incidents_24h: total,
          slowest: day.slowest.map(({ meanMs, ...monitor }) => ({ ...monitor, mean_ms: meanMs })),
          flapping,
          expiring: expiring.map(({ at, ...expiry }) => ({ ...expiry, at: formatInstant(at) })),
        },
      },
    }
  },
}
