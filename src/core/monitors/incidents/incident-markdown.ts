import { ofEachEvent } from '../../alerting/alert.ts'
import { CONTACT_TYPES } from '../../alerting/contact-types.ts'
import { type Delivery, isHeld, isNotSetUp } from '../../alerting/delivery-log.ts'
import { formatDuration } from '../../duration.ts'
import type { CheckDetail } from '../../history/monitor-report.ts'
import { phrase } from '../../language/phrase.ts'
import type { Translator } from '../../language/translate.ts'
import { sayResponse } from '../../on-call/response-words.ts'
import { secondsBetween } from '../incident.ts'
import { eventsOf, type StoryEvent, type ToldStory } from '../incident-story.ts'
import { DIAGNOSIS_SECTIONS, type ShownDiagnosis } from './diagnosis.ts'

export const CHECK_WORDS = {
  up: phrase('Check passed'),
  degraded: phrase('Check passed with a warning'),
  down: phrase('Check failed'),
  maintenance: phrase('Check failed under maintenance'),
  pending: phrase('Check was inconclusive'),
} as const satisfies Record<CheckDetail['status'], string>

export const ALERT_SUBJECTS = ofEachEvent<string>({
  down: phrase('about the outage'),
  recovery: phrase('about the recovery'),
  degraded: phrase('about a warning'),
  flapping: phrase('about flapping'),
  test: phrase('as a test'),
})

/** The translator of the reader. */
type Say = Translator['t']

/**
 * The story of an incident as Markdown, to begin a post-mortem with. Times are in UTC; `facts` stand before those of
 * the incident, and `url` leads to it. `diagnosis` comes last, as long as its own bounds let it be.
 */
export function incidentMarkdown(
  {
    title,
    facts,
    story,
    diagnosis,
    now,
    url,
  }: {
    title: string
    facts: [name: string, value: string][]
    story: ToldStory
    diagnosis?: ShownDiagnosis | undefined
    now: Date
    url: string
  },
  t: Say,
): string {
  const { incident, checks, deliveries } = story
  const lasted = formatDuration(
    incident.duration_seconds ?? secondsBetween(new Date(incident.started_at), now),
  )
  const known: [name: string, value: string][] = [
    ...facts,
    [t('Cause'), incident.cause ?? t('The check failed')],
    [t('Started'), `${sayUtc(incident.started_at)} UTC`],
    [t('Resolved'), incident.resolved_at ? `${sayUtc(incident.resolved_at)} UTC` : t('Not yet')],
    [t('Duration'), incident.resolved ? lasted : t('{duration} so far', { duration: lasted })],
    ...(checks ? [[t('Checks'), sayChecks(story, t)] as [string, string]] : []),
    [t('Alerts'), sayAlerts(deliveries, t)],
  ]
  return [
    `# ${escaped(title)}`,
    '',
    ...known.map(([name, value]) => `- **${name}:** ${escaped(value)}`),
    `- **${t('Details')}:** <${url}>`,
    '',
    `## ${t('Timeline (UTC)')}`,
    '',
    ...eventsOf(story).map((event) => `- ${sayEvent(event, t)}`),
    '',
    ...(diagnosis ? sayDiagnosis(diagnosis, t) : []),
  ].join('\n')
}

/** Why the monitor was down. The lines of its sections, which the target wrote in part, stand as they are, as code. */
function sayDiagnosis({ found, ended_at: endedAt }: ShownDiagnosis, t: Say): string[] {
  if (found === null) return []
  const { summary, region, sections } = found
  const seen = region === null ? [] : [t('Seen from {region}', { region })]
  const at = endedAt === null ? [] : [`${sayUtc(endedAt)} UTC`]
  return [
    `## ${t('Diagnosis')}`,
    '',
    `**${escaped(summary)}**`,
    '',
    ...(seen.length + at.length > 0 ? [escaped([...seen, ...at].join(', ')), ''] : []),
    ...sections.flatMap(({ name, lines }) => [
      `### ${t(DIAGNOSIS_SECTIONS[name])}`,
      '',
      ...fenced(lines),
      '',
    ]),
  ]
}

