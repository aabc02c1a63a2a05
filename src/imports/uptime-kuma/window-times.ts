import { type Said, said } from '../../core/language/said.ts'
import { localDateOf, MAX_LOCAL_YEAR, TimeZone, wallMsOf } from '../../core/maintenance/local-time.ts'
import {
  MAX_RULE_INTERVAL,
  type Recurrence,
  type RuleDay,
  WEEKDAYS,
  writeRule,
} from '../../core/maintenance/recurrence.ts'
import { instantOf } from '../../core/maintenance/wall-clock.ts'
import { MAX_SWITCH_MINUTES } from '../../core/maintenance/window.ts'
import { EVERY_DAY, recurrenceOfCron } from '../cron-recurrence.ts'
import { startBefore, type WindowFacts } from '../draft-window.ts'
import { type Fields, isOn, numberOf, textOf, textsOf } from '../fields.ts'
import { isSaid } from '../reasons.ts'

const DAY_MS = 86_400_000
const DAY_MINUTES = 1_440

/** The times of one maintenance of Uptime Kuma: several windows where its cron begins several times a day. */
export type KumaTimes = {
  windows: { name: string; times: WindowFacts['times'] }[]
  /** When its range of dates ends. */
  endsAt: Date | null
  notes: Said[]
}

/** Where a maintenance is, in the words of Uptime Kuma. */
type Placed = { maintenance: Fields; name: string; timeZone: string; now: Date }

/** A sentence is the reason why it has no counterpart. `serverZone` is empty if the file does not hold it. */
export function kumaTimesOf(
  maintenance: Fields,
  { name, serverZone, now }: { name: string; serverZone: string; now: Date },
): KumaTimes | Said {
  const strategy = textOf(maintenance.strategy) || 'single'
  if (strategy === 'manual') return manual(maintenance, name)
  if (!isOn(maintenance.active, true)) return said('is switched off there')
  const zone = zoneOf(maintenance, serverZone)
  if (zone === '') return UNKNOWN_ZONE
  if (!TimeZone.safeParse(zone.name).success)
    return said('has the time zone {zone}, which is not known here', { zone: zone.name })
  const placed = { maintenance, name, timeZone: zone.name, now }
  const times = strategy === 'single' ? single(placed) : recurring(strategy, placed)
  if (isSaid(times) || !zone.isOfServer) return times
  return { ...times, notes: [OF_SERVER(zone.name), ...times.notes] }
}

const OF_SERVER = (zone: string) => said('is in the time zone of its server there, {zone}', { zone })
const UNKNOWN_ZONE = said(
  'is in the time zone of its server, which the file does not hold: choose one for it there, or save Settings → General there, and import again',
)

/** Rows without a zone are from before 1.21.2, which kept times in UTC. */
function zoneOf(maintenance: Fields, serverZone: string): { name: string; isOfServer: boolean } | '' {
  const own = textOf(maintenance.timezone)
  if (own !== '' && own !== 'SAME_AS_SERVER') return { name: own, isOfServer: false }
  if (own === '' && textOf(maintenance.cron) === '') return { name: 'UTC', isOfServer: false }
  return serverZone === '' ? '' : { name: serverZone, isOfServer: true }
}

function manual(maintenance: Fields, name: string): KumaTimes {
  const wasOn = isOn(maintenance.active, true)
    ? [said('was on: here it is off until somebody turns it on')]
    : []
  return {
    windows: [{ name, times: { kind: 'switch', max_minutes: MAX_SWITCH_MINUTES } }],
    endsAt: null,
    notes: [
      said(
        'lasted until it was turned off: here it ends by itself after 24 hours, or a shorter time of yours',
      ),
      ...wasOn,
    ],
  }
}

function single({ maintenance, name, timeZone, now }: Placed): KumaTimes | Said {
  const startMs = wallMsIn(maintenance.start_date)
  const endMs = wallMsIn(maintenance.end_date)
  if (startMs === null || endMs === null) return said('has no start and end that can be read')
  const endsAt = new Date(instantOf(endMs, timeZone))
  if (endsAt <= now) return overSince(endsAt)
  const starts_at = new Date(instantOf(startMs, timeZone)).toISOString()
  const times = { kind: 'one_off', starts_at, ends_at: endsAt.toISOString() } as const
  return { windows: [{ name, times }], endsAt: null, notes: [] }
}

function overSince(endsAt: Date): Said {
  return said('is over since {date}', { date: endsAt.toISOString().slice(0, 10) })
}

/** The days of a strategy, its times of day, and the length of each occurrence. */
type Plan = { days: Recurrence; times: string[]; minutes: number; notes: Said[] }

function recurring(strategy: string, placed: Placed): KumaTimes | Said {
  const { maintenance, name, timeZone, now } = placed
  const plan = planOf(strategy, maintenance)
  if (isSaid(plan)) return plan
  const { days, times, minutes, notes } = plan
  const startMs = wallMsIn(maintenance.start_date)
  const endMs = endWallMsOf(maintenance)
  const endsAt = endMs === null ? null : new Date(instantOf(endMs, timeZone))
  if (endsAt && endsAt <= now) return overSince(endsAt)
  if (startMs === null && days.interval > 1)
    notes.push(said('has no start date: here its days are counted from now on'))
  const windows = times.map((time) => ({
    name: times.length > 1 ? `${name} ${time}` : name,
    times: {
      kind: 'recurring' as const,
      local_start: startOf(days, time, startMs, placed),
      time_zone: timeZone,
      duration_minutes: minutes,
      rule: writeRule({ ...days, until: endMs === null ? null : untilOf(endMs, time) }),
    },
  }))
  return { windows, endsAt, notes }
}

