import { type Alert, hasMoreTrouble, headline } from '../../core/alerting/alert.ts'
import { phrase } from '../../core/language/phrase.ts'
import { readableTime } from '../../core/language/readable-time.ts'
import { translatorOf } from '../../core/language/service.ts'
import type { Translator } from '../../core/language/translate.ts'
import { cut } from '../../core/text.ts'
import { type Message, oneLine, responseOf, runbookOf, type Tone, toneOf } from './message.ts'

/** How much of one group a channel takes. */
export type Capacity = {
  /** The messages that a group may have. */
  messages: number
  /** Whether a message arrives whole, counted as its vendor counts. */
  holds: (message: Message) => boolean
}

/** One of the messages that tell a group, and the places in it of the alerts that this one tells. */
export type GroupPart = { message: Message; told: number[]; number: number; of: number }

/** A contact gets so many messages of one group at most. */
export const MAX_GROUP_MESSAGES = 3

type Facts = {
  siteUrl: string
  acknowledgeUrl?: string | undefined
  /** Whose clocks times are told by; UTC without one. */
  timeZone?: string | null
  /** The messages of this group that the contact has already, and what they told. */
  accepted?: number
  told?: readonly Alert[]
}

/**
 * Several alerts of one contact in as few messages as hold every name, those with one cause together and the worst
 * first. Where the last message has no room for all, it counts the others.
 */
export function partsOfGroup(
  alerts: readonly Alert[],
  { messages, holds }: Capacity,
  { accepted = 0, ...facts }: Facts,
): GroupPart[] {
  // A message that is tried again is the same, although what the first ones told is no longer asked for.
  const frame = frameOf([...(facts.told ?? []), ...alerts], facts)
  const entries = entriesOf(alerts, frame.t)
  const last = Math.max(messages, accepted + 1)
  const found: { entries: Entry[]; left: number }[] = []
  for (let left = entries, number = accepted + 1; left.length > 0; number++) {
    const mayFollow = number < last
    const fits = (count: number) =>
      holds(compose(left.slice(0, count), mayFollow ? 0 : left.length - count, number, last))
    const count = mostThat(fits, left.length)
    // A message without a name would not help: the headline says of how many it is.
    const isLast = !mayFollow || count === 0 || count === left.length
    found.push({ entries: left.slice(0, count), left: isLast ? left.length - count : 0 })
    if (isLast) break
    left = left.slice(count)
  }
  const of = accepted + found.length
  return found.map((part, index) => {
    const number = accepted + index + 1
    const isLast = number === of
    const told = (isLast ? entries.slice(countBefore(found, index)) : part.entries).flatMap(
      ({ places }) => places,
    )
    return { message: compose(part.entries, part.left, number, of), told, number, of }
  })

  function compose(some: Entry[], left: number, number: number, of: number): Message {
    return composePart(frame, some, left, { number, of, isFirst: number === 1 })
  }
}

function countBefore(found: { entries: Entry[] }[], index: number): number {
  return found.slice(0, index).reduce((sum, { entries }) => sum + entries.length, 0)
}

/** The largest count up to `limit` that fits, where fewer always fit, too; 0 where none does. */
function mostThat(fits: (count: number) => boolean, limit: number): number {
  let [most, tooMany] = [0, limit + 1]
  // Few fit into most channels: the search grows from there, rather than to compose all names again and again.
  for (let count = Math.min(32, limit); count < tooMany; count = Math.min(count * 2, limit)) {
    if (!fits(count)) tooMany = count
    else if (count === limit) return limit
    else most = count
  }
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2)
    if (fits(middle)) most = middle
    else tooMany = middle
  }
  return most
}

/** A name under its news, and the places of the alerts that it stands for. */
type Entry = { news: string; name: string; places: number[] }

/** One for each subject under each news, the worst news first and otherwise in the order of the alerts. */
function entriesOf(alerts: readonly Alert[], t: Translator['t']): Entry[] {
  const found = new Map<string, Map<string, Entry>>()
  const byTone = TONES.flatMap((tone) =>
    alerts.flatMap((alert, place) => (toneOf(alert) === tone ? [{ alert, place }] : [])),
  )
  for (const { alert, place } of byTone) {
    const news = oneLine(newsOf(alert, t))
    const ofNews = found.get(news) ?? new Map<string, Entry>()
    found.set(news, ofNews)
    const subject = `${alert.type} ${alert.id} ${alert.name}`
    const entry = ofNews.get(subject) ?? { news, name: oneLine(alert.name), places: [] }
    ofNews.set(subject, entry)
    entry.places.push(place)
  }
  return [...found.values()].flatMap((ofNews) => [...ofNews.values()])
}

