import * as z from 'zod'
import { Language } from '../language/language.ts'
import { phrase } from '../language/phrase.ts'
import { ENGLISH, type Translator } from '../language/translate.ts'
import { SUBJECT_KINDS } from '../maintenance/subject-kind.ts'
import { RecordId } from '../record-id.ts'
import { cut, label, MAX_NAME_LENGTH } from '../text.ts'

const OUTCOMES = ['down', 'recovery', 'degraded', 'flapping'] as const
type Outcome = (typeof OUTCOMES)[number]

export const AlertEvent = z.enum([
  ...SUBJECT_KINDS.flatMap((kind) => OUTCOMES.map((outcome) => `${kind}.${outcome}` as const)),
  'test',
])
export type AlertEvent = z.infer<typeof AlertEvent>

/** The events that tell of trouble, whatever has it. */
export const TROUBLE_EVENTS = AlertEvent.options.filter((event) => /\.(down|degraded|flapping)$/.test(event))

function outcomeOf<Event extends AlertEvent>(event: Event) {
  return (event.split('.').at(-1) ?? event) as Event extends 'test' ? 'test' : Outcome
}

/** Each event gets a value by what happened, whatever it happened to. */
export function ofEachEvent<T>(values: Record<Outcome | 'test', T>): Record<AlertEvent, T> {
  return Object.fromEntries(AlertEvent.options.map((event) => [event, values[outcomeOf(event)]])) as Record<
    AlertEvent,
    T
  >
}

export type MonitorEvent = Extract<AlertEvent, `monitor.${string}`>
export type ServerEvent = Extract<AlertEvent, `server.${string}`>
export type SiteEvent = Extract<AlertEvent, `site.${string}`>

/** Why an alert of an open incident comes again: a step of its escalation policy, or a reminder. */
export const AlertEscalation = z.object({
  kind: z.enum(['step', 'reminder']),
  number: z.int(),
  round: z.int(),
  /** The number of steps in one round. */
  steps: z.int(),
  /** Null without a policy. */
  policy: z.string().nullable(),
  /** How long the incident lasted then. */
  seconds: z.int(),
})
export type AlertEscalation = z.infer<typeof AlertEscalation>

const NamedFindings = z.object({ lines: z.array(z.string()), more: z.int() })

/** The content of an alert, as stored with each delivery. Times are ISO 8601 in UTC. */
export const Alert = z.object({
  event: AlertEvent,
  /** The type of the subject; `test` has none. */
  type: z.enum([...SUBJECT_KINDS, 'test']),
  id: z.int().nullable(),
  name: z.string(),
  /** The checked target, such as a monitor's or site's URL, or a server's host name; null for a heartbeat and for a test. */
  target: z.string().nullable(),
  /** The whole target of a monitor as its record has it, sealed; only what is stored has it, and only where there is more. */
  sealedTarget: z.string().optional(),
  /** When the event happened, not when the alert was sent. */
  occurredAt: z.string(),
  /** The error of the failing check, or the reason for a warning. */
  cause: z.string().nullable(),
  /** Length of the incident; set on recovery. */
  downSeconds: z.int().nullable(),
  teamName: z.string(),
  /** The language of the team when it happened; English where there is none. */
  language: Language.optional(),
  /** Missing in old rows, from before alerts linked to their subject. */
  teamId: z.int().optional(),
  /** The name of the server that the monitor's target is on, if that was down when the monitor went down. */
  server: z.string().optional(),
  /** How many monitors depend on one that is down: their alerts wait. */
  dependents: z.int().optional(),
  /** Names of the processes that used the most of a server when its trouble began. */
  processes: z.array(z.string()).optional(),
  /** The area of a site, in words: `Home page`. */
  area: z.string().optional(),
  /** A crawl that tells of several areas names all of them. */
  areas: z.array(z.string()).optional(),
  /** A crawl names its first findings, each as a line, and how many there are besides; the same of those that are fixed. */
  findings: z.object({ open: NamedFindings, fixed: NamedFindings }).optional(),
  /** How the trouble of a server ended; set on its recovery, where `cause` is that of the incident. */
  ending: z.string().optional(),
  /** The monitor's link and notes for whoever responds, on one line; with an alert of trouble. */
  runbook: z.string().optional(),
  notes: z.string().optional(),
  /** Other troubles of a server or site that has recovered from one: `Disk space of /var`, `Certificate`. */
  still: z.array(z.string()).optional(),
  escalation: AlertEscalation.optional(),
  /** The one who had the incident, since when, and their note; in alerts after an acknowledgement. */
  acknowledged: z
    .object({ by: z.string().nullable(), at: z.string(), note: z.string().nullable() })
    .optional(),
  /**
   * Set while something flaps: since when, its changes and the rule that they broke; and set once it is steady again, when its
   * event says how it is.
   */
  flapping: z.object({ since: z.string(), changes: z.int(), minutes: z.int() }).optional(),
  /** The incident by which programs know this one: its trouble was told first as flapping, with that one. */
  knownAs: z.int().optional(),
  /** The ID of a drill, and the policy that it tries. */
  drill: z.object({ id: z.int(), policy: z.string() }).optional(),
})
export type Alert = z.infer<typeof Alert>