function planOf(strategy: string, maintenance: Fields): Plan | Said {
  if (strategy === 'cron') {
    const read = recurrenceOfCron(textOf(maintenance.cron))
    const minutes = Math.ceil((numberOf(maintenance.duration) ?? 0) / 60)
    return isSaid(read) ? read : { ...read, minutes, notes: [] }
  }
  const days = daysOf(strategy, maintenance)
  if (isSaid(days)) return days
  const start = minutesOf(maintenance.start_time)
  const end = minutesOf(maintenance.end_time)
  if (start === null || end === null) return said('has no start and end of the day that can be read')
  if (start === end) return said('begins and ends at the same time of day: it lasts no time')
  const time = new Date(start * 60_000).toISOString().slice(11, 16)
  const notes = days.byMonthDay.some((day) => day < -1) ? [LAST_DAYS] : []
  // An end before the start is that of the next day.
  return { days, times: [time], minutes: (end - start + DAY_MINUTES) % DAY_MINUTES, notes }
}

const LAST_DAYS = said(
  'named days before the last one of a month, which Uptime Kuma keeps but passes over: here they count',
)

function daysOf(strategy: string, maintenance: Fields): Recurrence | Said {
  switch (strategy) {
    case 'recurring-interval': {
      const interval = numberOf(maintenance.interval_day) || 1
      if (Number.isInteger(interval) && interval > 0 && interval <= MAX_RULE_INTERVAL)
        return { ...EVERY_DAY, interval }
      return said('recurs every {interval} days: 1 to {max} are possible here', {
        interval,
        max: MAX_RULE_INTERVAL,
      })
    }
    case 'recurring-weekday': {
      const byDay = textsOf(maintenance.weekdays).flatMap(weekdayOf)
      return byDay.length > 0 ? { ...EVERY_DAY, freq: 'WEEKLY', byDay } : said('names no day of the week')
    }
    case 'recurring-day-of-month': {
      const byMonthDay = textsOf(maintenance.days_of_month).flatMap(monthDayOf)
      return byMonthDay.length > 0
        ? { ...EVERY_DAY, freq: 'MONTHLY', byMonthDay }
        : said('names no day of the month')
    }
    default:
      return said('recurs by {strategy}, which is not known here', { strategy })
  }
}

/** 1 is Monday; 0 and 7 are Sunday. */
function weekdayOf(number: string): RuleDay[] {
  const day = /^[0-7]$/.test(number) ? WEEKDAYS[(Number(number) + 6) % 7] : undefined
  return day ? [{ ordinal: null, day }] : []
}

/** `lastDay1` is the last day of a month, `lastDay4` the fourth to last. */
function monthDayOf(entry: string): number[] {
  const last = /^lastDay([1-4])$/.exec(entry)?.[1]
  if (last !== undefined) return [-Number(last)]
  return /^\d{1,2}$/.test(entry) ? [Number(entry)] : []
}

/** A start on or after the first day that counts; the import moves it on to one that is not over. */
function startOf(days: Recurrence, time: string, startMs: number | null, { timeZone, now }: Placed): string {
  if (startMs === null && days.interval === 1) return startBefore(now, time)
  if (startMs === null) {
    const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
    const isPast = today.toPlainTime().toString().slice(0, 5) > time
    return `${today.add({ days: isPast ? 1 : 0 }).toPlainDate()}T${time}`
  }
  const first = `${localDateOf(startMs)}T${time}`
  if (wallMsOf(first) >= startMs) return first
  return `${localDateOf(startMs + days.interval * DAY_MS)}T${time}`
}

/** Null where a range ends in years that no rule reaches. */
function endWallMsOf(maintenance: Fields): number | null {
  const endMs = wallMsIn(maintenance.end_date)
  return endMs === null || new Date(endMs).getUTCFullYear() > MAX_LOCAL_YEAR ? null : endMs
}

/** The last moment at which one may begin: none begins at the end itself. */
function untilOf(endMs: number, time: string): string {
  const end = new Date(endMs)
  const last = end.toISOString().slice(11, 16) === time ? new Date(endMs - 1_000) : end
  return last.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
}

/** A wall-clock time such as `2026-05-01T02:00` or `2026-05-01 02:00:00`; null if there is none. */
function wallMsIn(value: unknown): number | null {
  const [, date, time = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?Z?)?$/.exec(textOf(value)) ?? []
  const wallMs = date === undefined ? Number.NaN : wallMsOf(`${date}T${time}`)
  return Number.isNaN(wallMs) ? null : wallMs
}

/** Minutes of the day of `02:00`; null for anything else. */
function minutesOf(value: unknown): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(textOf(value)) ?? []
  const found = Number(hours) * 60 + Number(minutes)
  return found < DAY_MINUTES && Number(minutes) < 60 ? found : null
}