/** All that the messages of a group share. */
function frameOf(alerts: readonly Alert[], { siteUrl, acknowledgeUrl, timeZone = null }: Facts): Message {
  const [one] = alerts as [Alert]
  const language = one.language ?? 'en'
  const { t } = translatorOf(language)
  return {
    language,
    t,
    title: titleOf(alerts, t),
    text: null,
    lines: sharedLines(alerts, t, timeZone),
    ...sharedRunbook(alerts),
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
    link: `${siteUrl}${one.teamId === undefined ? '' : `/teams/${one.teamId}/incidents`}`,
    tone: toneOf(worstOf(alerts)),
    since: sinceOf(alerts)[0] ?? one.occurredAt,
  }
}

function composePart(
  frame: Message,
  entries: Entry[],
  left: number,
  { number, of, isFirst }: { number: number; of: number; isFirst: boolean },
): Message {
  const names = [...Map.groupBy(entries, ({ news }) => news)].map(([news, some]): [string, string[]] => [
    news,
    some.map(({ name }) => name),
  ])
  return {
    ...frame,
    title: `${frame.title}${of > 1 ? ` (${number}/${of})` : ''}`,
    names,
    ...(left > 0 && names.length > 0 && { more: frame.t('and {count} more', { count: String(left) }) }),
    lines: isFirst ? frame.lines : [],
    ...(number > 1 && { follows: number - 1 }),
  }
}

/** The headline in the title of a group, in code points: the names stand below it in full. */
const MAX_HEADLINE = 120

function titleOf(alerts: readonly Alert[], t: Translator['t']): string {
  // One may be left of a group after its first messages.
  if (alerts.length === 1) return oneLine(headline(worstOf(alerts), t))
  const first = cut(oneLine(headline({ ...worstOf(alerts), cause: null }, t)), MAX_HEADLINE)
  return t('{first} and {count, plural, one {# more alert} other {# more alerts}}', {
    first,
    count: alerts.length - 1,
  })
}

/** The worst first. */
const TONES = ['bad', 'warning', 'good', 'neutral'] as const satisfies Tone[]

/** The first of the worst. */
export function worstOf(alerts: readonly Alert[]): Alert {
  const rankOf = (alert: Alert) => TONES.indexOf(toneOf(alert))
  return alerts.reduce((worst, alert) => (rankOf(alert) < rankOf(worst) ? alert : worst))
}

function newsOf(alert: Alert, t: Translator['t']): string {
  const { event, cause, server, escalation } = alert
  const isOver = event.endsWith('.recovery')
  const word =
    isOver && hasMoreTrouble(alert)
      ? PARTLY
      : event.endsWith('.flapping')
        ? FLAPPING
        : escalation
          ? STILL_DOWN
          : WORDS[toneOf(alert)]
  const why = server === undefined ? cause : t('{name} is down', { name: server })
  return isOver || why === null ? t(word) : `${t(word)} (${cut(why, MAX_CAUSE)})`
}

const MAX_CAUSE = 120
const PARTLY = phrase('Partly recovered')
const STILL_DOWN = phrase('Still down')
const FLAPPING = phrase('Flapping')
const WORDS = {
  bad: phrase('Down'),
  warning: phrase('Needs attention'),
  good: phrase('Recovered'),
  neutral: phrase('Test'),
} as const satisfies Record<Tone, string>

/** When the worst happened, oldest first. */
function sinceOf(alerts: readonly Alert[]): string[] {
  const tone = toneOf(worstOf(alerts))
  return alerts.flatMap((alert) => (toneOf(alert) === tone ? [alert.occurredAt] : [])).sort()
}

/** When it began, and what is the same for all: lines that differ would need a name each. */
function sharedLines(
  alerts: readonly Alert[],
  t: Translator['t'],
  timeZone: string | null,
): Message['lines'] {
  const times = sinceOf(alerts).map((at) => readableTime(at, timeZone))
  const label = {
    bad: t('Down since'),
    warning: t('Noticed at'),
    good: t('Recovered at'),
    neutral: t('Sent at'),
  }
  const response = alerts.flatMap((alert) => [
    ...responseOf(alert, t, timeZone),
    [t('Notes'), alert.notes ?? null] as [string, string | null],
  ])
  const shared = [...Map.groupBy(response, ([name]) => name)].flatMap(([name, all]): Message['lines'] => {
    const value = onlyOf(all.flatMap(([, one]) => (one ? [oneLine(one)] : [])))
    return value === null ? [] : [[name, value]]
  })
  const since = times[0] === times.at(-1) ? times[0] : t('{first} and later', { first: times[0] ?? '' })
  return [
    [label[toneOf(worstOf(alerts))], since ?? ''],
    [t('Team'), oneLine(alerts[0]?.teamName ?? '')],
    ...shared,
  ]
}

/** The runbook that all have which have one. */
function sharedRunbook(alerts: readonly Alert[]): { runbook?: string } {
  const runbook = onlyOf(alerts.flatMap((alert) => runbookOf(alert).runbook ?? []))
  return runbook === null ? {} : { runbook }
}

function onlyOf(values: string[]): string | null {
  const [one, ...others] = new Set(values)
  return one === undefined || others.length > 0 ? null : one
}
