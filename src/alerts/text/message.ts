import type { Alert, AlertEscalation } from '../../core/alerting/alert.ts'
import { hasMoreTrouble, headline } from '../../core/alerting/alert.ts'
import { durationInWords, formatDuration } from '../../core/duration.ts'
import { SOMEBODY_GONE } from '../../core/on-call/response-words.ts'
import { capitalized } from '../../core/text.ts'

/** The content of an alert before a channel formats it. Every text is one line of well-formed Unicode. */
export type Message = {
  title: string
  /** A sentence below the title, where the lines do not say everything. */
  text: string | null
  lines: [label: string, value: string][]
  /** Tells what to do; an http(s) address without anything that a channel could read as markup. */
  runbook?: string
  /** Where somebody says that they have the incident, without signing in; a secret of the contact. */
  acknowledgeUrl?: string
  /** The page with more details. */
  link: string
  tone: Tone
}

export type Tone = 'bad' | 'good' | 'warning' | 'neutral'

const TEST_TEXT = 'This is a test alert from Upbeat. If you can read this, alerts reach you here.'

/** The incident of an alert, if there is one, and the link by which its contact acknowledges it. */
export type IncidentFacts = { incidentId: number | null; acknowledgeUrl?: string }

export function compose(
  alert: Alert,
  siteUrl: string,
  { incidentId, acknowledgeUrl }: IncidentFacts = { incidentId: null },
): Message {
  return {
    title: oneLine(headline(alert)),
    text: textOf(alert),
    lines: [...linesOf(alert), ...responseOf(alert)].flatMap(([label, value]) =>
      value ? [[label, oneLine(value)]] : [],
    ),
    ...runbookOf(alert),
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
    link: `${siteUrl}${pathOf(alert, incidentId)}`,
    tone: hasMoreTrouble(alert) ? 'warning' : TONES[alert.event],
  }
}

/** A sentence about why an alert comes, where it is not the first one of an outage. */
function textOf({ event, escalation, drill }: Alert): string | null {
  if (drill)
    return `This is a drill: nothing is down.${escalation ? ` ${capitalized(stepOf(escalation))}.` : ''}`
  if (event === 'test') return TEST_TEXT
  return escalation ? `Still down for ${formatDuration(escalation.seconds)}, not acknowledged.` : null
}

/** The step of the policy, and who had the incident. */
function responseOf({ escalation, drill, acknowledged }: Alert): [label: string, value: string | null][] {
  const note = acknowledged?.note ? `: ${acknowledged.note}` : ''
  return [
    ['Escalation', escalation?.policy && !drill ? `${escalation.policy}, ${stepOf(escalation)}` : null],
    [
      'Acknowledged',
      acknowledged ? `${acknowledged.by ?? SOMEBODY_GONE} at ${readableUtc(acknowledged.at)}${note}` : null,
    ],
  ]
}

function stepOf({ kind, number, steps, round }: AlertEscalation): string {
  if (kind === 'reminder') return 'reminder'
  return `step ${number} of ${steps}${round === 0 ? '' : `, round ${round + 1}`}`
}

/** As browsers write it: what they leave as it is, and chat services could read as markup, is escaped. */
function runbookOf({ runbook }: Alert): { runbook?: string } {
  const url = runbook === undefined ? null : URL.parse(runbook)
  if (!url || !/^https?:$/.test(url.protocol)) return {}
  const path = url.href.slice(url.origin.length).replace(/[<>|"'`()[\]*\\^{}@]/g, percentEncoded)
  return { runbook: `${url.origin}${path}` }
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** The page of the incident, or of the monitor, server or site; the service's if the alert names none, or no team. */
export function pathOf({ event, type, id, teamId }: Alert, incidentId: number | null): string {
  if (teamId === undefined) return ''
  if (event === 'test') return `/teams/${teamId}/contacts`
  if (incidentId !== null) {
    return `/teams/${teamId}/incidents/${type === 'monitor' ? '' : `${type}s/`}${incidentId}`
  }
  return id === null ? `/teams/${teamId}` : `/teams/${teamId}/${type}s/${id}`
}

const TONES = {
  'monitor.down': 'bad',
  'monitor.recovery': 'good',
  'monitor.degraded': 'warning',
  'server.down': 'bad',
  'server.recovery': 'good',
  'server.degraded': 'warning',
  'site.down': 'bad',
  'site.recovery': 'good',
  'site.degraded': 'warning',
  test: 'neutral',
} as const satisfies Record<Alert['event'], Tone>

function linesOf(alert: Alert): [label: string, value: string | null][] {
  const at = readableUtc(alert.occurredAt)
  switch (alert.event) {
    case 'monitor.down':
      return [
        ['Target', alert.target],
        ['Cause', alert.cause],
        ['Down since', at],
        ['Team', alert.teamName],
        ['Notes', alert.notes ?? null],
      ]
    case 'monitor.recovery':
      return [
        ['Target', alert.target],
        ['Was down for', alert.downSeconds === null ? null : durationInWords(alert.downSeconds)],
        ['Cause', alert.cause],
        ['Recovered at', at],
        ['Team', alert.teamName],
      ]
    case 'monitor.degraded':
      return [
        ['Target', alert.target],
        ['Warning', alert.cause],
        ['Noticed at', at],
        ['Team', alert.teamName],
        ['Notes', alert.notes ?? null],
      ]
    case 'server.down':
      return [
        ['Host', alert.target],
        ['Cause', alert.cause],
        ['Processes', listOf(alert.processes)],
        ['Down since', at],
        ['Team', alert.teamName],
      ]
    case 'server.degraded':
      return [
        ['Host', alert.target],
        ['Warning', alert.cause],
        ['Processes', listOf(alert.processes)],
        ['Noticed at', at],
        ['Team', alert.teamName],
      ]
    case 'server.recovery':
      return [
        ['Host', alert.target],
        ['Was', alert.cause],
        ['Now', alert.ending ?? null],
        ['Still', listOf(alert.still)],
        ['Lasted', alert.downSeconds === null ? null : durationInWords(alert.downSeconds)],
        ['Recovered at', at],
        ['Team', alert.teamName],
      ]
    case 'site.down':
      return [
        ['Address', alert.target],
        ['Area', alert.area ?? null],
        ['Cause', alert.cause],
        ['Down since', at],
        ['Team', alert.teamName],
      ]
    case 'site.degraded':
      return [
        ['Address', alert.target],
        ['Area', alert.area ?? null],
        ['Warning', alert.cause],
        ['Noticed at', at],
        ['Team', alert.teamName],
      ]
    case 'site.recovery':
      return [
        ['Address', alert.target],
        ['Area', alert.area ?? null],
        ['Was', alert.cause],
        ['Still', listOf(alert.still)],
        ['Lasted', alert.downSeconds === null ? null : durationInWords(alert.downSeconds)],
        ['Recovered at', at],
        ['Team', alert.teamName],
      ]
    case 'test':
      return [
        ['Sent at', at],
        ['Team', alert.teamName],
      ]
  }
}

function listOf(names: string[] | undefined): string | null {
  return names?.join(', ') ?? null
}

/** Formats ISO 8601 in UTC as `2026-11-21 09:30:00 UTC`. */
export function readableUtc(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

/**
 * Puts text on one line: control characters and line separators become spaces. Characters that change the reading
 * direction are removed, because a name that contains them could reverse the rest of the alert.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}
