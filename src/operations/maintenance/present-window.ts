import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Language } from '../../core/language/language.ts'
import { said } from '../../core/language/said.ts'
import { translatorOf } from '../../core/language/service.ts'
import { type KeptWindow, standingAt, timesOf, unknownZoneOf } from '../../core/maintenance/kept-window.ts'
import { type Occurrence, type WindowTimes, windowAround } from '../../core/maintenance/occurrence.ts'
import {
  type ClockChange,
  hiddenShareOfWeek,
  MAX_QUIET_SHARE,
  shownNext,
} from '../../core/maintenance/preview.ts'
import type {
  ShownSpan,
  WindowDetail,
  WindowPreview,
  WindowRow,
} from '../../core/maintenance/shown-window.ts'
import { KIND_ENTRIES, ofEachField } from '../../core/maintenance/subject-kind.ts'
import { type MaintenanceWindow, NOTHING_CHOSEN } from '../../core/maintenance/window.ts'
import type { WindowRecord } from '../../core/maintenance/window-record.ts'
import { windowInWords } from '../../core/maintenance/window-words.ts'
import { seesSecrets } from '../../core/teams/access.ts'
import { listStanding } from '../../store/maintenance/occurrences.ts'
import { readSubjects, type WindowSubjects } from '../../store/maintenance/subjects.ts'
import { findWindow } from '../../store/maintenance/windows.ts'
import { readSecret } from '../../store/sealing/secret-addresses.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** The bound of each kind: all of them are named. */
const MAX_NAMED = Math.max(...Object.values(KIND_ENTRIES).map(({ maxInWindow }) => maxInWindow))

/** The person who reads about a window. */
type Reader = {
  reader_zone?: string | undefined
  /** The zone in which the times of a one-off window were typed. */
  zone?: string | undefined
  reader_language?: Language | undefined
  reader_locale?: string | undefined
}

/** Everything about a window, for a reader: without a zone, in that of the window, and without a language in English. */
export async function readDetail(
  services: Services,
  { teamId, role }: Actor,
  windowId: number,
  reader: Reader = {},
): Promise<WindowDetail> {
  const { db, vault, siteUrl } = services
  const window = await findWindow(db.query, teamId, windowId)
  if (!window) throw new Refusal('notFound')
  const now = services.databaseNow()
  const kept = await listStanding(db.query, teamId, standingAt(now), [windowId])
  const subjects = (await readSubjects(db.query, teamId, [windowId], MAX_NAMED)).get(windowId)
  const token = seesSecrets(role)
    ? await readSecret(db.query, vault, 'switch', { teamId, id: windowId })
    : null
  const whole = { window, kept }
  return {
    ...presentRow(whole, subjects, now, reader),
    fields: fieldsOf(window, subjects),
    addresses: token === null ? null : addressesOf(siteUrl, token),
    preview: previewOf(window, timesOf(whole), now, reader),
  }
}

export function presentRow(
  whole: KeptWindow,
  subjects: WindowSubjects | undefined,
  now: Date,
  reader: Reader,
): WindowRow {
  const { window } = whole
  const { id, kind, name, note, shows_on_pages, public_name, all_subjects, tags } = window
  const { current, next } = windowAround(timesOf(whole), now)
  const unknownZone = unknownZoneOf(window)
  return {
    id,
    kind,
    name,
    note,
    shows_on_pages,
    public_name,
    all_subjects,
    tags,
    ...countsOf(subjects),
    ...ofEachField('s', (kind) => subjects?.[kind].first ?? []),
    sentence: sentenceOf(window, reader),
    time_zone: window.kind === 'recurring' ? window.time_zone : null,
    current: spanOf(current),
    next: spanOf(next),
    fault:
      unknownZone === null
        ? null
        : said("Upbeat's server does not know the time zone {zone}.", { zone: unknownZone }),
  }
}

/** `times`: where they are not those of the fields alone, as some of the window was kept. */
export function previewOf(
  window: MaintenanceWindow,
  times: WindowTimes,
  now: Date,
  reader: Reader,
): WindowPreview {
  const { reader_zone } = reader
  const own = window.kind === 'recurring' ? window.time_zone : zoneFor(reader)
  const zone = unknownZoneOf(window) === null ? own : 'UTC'
  const inReaderZone = shownNext(times, now, reader_zone ?? zone)
  const share = hiddenShareOfWeek(times, now)
  return {
    sentence: sentenceOf(window, reader),
    time_zone: own,
    next: shownNext(times, now, zone).map((shown, index) => {
      const { localStart = '', localEnd = '', clockChange = null } = inReaderZone[index] ?? {}
      return {
        ...presentSpan(shown),
        window_start: shown.localStart,
        window_end: shown.localEnd,
        reader_start: localStart,
        reader_end: localEnd,
        clock_change: presentChange(shown.clockChange ?? clockChange),
      }
    }),
    hidden_share_of_week: share,
    hides_much: share > MAX_QUIET_SHARE,
  }
}

function sentenceOf(window: MaintenanceWindow, reader: Reader): string {
  const { t, locale } = translatorOf(reader.reader_language ?? 'en')
  return windowInWords(window, t, {
    zone: zoneFor(reader),
    locale: knownLocale(reader.reader_locale) ?? locale,
  })
}

/** Null for what is no tag of a language: the dates of a sentence are not worth a refusal. */
function knownLocale(tag: string | undefined): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

function zoneFor({ zone, reader_zone }: Reader): string {
  return zone ?? reader_zone ?? 'UTC'
}

export function countsOf(subjects: WindowSubjects | undefined) {
  return ofEachField('_count', (kind) => subjects?.[kind].count ?? 0)
}

export function presentSpan({ startsAt, endsAt }: Occurrence): ShownSpan {
  return { starts_at: formatInstant(startsAt), ends_at: formatInstant(endsAt) }
}

function spanOf(occurrence: Occurrence | null): ShownSpan | null {
  return occurrence ? presentSpan(occurrence) : null
}

function presentChange(change: ClockChange | null) {
  return change && { ...change, at: formatInstant(change.at) }
}

/** As the form sends it. A subject that was deleted is left out: no form could choose it, and none chooses by tags. */
function fieldsOf({ id, since, ...fields }: WindowRecord, subjects: WindowSubjects | undefined) {
  if (fields.tags.length > 0) return JSON.parse(JSON.stringify({ ...fields, ...NOTHING_CHOSEN }))
  const chosen = ofEachField('_ids', (kind) => (subjects?.[kind].first ?? []).map(({ id }) => id))
  return JSON.parse(JSON.stringify({ ...fields, ...chosen }))
}

function addressesOf(siteUrl: string, token: string) {
  const address = `${siteUrl}/maintenance/${token}`
  return { start: `${address}/start`, stop: `${address}/stop` }
}