/** A block of code ends at a fence as long as its first (CommonMark 0.31, section 4.5): no line is that long a one. */
function fenced(lines: readonly string[]): string[] {
  const runs = lines.flatMap((line) => line.match(/`{3,}/g) ?? [])
  const fence = '`'.repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1)
  return [`${fence}text`, ...lines, fence]
}

function sayEvent(event: StoryEvent, t: Say): string {
  switch (event.kind) {
    case 'gap':
      return `… ${t('{count, plural, one {# more failing check} other {# more failing checks}}', { count: event.count })}`
    case 'check':
      return `${sayUtc(event.at)}: ${escaped(sayCheck(event.check, t))}`
    case 'opened':
      return `${sayUtc(event.at)}: **${t('Incident opened')}**`
    case 'resolved':
      return `${sayUtc(event.at)}: ${t('**Incident resolved** after {duration}', { duration: formatDuration(event.seconds) })}`
    case 'response':
      return `${sayUtc(event.at)}: ${escaped(sayResponse(event.event, t))}`
    case 'told':
      return `${sayUtc(event.at)}: ${escaped(sayAlert(event.delivery, t))}`
  }
}

function sayCheck(
  { status, response_time_ms: ms, region, error_message: error }: CheckDetail,
  t: Say,
): string {
  const check = t(CHECK_WORDS[status])
  const timed = ms === null ? check : t('{check} in {time}', { check, time: `${ms} ms` })
  const said = region === null ? timed : t('{check} from {region}', { check: timed, region })
  return `${said}${error ? `: ${error}` : ''}`
}

function sayAlert(delivery: Delivery, t: Say): string {
  const { contact_name: name, contact_type: type, event, state, attempts, held_until } = delivery
  const whom = `${name} (${t(CONTACT_TYPES[type].wordInside)})`
  if (isNotSetUp(delivery)) return t('Not alerted: {whom}, e-mail is not set up', { whom })
  const said = { whom, about: t(ALERT_SUBJECTS[event]) }
  const quiet = { ...said, time: held_until === null ? '' : `${sayUtc(held_until)} UTC` }
  const last = attempts.at(-1)
  switch (state) {
    case 'sent':
      return attempts.length > 1
        ? t('Alerted {whom} {about}, at attempt {count, number}', { ...said, count: attempts.length })
        : t('Alerted {whom} {about}', said)
    case 'failed':
      return `${t('Failed to alert {whom} {about}', said)}${last?.detail ? `: ${last.detail}` : ''}`
    case 'pending':
      return isHeld(delivery)
        ? t('Alert to {whom} {about} is held: quiet hours until {time}', quiet)
        : t('Alerting {whom} {about}', said)
    case 'dropped':
      if (held_until === null)
        return t('Not alerted {whom} {about}: quiet hours kept the outage from them', said)
      return t('Not alerted {whom} {about}: quiet hours until {time}', quiet)
  }
}

/** The checks within the incident; the story leaves out some, and a plan forgets old ones. */
function sayChecks({ incident, checks = [], checks_left_out = 0 }: ToldStory, t: Say): string {
  const { started_at: from, resolved_at: until } = incident
  const within = checks.filter(({ checked_at: at }) => at >= from && (until === null || at <= until)).length
  const count = within + checks_left_out
  return count === 0 ? t('none kept') : t('{count, number} during the incident', { count })
}

function sayAlerts(deliveries: Delivery[], t: Say): string {
  const count = (state: Delivery['state']) => ({
    count: deliveries.filter((one) => one.state === state).length,
  })
  const said = [
    t('{count, plural, =0 {} other {# delivered}}', count('sent')),
    t('{count, plural, =0 {} other {# failed}}', count('failed')),
    t('{count, plural, =0 {} other {# under way}}', count('pending')),
    t('{count, plural, =0 {} other {# not sent: quiet hours}}', count('dropped')),
  ]
  return said.filter(Boolean).join(', ') || t('none')
}

/** `2026-11-21 09:30:00`, of an instant in the format of answers. */
function sayUtc(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`
}

/** Names, causes and responses say what they say, whatever Markdown or HTML is in them. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>~]|&(?=#?\w+;)/g, '\\$&')
}
