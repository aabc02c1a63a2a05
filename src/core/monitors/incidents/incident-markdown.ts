import type { AlertEvent } from '../../alerting/alert.ts'
import { CONTACT_TYPES } from '../../alerting/contact-types.ts'
import { type Delivery, isNotSetUp } from '../../alerting/delivery-log.ts'
import { formatDuration } from '../../duration.ts'
import type { CheckDetail } from '../../history/monitor-report.ts'
import { phrase } from '../../language/translate.ts'
import { secondsBetween } from '../incident.ts'
import { eventsOf, type StoryEvent, type ToldStory } from '../incident-story.ts'

export const CHECK_WORDS = {
  up: phrase('Check passed'),
  degraded: phrase('Check passed with a warning'),
  down: phrase('Check failed'),
  maintenance: phrase('Check failed under maintenance'),
  pending: phrase('Check was inconclusive'),
} as const satisfies Record<CheckDetail['status'], string>

export const ALERT_SUBJECTS = {
  'monitor.down': phrase('about the outage'),
  'monitor.recovery': phrase('about the recovery'),
  'monitor.degraded': phrase('about a warning'),
  'server.down': phrase('about the outage'),
  'server.recovery': phrase('about the recovery'),
  'server.degraded': phrase('about a warning'),
  'site.down': phrase('about the outage'),
  'site.recovery': phrase('about the recovery'),
  'site.degraded': phrase('about a warning'),
  test: phrase('as a test'),
} as const satisfies Record<AlertEvent, string>

/**
 * The story of an incident as Markdown, to begin a post-mortem with. Times are in UTC; `facts` stand before those of
 * the incident, and `url` leads to it.
 */
export function incidentMarkdown({
  title,
  facts,
  story,
  now,
  url,
}: {
  title: string
  facts: [name: string, value: string][]
  story: ToldStory
  now: Date
  url: string
}): string {
  const { incident, checks, deliveries } = story
  const lasted = formatDuration(
    incident.duration_seconds ?? secondsBetween(new Date(incident.started_at), now),
  )
  const known: [name: string, value: string][] = [
    ...facts,
    ['Cause', incident.cause ?? 'The check failed'],
    ['Started', `${sayUtc(incident.started_at)} UTC`],
    ['Resolved', incident.resolved_at ? `${sayUtc(incident.resolved_at)} UTC` : 'Not yet'],
    ['Duration', incident.resolved ? lasted : `${lasted} so far`],
    ...(checks ? [['Checks', sayChecks(story)] as [string, string]] : []),
    ['Alerts', sayAlerts(deliveries)],
  ]
  return [
    `# ${escaped(title)}`,
    '',
    ...known.map(([name, value]) => `- **${name}:** ${escaped(value)}`),
    `- **Details:** <${url}>`,
    '',
    '## Timeline (UTC)',
    '',
    ...eventsOf(story).map((event) => `- ${sayEvent(event)}`),
    '',
  ].join('\n')
}

function sayEvent(event: StoryEvent): string {
  switch (event.kind) {
    case 'gap':
      return `… ${event.count} more failing ${event.count === 1 ? 'check' : 'checks'}`
    case 'check':
      return `${sayUtc(event.at)}: ${escaped(sayCheck(event.check))}`
    case 'opened':
      return `${sayUtc(event.at)}: **Incident opened**`
    case 'resolved':
      return `${sayUtc(event.at)}: **Incident resolved** after ${formatDuration(event.seconds)}`
    case 'told':
      return `${sayUtc(event.at)}: ${escaped(sayAlert(event.delivery))}`
  }
}

function sayCheck({ status, response_time_ms: ms, region, error_message: error }: CheckDetail): string {
  const said = [CHECK_WORDS[status], ms !== null && `in ${ms} ms`, region !== null && `from ${region}`]
  return `${said.filter(Boolean).join(' ')}${error ? `: ${error}` : ''}`
}

function sayAlert(delivery: Delivery): string {
  const { contact_name: name, contact_type: type, event, state, attempts } = delivery
  const whom = `${name} (${CONTACT_TYPES[type].wordInside})`
  if (isNotSetUp(delivery)) return `Not alerted: ${whom}, e-mail is not set up`
  const about = ALERT_SUBJECTS[event]
  const last = attempts.at(-1)
  switch (state) {
    case 'sent':
      return `Alerted ${whom} ${about}${attempts.length > 1 ? `, at attempt ${attempts.length}` : ''}`
    case 'failed':
      return `Failed to alert ${whom} ${about}${last?.detail ? `: ${last.detail}` : ''}`
    case 'pending':
      return `Alerting ${whom} ${about}`
  }
}

/** Of those within the incident; the story leaves out some, and a plan forgets old ones. */
function sayChecks({ incident, checks = [], checks_left_out = 0 }: ToldStory): string {
  const { started_at: from, resolved_at: until } = incident
  const within = checks.filter(({ checked_at: at }) => at >= from && (until === null || at <= until)).length
  const count = within + checks_left_out
  return count === 0 ? 'none kept' : `${count} during the incident`
}

function sayAlerts(deliveries: Delivery[]): string {
  const count = (state: Delivery['state']) => deliveries.filter((one) => one.state === state).length
  const said = [
    [count('sent'), 'delivered'],
    [count('failed'), 'failed'],
    [count('pending'), 'under way'],
  ]
    .filter(([number]) => number !== 0)
    .map((words) => words.join(' '))
  return said.join(', ') || 'none'
}

/** `2026-11-21 09:30:00`, of an instant in the format of answers. */
function sayUtc(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`
}

/** Names, causes and responses say what they say, whatever Markdown or HTML is in them. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>~]|&(?=#?\w+;)/g, '\\$&')
}