/** An alert that tests whether a contact receives alerts. */
export function testAlert(
  team: { id: number; name: string; language?: Language },
  occurredAt: string,
): Alert {
  return {
    event: 'test',
    type: 'test',
    id: null,
    name: 'Test alert',
    target: null,
    occurredAt,
    cause: null,
    downSeconds: null,
    teamName: team.name,
    ...(team.language && { language: team.language }),
    teamId: team.id,
  }
}

/** A test alert of a drill, which tries an escalation policy. */
export function drillAlert(
  team: { id: number; name: string },
  occurredAt: string,
  drill: NonNullable<Alert['drill']>,
): Alert {
  return { ...testAlert(team, occurredAt), drill }
}

/** Whether it is no alert, but the news that somebody has the incident, for receivers that would go on calling people. */
export function isAcknowledgement({ event, acknowledged }: Pick<Alert, 'event' | 'acknowledged'>): boolean {
  return acknowledged !== undefined && event.endsWith('.down')
}

/** The six members of a webhook alert, exactly as the public API documents them. */
export const WebhookAlert = z.object({
  event: AlertEvent.describe('The event. Ignore events that you do not know.'),
  type: Alert.shape.type.describe('Type of the subject; `test` has none.'),
  id: RecordId.nullable().describe('ID of the subject; null for a test.'),
  name: label(MAX_NAME_LENGTH).describe('Name of the subject; `Test alert` for a test.'),
  target: z
    .string()
    .max(600)
    .nullable()
    .describe(
      'The checked target: for a monitor or site, its URL; for a server, its host name. Null for a test.',
    ),
  timestamp: z
    .string()
    .regex(
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/,
      phrase('must be a time in whole seconds of UTC, got {got}'),
    )
    .meta({ format: 'date-time', maxLength: 25 })
    .describe('When the event happened, in whole seconds.'),
})
export type WebhookAlert = z.infer<typeof WebhookAlert>

export function webhookPayload(alert: Alert): WebhookAlert {
  return {
    event: alert.event,
    type: alert.type,
    id: alert.id,
    name: alert.name,
    target: alert.target,
    timestamp: `${alert.occurredAt.slice(0, 19)}+00:00`,
  }
}

/** The bound of the cause in a headline, in code points. */
const MAX_HEADLINE_CAUSE = 120

/**
 * One sentence that fits a subject line, a chat message and a log. That of a server or site says why, as it may have several
 * troubles at a time.
 */
export function headline(alert: Alert, t: Translator['t'] = ENGLISH.t): string {
  const { event, name, cause } = alert
  if (event === 'test') {
    return alert.drill
      ? t('This is a drill of {policy}', { policy: alert.drill.policy })
      : t('Test alert from Upbeat')
  }
  const outcome = outcomeOf(event)
  const isSteady = alert.flapping !== undefined && outcome !== 'flapping'
  if (isSteady && outcome === 'recovery')
    return alert.type === 'monitor'
      ? t('{name} is steady again: it is up', { name })
      : t('{name} is steady again: it has recovered', { name })
  if (outcome === 'recovery') {
    return t(hasMoreTrouble(alert) ? '{name} has partly recovered' : '{name} has recovered', { name })
  }
  const words = t((isSteady ? STEADY : HEADLINES)[outcome], { name })
  const saysWhy = !event.startsWith('monitor.') && cause !== null
  return saysWhy ? `${words}: ${cut(cause, MAX_HEADLINE_CAUSE)}` : words
}

const HEADLINES = {
  down: phrase('{name} is down'),
  degraded: phrase('{name} needs attention'),
  flapping: phrase('{name} is flapping'),
} as const
const STEADY = {
  down: phrase('{name} is steady again: it is down'),
  degraded: phrase('{name} is steady again: it needs attention'),
  flapping: HEADLINES.flapping,
} as const

/** Whether an alert tells that a server or site has recovered from one thing, while another goes on. */
export function hasMoreTrouble({ still }: Alert): boolean {
  return still !== undefined && still.length > 0
}
