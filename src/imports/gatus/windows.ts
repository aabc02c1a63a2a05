import { type Said, said } from '../../core/language/said.ts'
import { type RuleDay, WEEKDAYS, writeRule } from '../../core/maintenance/recurrence.ts'
import { windowLabel } from '../../core/moving-in/names.ts'
import { EVERY_DAY } from '../cron-recurrence.ts'
import type { Draft } from '../draft.ts'
import { startBefore, type WindowFacts } from '../draft-window.ts'
import { type Fields, isFields, isOn, recordsOf, textOf, textsOf } from '../fields.ts'
import { alsoCovered, isSaid } from '../reasons.ts'
import { secondsOfGoDuration } from './go-duration.ts'
import { HOLDS_VARIABLE, holdsVariable } from './variables.ts'

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** An endpoint of the file, and the name of its monitor; null if it was skipped. */
export type DraftedEndpoint = { endpoint: Fields; name: string; drafted: string | null }

/** Drafts the window of the whole configuration, and those of their endpoints: one for all endpoints that share its times. */
export function draftGatusWindows(draft: Draft, { maintenance }: Fields, endpoints: DraftedEndpoint[]): void {
  if (isFields(maintenance))
    draftOne(draft, { name: 'Maintenance', config: maintenance, endpoints, coversAll: true })
  const listed = endpoints.flatMap((each) =>
    recordsOf(each.endpoint['maintenance-windows']).map((config) => ({ ...each, config })),
  )
  const alike = Map.groupBy(listed, ({ config: { enabled, start, duration, timezone, every } }) =>
    JSON.stringify([enabled, start, duration, timezone, every]),
  )
  for (const same of alike.values()) {
    const config = same[0]?.config ?? {}
    draftOne(draft, {
      name: `Maintenance at ${textOf(config.start)}`,
      config,
      endpoints: same,
      coversAll: false,
    })
  }
}

type Found = { name: string; config: Fields; endpoints: DraftedEndpoint[]; coversAll: boolean }

function draftOne(draft: Draft, { name, config, endpoints, coversAll }: Found): void {
  const times = timesOf(config, draft.now)
  const monitors = [...new Set(endpoints.flatMap(({ drafted }) => drafted ?? []))]
  const lost = endpoints.filter(({ drafted }) => drafted === null).map((each) => each.name)
  if (isSaid(times) || monitors.length === 0) {
    const reason = isSaid(times) ? times : said('covers only what did not come over')
    const names = endpoints.map((each) => each.name).join(', ')
    draft.skip(
      windowLabel(name),
      coversAll ? reason : said('{reason} (endpoints: {names})', { reason, names }),
    )
    return
  }
  const drafted = draft.window({ name, times, monitors, coversAll })
  if (drafted === null) return
  const label = windowLabel(drafted.window.name)
  if (lost.length > 0 && !coversAll) draft.note(label, alsoCovered(lost))
  if (/s$/.test(textOf(config.duration)))
    draft.note(label, said('lasted seconds, too: here it lasts whole minutes'))
}

/** A sentence is the reason why there are none here. */
function timesOf(config: Fields, now: Date): WindowFacts['times'] | Said {
  if (holdsVariable(config)) return HOLDS_VARIABLE
  if (!isOn(config.enabled, true)) return said('is switched off there')
  const start = textOf(config.start)
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(start)) return said('has no start such as 23:00')
  const seconds = secondsOfGoDuration(textOf(config.duration))
  if (!seconds) return said('has no duration such as 1h30m')
  const names = textsOf(config.every)
  const unknown = names.find((name) => !DAY_NAMES.includes(name))
  if (unknown !== undefined) return said('names the day {day}, which Gatus does not know', { day: unknown })
  const byDay = DAY_NAMES.flatMap((name, place): RuleDay[] => {
    const day = WEEKDAYS[place]
    return day && names.includes(name) ? [{ ordinal: null, day }] : []
  })
  return {
    kind: 'recurring',
    local_start: startBefore(now, start),
    time_zone: textOf(config.timezone) || 'UTC',
    duration_minutes: Math.ceil(seconds / 60),
    rule: writeRule({ ...EVERY_DAY, freq: byDay.length > 0 ? 'WEEKLY' : 'DAILY', byDay }),
  }
}
