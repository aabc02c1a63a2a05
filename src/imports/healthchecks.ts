import { EmailAddress } from '../core/alerting/contact-values.ts'
import { type Said, said } from '../core/language/said.ts'
import { TimeZone } from '../core/maintenance/local-time.ts'
import { DEFAULT_ZONE, scheduleFault } from '../core/monitors/heartbeats/job-schedule.ts'
import { MAX_GRACE_SECONDS } from '../core/monitors/options/heartbeats.ts'
import type { Outcome } from '../core/moving-in/outcome.ts'
import { contactTypesOf } from './counterparts.ts'
import { createDraft, type Draft } from './draft.ts'
import type { MonitorFacts } from './draft-monitor.ts'
import { entryOf, type Fields, isFields, isOn, numberOf, recordsOf, textOf } from './fields.ts'
import { type Terms, WrongFile } from './outcome.ts'
import { type Rule, sentencesOf } from './reasons.ts'
import { importedTags } from './tags.ts'

const DEFAULT_TIMEOUT_SECONDS = 86_400
const DEFAULT_GRACE_SECONDS = 3_600
/** A monitor has an interval, also where it has a schedule. */
const UNUSED_INTERVAL_SECONDS = 3_600

/** Imports the answers of `GET /api/v1|v2|v3/checks/` and `…/channels/`. */
export function fromHealthchecks(documents: unknown[], terms: Terms): Outcome {
  const answers = documents.filter(isFields)
  const refused = answers.map(({ error }) => textOf(error)).find((error) => error !== '')
  if (refused) throw new WrongFile(said('it is a refusal of Healthchecks: {refused}', { refused }))
  if (!answers.some(({ checks }) => Array.isArray(checks))) {
    throw new WrongFile(said('it has no "checks": it takes what GET /api/v3/checks/ answers'))
  }
  const draft = createDraft(terms)
  const channels = new Map(
    answers
      .flatMap(({ channels }) => recordsOf(channels))
      .map((channel) => [textOf(channel.id), draftChannel(draft, channel)]),
  )
  for (const check of answers.flatMap(({ checks }) => recordsOf(checks))) draftCheck(draft, check, channels)
  return draft.outcome()
}

/** The export has no addresses, only names. The name of an e-mail integration may be its address. */
function draftChannel(draft: Draft, channel: Fields): string | null {
  const kind = textOf(channel.kind)
  const name = textOf(channel.name) || kind
  if (kind === 'email' && EmailAddress.safeParse(name).success) {
    draft.note(
      name,
      said('the name of the integration is taken for its address, which the export does not hold'),
    )
    return draft.contact({ name, type: 'email', config: { email: name } })
  }
  const type = entryOf(contactTypesOf('healthchecks'), kind)
  const reason = type
    ? said('the export does not hold its address: add it as a contact of type {contact}', { contact: type })
    : said('there is no contact of the kind {kind}', { kind })
  draft.skip(`integration ${name}`, reason)
  return null
}

function draftCheck(draft: Draft, check: Fields, channels: Map<string, string | null>): void {
  const name = textOf(check.name, check.slug) || 'unnamed check'
  const rhythm = rhythmOf(check, draft.now)
  if ('text' in rhythm) {
    draft.skip(name, rhythm)
    return
  }
  const ids = textOf(check.channels).split(',')
  const oldPing = textOf(check.ping_url) || null
  const drafted = draft.monitor({
    name,
    type: 'heartbeat',
    ...rhythm,
    is_active: check.status !== 'paused',
    contacts: ids.flatMap((id) => channels.get(id.trim()) ?? []),
    oldPing,
    ...importedTags(
      textOf(check.tags)
        .split(/\s+/)
        .map((name) => ({ name })),
    ),
  })
  if (drafted === null) return
  for (const note of sentencesOf(HEALTHCHECKS_DIFFERENCES, check, 'heartbeat')) draft.note(drafted, note)
}

/** How it is waited for; a sentence is the reason why that is impossible here. */
function rhythmOf(check: Fields, now: Date): Pick<MonitorFacts, 'intervalSeconds' | 'waiting'> | Said {
  const graceSeconds = numberOf(check.grace) ?? DEFAULT_GRACE_SECONDS
  const schedule = textOf(check.schedule).trim()
  if (!schedule) {
    const period = numberOf(check.timeout) ?? DEFAULT_TIMEOUT_SECONDS
    // A long grace is a longer interval.
    const beyond = Math.max(0, graceSeconds - MAX_GRACE_SECONDS)
    return { intervalSeconds: period + beyond, waiting: { graceSeconds: graceSeconds - beyond } }
  }
  if (schedule.includes('\n')) return said('has several schedules: a heartbeat here has one')
  const timeZone = textOf(check.tz) || DEFAULT_ZONE
  if (!TimeZone.safeParse(timeZone).success)
    return said('has a schedule in {timeZone}, a time zone that is not known here', { timeZone })
  const fault = scheduleFault(schedule, timeZone, now)
  if (fault) return said('has a schedule that cannot come over: it {fault}', { fault })
  return { intervalSeconds: UNUSED_INTERVAL_SECONDS, waiting: { schedule, timeZone, graceSeconds } }
}

export const HEALTHCHECKS_DIFFERENCES: Rule[] = [
  [
    said(
      'judged pings by words in their subject or body: here the address says it (/fail, /start, an exit status)',
    ),
    (check) =>
      [check.filter_subject, check.filter_body, check.filter_http_body, check.filter_default_fail].some(
        (on) => isOn(on),
      ) || textOf(check.subject, check.subject_fail) !== '',
  ],
  [said('took POST only: here GET and HEAD count, too'), (check) => check.methods === 'POST'],
  [
    said('stayed paused when pinged: here a paused monitor answers 404 until it is resumed'),
    (check) => isOn(check.manual_resume),
  ],
  [said('its description has no place here'), (check) => textOf(check.desc) !== ''],
]
