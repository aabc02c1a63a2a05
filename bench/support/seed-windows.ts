import { sql } from 'kysely'
import { type MaintenanceWindow, subjectsOf } from '../../src/core/maintenance/window.ts'
import { keepOccurrence } from '../../src/store/maintenance/occurrences.ts'
import { insertWindow, MAINTENANCE_CHANNEL } from '../../src/store/maintenance/windows.ts'
import type { Store } from '../../src/store/store.ts'
import type { SeededMonitor } from './seed.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Santiago']
const RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=SA,SU',
  'FREQ=MONTHLY;BYDAY=1SU',
  'FREQ=MONTHLY;BYMONTHDAY=-1',
]
/** Monitors of a window that does not cover everything: 1 to so many. */
const MOST_CHOSEN = 50

/**
 * Windows as a team of operators has them: recurring ones, every sixth of them over everything and to come; one-off ones
 * and switches over chosen monitors, of which every third applies. Told to nobody.
 */
export async function seedWindows(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  teamId: number,
  monitors: SeededMonitor[],
  count: number,
): Promise<void> {
  const since = new Date(Date.now() - DAY_MS)
  await db.query.transaction().execute(async (query) => {
    for (let number = 0; number < count; number++) {
      const window = windowOf(number, monitors)
      const windowId = await insertWindow(query, vault, teamId, window, { since, token: null })
      if (window.kind !== 'switch' || !isOn(number)) continue
      const endsAt = new Date(Date.now() + DAY_MS)
      const startsAt = new Date(Date.now() - MINUTE_MS)
      const kept = { windowId, startsAt, endsAt, endedBy: null, ...subjectsOf(window) }
      await keepOccurrence(query, teamId, kept)
    }
  })
}

/** Gives the windows of one team to another, whose monitors are not theirs; a team without any is as if it never had one. */
export async function moveWindows({ db }: Pick<Store, 'db'>, from: number, to: number): Promise<void> {
  const revision = Math.trunc(Date.now() / 1_000)
  await db.query.transaction().execute(async (query) => {
    for (const table of ['maintenance_windows', 'maintenance_occurrences'])
      await sql`UPDATE ${sql.table(table)} SET team_id = ${to} WHERE team_id = ${from}`.execute(query)
    await sql`UPDATE teams SET maintenance_revision = CASE id WHEN ${to} THEN ${revision}::int ELSE 0 END
              WHERE id IN (${from}, ${to})`.execute(query)
    for (const team of [from, to])
      await sql`SELECT pg_notify(${MAINTENANCE_CHANNEL}, ${String(team)})`.execute(query)
  })
}

const isOn = (number: number) => number % 3 === 0

function windowOf(number: number, monitors: SeededMonitor[]): MaintenanceWindow {
  const shared = {
    name: `Window ${number + 1}`,
    note: '',
    shows_on_pages: true,
    public_name: '',
    all_subjects: false,
    monitor_ids: someOf(number, monitors),
    server_ids: [],
    site_ids: [],
    tags: [],
  }
  const startsAt = Date.now() + (isOn(number) ? -MINUTE_MS : DAY_MS + number * MINUTE_MS)
  switch (number % 10) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
      return {
        ...shared,
        kind: 'recurring',
        ...(number % 10 === 0 && { all_subjects: true, monitor_ids: [] }),
        local_start: new Date(Date.now() + 2 * DAY_MS + number * MINUTE_MS).toISOString().slice(0, 16),
        time_zone: ZONES[number % ZONES.length] as string,
        duration_minutes: 90,
        rule: RULES[number % RULES.length] as string,
        exceptions: [],
      }
    case 6:
    case 7:
    case 8:
      return {
        ...shared,
        kind: 'one_off',
        starts_at: new Date(startsAt),
        ends_at: new Date(startsAt + 2 * DAY_MS),
      }
    default:
      return { ...shared, kind: 'switch', max_minutes: 1_440, ends_when_passing: false }
  }
}

function someOf(number: number, monitors: SeededMonitor[]): number[] {
  const count = Math.min(1 + ((number * 7) % MOST_CHOSEN), monitors.length)
  const first = (number * 131) % monitors.length
  return Array.from(
    { length: count },
    (_, i) => (monitors[(first + i) % monitors.length] as SeededMonitor).id,
  )
}
