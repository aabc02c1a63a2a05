import { LiveStatus } from '../monitors/status.ts'
import { parseTarget } from '../monitors/target.ts'
import type { Troubled, TroubleGroup } from './trouble.ts'

/** Fewer are listed one by one: their names say more than a number. */
const MIN_IN_GROUP = 3
const MAX_GROUPS = 50
const MAX_SUBJECTS_OF_GROUP = 50
/** The bound of all groups together; each shows at least its newest. */
const MAX_SUBJECTS = 200

/** A reason without what differs from one subject to the next; `…` where the place was. */
type Reading = { pattern: string; place: string | null; text: string; hasPlace: boolean }

/**
 * Groups what fails for the same reason at the same address or host; what is left of a reason and is spread over many
 * places makes one group, too. Worst first, then newest first. `rest` counts subjects in no group, beyond the limits.
 */
export function groupTroubles(troubled: readonly Troubled[]): { groups: TroubleGroup[]; rest: number } {
  const inOrder = troubled.toSorted(byOrder).map((subject) => ({ subject, reading: readReason(subject) }))
  const atOnePlace = divide(inOrder, ({ subject: { kind, status }, reading: { pattern, place } }) =>
    [status, kind, pattern, place ?? ''].join(' '),
  )
  const anywhere = divide(atOnePlace.left, ({ subject: { kind, status }, reading: { pattern } }) =>
    [status, kind, pattern, '*'].join(' '),
  )
  const alone = anywhere.left.map((one) => ({ key: `${one.subject.kind} ${one.subject.id}`, members: [one] }))
  const all = [...atOnePlace.groups, ...anywhere.groups, ...alone]
    .map(({ key, members }) => groupOf(key, members))
    .sort(byOrder)
  const groups = all.slice(0, MAX_GROUPS)
  return {
    groups: limitSubjects(groups),
    rest: all.slice(MAX_GROUPS).reduce((sum, { ids }) => sum + ids.length, 0),
  }
}

/** Instants of one format are in order as texts. */
function byOrder(a: Ordered, b: Ordered): number {
  return (
    LiveStatus.options.indexOf(a.status) - LiveStatus.options.indexOf(b.status) ||
    (a.since === b.since ? 0 : a.since < b.since ? 1 : -1) ||
    (b.id ?? 0) - (a.id ?? 0)
  )
}

type Ordered = Pick<Troubled, 'status' | 'since'> & { id?: number }
type Member = { subject: Troubled; reading: Reading }
type Members = { key: string; members: Member[] }

/** Those with enough of the same key, and the others. Without a reason, subjects have nothing in common. */
function divide(members: Member[], keyOf: (member: Member) => string): { groups: Members[]; left: Member[] } {
  const groups: Members[] = []
  const left: Member[] = []
  for (const [key, same] of Map.groupBy(members, keyOf)) {
    const isGroup = same.length >= MIN_IN_GROUP && same[0]?.subject.reason !== null
    if (isGroup) groups.push({ key, members: same })
    else left.push(...same)
  }
  return { groups, left }
}

function groupOf(key: string, members: Member[]): TroubleGroup {
  const [newest] = members as [Member]
  const oldest = members.at(-1) as Member
  const { kind, status, since, reason } = newest.subject
  const subjects = members.map(({ subject }) => subject)
  return {
    key,
    kind,
    status,
    ...(members.length === 1 ? { cause: reason, place: null } : inCommon(members.map((one) => one.reading))),
    since,
    began: oldest.subject.since,
    ids: subjects.map(({ id }) => id),
    acknowledged: subjects.filter(({ acknowledgement }) => acknowledgement !== null).length,
    flapping: subjects.filter(({ flapping_since }) => flapping_since !== null).length,
    subjects,
  }
}

function inCommon(readings: Reading[]): Pick<TroubleGroup, 'cause' | 'place'> {
  const [first] = readings as [Reading]
  const isSame = (of: (reading: Reading) => unknown) => readings.every((one) => of(one) === of(first))
  // The pattern leaves out all that differs.
  const text = isSame((one) => one.text) ? first.text : first.pattern
  const places = new Set(readings.map(({ place }) => place))
  const place = places.size === 1 ? first.place : null
  const named = place ?? `${places.size} hosts`
  if (first.hasPlace) return { place, cause: text.replace(PLACE, () => named) }
  return { place, cause: first.place === null ? text : `${text} at ${named}` }
}

function limitSubjects(groups: TroubleGroup[]): TroubleGroup[] {
  let left = MAX_SUBJECTS - groups.length
  return groups.map((group) => {
    const shown = Math.min(group.subjects.length, MAX_SUBJECTS_OF_GROUP, 1 + Math.max(0, left))
    left -= shown - 1
    return { ...group, subjects: group.subjects.slice(0, shown) }
  })
}

const PLACE = '…'
const IPV4 = String.raw`(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]*\w)`
const IPV6 = String.raw`\[[0-9a-f:.]{2,45}\](?::\d{1,5})?|(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])`
const ADDRESS = `(?:${IPV4}|${IPV6})`
/** One address or several, as `listed` of core/monitors/cause.ts writes them. */
const ADDRESSES = new RegExp(`${ADDRESS}(?:(?:, | and )${ADDRESS})*(?: and \\d+ more)?`, 'i')
const PORTS = new RegExp(`(${IPV4.replace('(?::\\d{1,5})?', '')}|\\])(?::\\d{1,5})`, 'gi')

/** Figures that differ from one check to the next, in the wordings of core/monitors/cause.ts. */
const FIGURES: [figure: RegExp, instead: string][] = [
  [/ within [\d.,]+ s\b/, ' in time'],
  [/ in [\d,]+ bytes\b/, ''],
  [/ in -?\d+ days?\b/, ' soon'],
  [/ (?:\d+ \w+ ){1,2}ago\b/, ''],
  [/ \(expected [\dx, ]+\)/, ''],
]

function readReason({ kind, reason, target }: Troubled): Reading {
  const given = reason ?? ''
  if (kind !== 'monitor') return { pattern: given, place: null, text: given, hasPlace: false }
  const host = target === null ? null : hostOf(target)
  const named = ADDRESSES.exec(given)?.[0] ?? (host !== null && namesHost(given, host) ? host : null)
  const text = named === null ? given : given.replace(named, PLACE)
  let pattern = text
  for (const [figure, instead] of FIGURES) pattern = pattern.replace(figure, instead)
  return { pattern, place: named?.replace(PORTS, '$1') ?? host, text, hasPlace: named !== null }
}

function namesHost(text: string, host: string): boolean {
  const at = text.indexOf(host)
  const isPart = (character: string | undefined) => character !== undefined && /[\w.-]/.test(character)
  return at >= 0 && !isPart(text[at - 1]) && !/[\w-]/.test(text[at + host.length] ?? ' ')
}

/** The host of a URL, of a host and port, or of a host alone. */
function hostOf(target: string): string | null {
  return parseTarget(/^[a-z][a-z0-9+.-]*:\/\//i.test(target) ? target : `http://${target}`)?.hostname ?? null
}
