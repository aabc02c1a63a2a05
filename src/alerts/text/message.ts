import type { Alert, AlertEscalation } from '../../core/alerting/alert.ts'
import { hasMoreTrouble, headline, ofEachEvent } from '../../core/alerting/alert.ts'
import { durationInWords, formatDuration } from '../../core/duration.ts'
import { shownLine } from '../../core/language/hidden-characters.ts'
import type { Language } from '../../core/language/language.ts'
import { readableTime } from '../../core/language/readable-time.ts'
import { translatorOf } from '../../core/language/service.ts'
import type { Translator } from '../../core/language/translate.ts'
import { pathOfIncident } from '../../core/monitors/incidents/incident-kind.ts'

/** The content of an alert before a channel formats it. Every text but `answer` is one line of well-formed Unicode. */
export type Message = {
  language: Language
  /** Translates what a channel adds to it. */
  t: Translator['t']
  title: string
  /** A sentence below the title, where the lines do not say everything. */
  text: string | null
  lines: [label: string, value: string][]
  /** Tells what to do; an http(s) address without anything that a channel could read as markup. */
  runbook?: string
  /** Where somebody says that they have the incident, without signing in; a secret of the contact. */
  acknowledgeUrl?: string
  /** The beginning of what the target answered, in lines. */
  answer?: string
  /** The page with more details. */
  link: string
  tone: Tone
  /** Several alerts together: each news, and the names that it is about. Shown above the lines. */
  names?: [news: string, names: string[]][]
  /** Counts the names that found no room. */
  more?: string
  /** When the first of a group happened, in ISO 8601. */
  since?: string
  /** The messages of its group that came before it. */
  follows?: number
}

export type Tone = 'bad' | 'good' | 'warning' | 'neutral'

/**
 * The incident of an alert, if there is one, and the link by which its contact acknowledges it. `group`: what is told
 * of several alerts together, in place of the one. `timeZone`: whose clocks its times are told by; UTC without one.
 */
export type IncidentFacts = {
  incidentId: number | null
  acknowledgeUrl?: string
  group?: Message
  timeZone?: string | null
  /** The first line of the diagnosis of the incident, where it is there by now. */
  diagnosis?: string
}

export function compose(
  alert: Alert,
  siteUrl: string,
  { incidentId, acknowledgeUrl, group, timeZone = null, diagnosis }: IncidentFacts = { incidentId: null },
): Message {
  if (group) return group
  const language = alert.language ?? 'en'
  const { t } = translatorOf(language)
  return {
    language,
    t,
    title: oneLine(headline(alert, t)),
    text: textOf(alert, t),
    lines: [
      ...linesOf(alert, t, timeZone, diagnosis),
      ...flappedOf(alert, t),
      ...responseOf(alert, t, timeZone),
    ].flatMap(([label, value]) => (value ? [[label, oneLine(value)]] : [])),
    ...runbookOf(alert),
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
    link: `${siteUrl}${pathOf(alert, incidentId)}`,
    tone: toneOf(alert),
  }
}

export function toneOf(alert: Alert): Tone {
  return hasMoreTrouble(alert) ? 'warning' : TONES[alert.event]
}

/** All lines of a message, those of a group first. Lines without a label stand alone. */
export function allLines({ names = [], more, lines }: Message): Message['lines'] {
  const named = names.map(([news, some]): [string, string] => [news, some.join(', ')])
  return [...named, ...(more === undefined ? [] : [['', more] as [string, string]]), ...lines]
}

/** A line as text without markup. */
export function plainLine([label, value]: Message['lines'][number]): string {
  return label === '' ? value : `${label}: ${value}`
}

/** The value of the line that has this label in English. */
export function lineOf({ lines, t }: Pick<Message, 'lines' | 't'>, label: string): string | undefined {
  return lines.find(([known]) => known === t(label))?.[1]
}

