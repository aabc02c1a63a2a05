import { createHash } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { calendarOf } from '../../core/maintenance/calendar.ts'
import { standingAt, timesOf } from '../../core/maintenance/kept-window.ts'
import { isUuid } from '../../core/text.ts'
import { listStanding } from '../../store/maintenance/occurrences.ts'
import { listWindows } from '../../store/maintenance/windows.ts'
import { findBySecret } from '../../store/sealing/secret-addresses.ts'
import { findTeam } from '../../store/teams/teams.ts'
import { scheduleCalendarOf } from '../on-call/calendar.ts'
import type { Services } from '../services.ts'
import { foundBySecret, throttle } from '../sign-in/throttle.ts'

/** `version` changes with what the calendar says, and not with the time at which it was made. */
export type Calendar = { text: string; version: string }

/** The calendar of a team's windows, or of a schedule, by its secret address alone. Refuses with 429 and 404. */
export async function readCalendar(
  services: Services,
  { token, address }: { token: string; address: string },
): Promise<Calendar> {
  const { db, limits } = services
  const isToken = isUuid(token)
  const team = isToken ? await findBySecret(db.query, 'windowsCalendar', token) : null
  if (team) {
    await throttle(limits.perCalendar, team.teamId)
    return versioned(await windowsCalendar(services, team.teamId))
  }
  const found = isToken ? await findBySecret(db.query, 'scheduleCalendar', token) : null
  const schedule = await foundBySecret(services, 'calendar', address, found)
  await throttle(limits.perCalendar, schedule.teamId)
  return versioned(await scheduleCalendarOf(services, schedule))
}

async function windowsCalendar({ db, siteUrl, databaseNow }: Services, teamId: number): Promise<string> {
  const team = await findTeam(db.query, teamId)
  if (!team) throw new Refusal('notFound')
  const windows = await listWindows(db.query, teamId)
  const now = databaseNow()
  const kept = Map.groupBy(await listStanding(db.query, teamId, standingAt(now)), ({ windowId }) => windowId)
  return calendarOf(
    windows.map((window) => ({
      id: window.id,
      name: window.name,
      note: window.note,
      times: timesOf({ window, kept: kept.get(window.id) ?? [] }),
    })),
    { title: `Maintenance of ${team.name}`, host: new URL(siteUrl).host, now },
  )
}

function versioned(text: string): Calendar {
  const said = text.replaceAll(/^DTSTAMP:.*$/gm, '')
  return { text, version: createHash('sha256').update(said).digest('base64url') }
}