/** A sentence about why an alert comes, where it is not the first one of an outage. */
function textOf({ event, escalation, drill }: Alert, t: Translator['t']): string | null {
  if (drill) {
    const isDrill = t('This is a drill: nothing is down.')
    return escalation ? `${isDrill} ${stepOf(escalation, t)}.` : isDrill
  }
  if (event === 'test') {
    return t('This is a test alert from Upbeat. If you can read this, alerts reach you here.')
  }
  if (!escalation) return event.endsWith('.flapping') ? t('Alerts wait until it is steady again.') : null
  return t('Still down for {duration}, not acknowledged.', { duration: formatDuration(escalation.seconds) })
}

/** The step of the policy, and who had the incident. */
export function responseOf(
  { escalation, drill, acknowledged }: Alert,
  t: Translator['t'],
  timeZone: string | null,
): [label: string, value: string | null][] {
  return [
    [t('Escalation'), escalation?.policy && !drill ? `${escalation.policy}: ${stepOf(escalation, t)}` : null],
    [t('Acknowledged'), acknowledged ? acknowledgedBy(acknowledged, t, timeZone) : null],
  ]
}

function acknowledgedBy(
  { by, at, note }: NonNullable<Alert['acknowledged']>,
  t: Translator['t'],
  timeZone: string | null,
): string {
  const said = t('{person} at {time}', {
    person: by ?? t('a former member'),
    time: readableTime(at, timeZone),
  })
  return note ? `${said}: ${note}` : said
}

function stepOf({ kind, number, steps, round }: AlertEscalation, t: Translator['t']): string {
  if (kind === 'reminder') return t('Reminder')
  if (round === 0) return t('Step {number} of {steps}', { number, steps })
  return t('Step {number} of {steps}, round {round}', { number, steps, round: round + 1 })
}

/** As browsers write it: what they leave as it is, and chat services could read as markup, is escaped. */
export function runbookOf({ runbook }: Alert): { runbook?: string } {
  const url = runbook === undefined ? null : URL.parse(runbook)
  if (!url || !/^https?:$/.test(url.protocol)) return {}
  const path = url.href.slice(url.origin.length).replace(/[<>|"'`()[\]*\\^{}@]/g, percentEncoded)
  return { runbook: `${url.origin}${path}` }
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** The page of the incident, or of the subject; the service's if the alert names none, or no team. */
export function pathOf({ event, type, id, teamId }: Alert, incidentId: number | null): string {
  if (teamId === undefined) return ''
  if (event === 'test') return `/teams/${teamId}/contacts`
  if (incidentId !== null && type !== 'test') return pathOfIncident(teamId, { kind: type, id: incidentId })
  return id === null ? `/teams/${teamId}` : `/teams/${teamId}/${type}s/${id}`
}

const TONES = ofEachEvent<Tone>({
  ...{ down: 'bad', recovery: 'good', degraded: 'warning', flapping: 'warning', test: 'neutral' },
})

function dependentsOf({ dependents }: Alert, t: Translator['t']): string | null {
  if (dependents === undefined) return null
  return t('{count, plural, one {# monitor, whose alerts} other {# monitors, whose alerts}} wait', {
    count: dependents,
  })
}

function linesOf(
  alert: Alert,
  t: Translator['t'],
  timeZone: string | null,
  diagnosis: string | null = null,
): [label: string, value: string | null][] {
  const at = readableTime(alert.occurredAt, timeZone)
  switch (alert.event) {
    case 'monitor.down':
      return [
        [t('Target'), alert.target],
        [t('Cause'), alert.cause],
        [t('Diagnosis'), diagnosis],
        [t('Server'), alert.server === undefined ? null : t('{name} is down', { name: alert.server })],
        [t('Depending on it'), dependentsOf(alert, t)],
        [t('Down since'), at],
        [t('Team'), alert.teamName],
        [t('Notes'), alert.notes ?? null],
      ]
    case 'monitor.recovery':
      return [
        [t('Target'), alert.target],
        [t('Was down for'), alert.downSeconds === null ? null : durationInWords(alert.downSeconds, t)],
        [t('Cause'), alert.cause],
        [t('Recovered at'), at],
        [t('Team'), alert.teamName],
      ]
    case 'monitor.degraded':
      return [
        [t('Target'), alert.target],
        [t('Warning'), alert.cause],
        [t('Noticed at'), at],
        [t('Team'), alert.teamName],
        [t('Notes'), alert.notes ?? null],
      ]
    case 'monitor.flapping':
      return [
        [t('Target'), alert.target],
        [t('Cause'), alert.cause],
        [t('Noticed at'), at],
        [t('Team'), alert.teamName],
        [t('Notes'), alert.notes ?? null],
      ]
    case 'server.flapping':
      return [
        [t('Host'), alert.target],
        [t('Cause'), alert.cause],
        [t('Noticed at'), at],
        [t('Team'), alert.teamName],
      ]
    case 'site.flapping':
      return [
        [t('Address'), alert.target],
        [t('Area'), areasOf(alert, t)],
        [t('Cause'), alert.cause],
        [t('Noticed at'), at],
        [t('Team'), alert.teamName],
      ]
    case 'server.down':
      return [
        [t('Host'), alert.target],
        [t('Cause'), alert.cause],
        [t('Processes'), listOf(alert.processes)],
        [t('Down since'), at],
        [t('Team'), alert.teamName],
      ]
    case 'server.degraded':
      return [
        [t('Host'), alert.target],
        [t('Warning'), alert.cause],
        [t('Processes'), listOf(alert.processes)],
        [t('Noticed at'), at],
        [t('Team'), alert.teamName],
      ]
    case 'server.recovery':
      return [
        [t('Host'), alert.target],
        [t('Was'), alert.cause],
        [t('Now'), alert.ending ?? null],
        [t('Still'), listOf(alert.still?.map((words) => t(words)))],
        [t('Lasted'), alert.downSeconds === null ? null : durationInWords(alert.downSeconds, t)],
        [t('Recovered at'), at],
        [t('Team'), alert.teamName],
      ]
    case 'site.down':
      return [
        [t('Address'), alert.target],
        [t('Area'), areasOf(alert, t)],
        [t('Cause'), alert.cause],
        [t('Down since'), at],
        [t('Team'), alert.teamName],
      ]
    case 'site.degraded':
      return [
        [t('Address'), alert.target],
        [t('Area'), areasOf(alert, t)],
        [t('Warning'), alert.cause],
        ...findingsOf(alert, t),
        [t('Noticed at'), at],
        [t('Team'), alert.teamName],
      ]
    case 'site.recovery':
      return [
        [t('Address'), alert.target],
        [t('Area'), areasOf(alert, t)],
        [t('Was'), alert.cause],
        ...findingsOf(alert, t),
        [t('Still'), listOf(alert.still?.map((words) => t(words)))],
        [t('Lasted'), alert.downSeconds === null ? null : durationInWords(alert.downSeconds, t)],
        [t('Recovered at'), at],
        [t('Team'), alert.teamName],
      ]
    case 'test':
      return [
        [t('Sent at'), at],
        [t('Team'), alert.teamName],
      ]
  }
}

/** How often it changed, of something that flaps or did until now. */
function flappedOf({ flapping, escalation }: Alert, t: Translator['t']): [label: string, value: string][] {
  if (!flapping || escalation) return []
  const { changes, minutes } = flapping
  const duration = formatDuration(minutes * 60)
  return [
    [t('Flapping'), t('{changes, number} changes, for less than {duration} each', { changes, duration })],
  ]
}

function areasOf({ area, areas }: Alert, t: Translator['t']): string | null {
  return listOf((areas ?? (area === undefined ? [] : [area])).map((name) => t(name))) || null
}

/** The first findings of a crawl; more of them are on the page of the site. */
function findingsOf({ findings }: Alert, t: Translator['t']): [label: string, value: string | null][] {
  if (!findings) return []
  const say = ({ lines, more }: typeof findings.open) =>
    [...lines, ...(more > 0 ? [t('and {count} more', { count: more })] : [])].join('; ') || null
  return [
    [t('Found'), say(findings.open)],
    [t('Fixed'), say(findings.fixed)],
  ]
}

function listOf(names: string[] | undefined): string | null {
  return names?.join(', ') ?? null
}

/** Puts text on one line in which nothing turns or hides the rest of the alert. */
export function oneLine(text: string): string {
  return shownLine(text.toWellFormed()).trim()
}
