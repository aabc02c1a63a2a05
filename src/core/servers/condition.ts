import * as z from 'zod'
import { formatInstant, Instant } from '../instant.ts'
import { ConditionKind, isFalling, type ThresholdKind, type Thresholds } from './threshold.ts'

/**
 * A condition that is beginning, on, or ending. Part of a server's stored state, so that a restart forgets nothing. One that
 * is on without an incident began under maintenance.
 */
export const Condition = z.object({
  kind: ConditionKind,
  /** The mount point, for a condition of file systems. */
  part: z.string().nullable(),
  phase: z.enum(['beginning', 'on', 'ending']),
  /** When its phase began: when its value crossed the level to enter or to leave, or when it counted as on. */
  since: Instant,
  incident_id: z.int().nullable(),
  warns_only: z.boolean(),
  /** While it begins or ends: when its value was known last, since a gap starts the duration again. */
  seen_at: Instant.optional(),
  /** While it is on: the level that it entered at, which shows whether the threshold was changed since. */
  entered_at_level: z.number().optional(),
})
export type Condition = z.infer<typeof Condition>

/** Names a condition within its server: `disk_space:/var`. */
export function conditionKey({ kind, part }: Pick<Condition, 'kind' | 'part'>): string {
  return part === null ? kind : `${kind}:${part}`
}

const OF_PROCESSES: ReadonlySet<ConditionKind> = new Set(['memory', 'cpu', 'load', 'swap', 'iowait'])

/** Whether it is processes that bring the condition about, so that their names belong to it. */
export function isOfProcesses({ kind }: Pick<Condition, 'kind'>): boolean {
  return OF_PROCESSES.has(kind)
}

/** The value of a condition now; `gone`: of a file system that is not mounted any more. */
export type Figure = number | 'gone'

/** The condition as it goes on; null if there is none, or none any more. */
export type ConditionChange = { after: Condition | null; ended: 'left' | 'changed' | null }

type FoundFigure = {
  kind: ThresholdKind
  part: string | null
  before: Condition | null
  figure: Figure
  threshold: Thresholds[ThresholdKind]
  /** When the figure came. */
  at: Date
  /** A longer time without a figure starts durations again. */
  gapMs: number
}

/** `changed`: it is on or ending, and the threshold has another level to enter since. */
type State = 'none' | Condition['phase'] | 'changed'
/** Where the figure is: at or beyond the level to enter or to leave, between them, or nowhere. */
type Place = 'entered' | 'between' | 'left' | 'gone'

const STEPS: Record<State, Record<Place, keyof typeof CHANGES>> = {
  none: { entered: 'begins', between: 'isNone', left: 'isNone', gone: 'isNone' },
  beginning: { entered: 'begins', between: 'isNone', left: 'isNone', gone: 'isNone' },
  on: { entered: 'stays', between: 'stays', left: 'ends', gone: 'ends' },
  ending: { entered: 'isOn', between: 'isOn', left: 'ends', gone: 'ends' },
  changed: { entered: 'isOn', between: 'isChanged', left: 'isChanged', gone: 'ends' },
}

const CHANGES = {
  isNone: () => ({ after: null, ended: null }),
  stays: ({ before }) => ({ after: before, ended: null }),
  isChanged: () => ({ after: null, ended: 'changed' }),
  begins(found) {
    const { since, isOver } = timed(found, 'beginning')
    return isOver
      ? { after: onSince(found, formatInstant(found.at)), ended: null }
      : {
          after: { ...identityOf(found), phase: 'beginning', since, seen_at: formatInstant(found.at) },
          ended: null,
        }
  },
  isOn: (found) => {
    const { before, at } = found
    return { after: onSince(found, before?.phase === 'on' ? before.since : formatInstant(at)), ended: null }
  },
  ends(found) {
    const { since, isOver } = timed(found, 'ending')
    if (isOver) return { after: null, ended: 'left' }
    const times = { since, seen_at: formatInstant(found.at), entered_at_level: found.threshold.enter }
    return { after: { ...identityOf(found), phase: 'ending', ...times }, ended: null }
  },
} satisfies Record<string, (found: FoundFigure) => ConditionChange>

/**
 * Applies a known figure to a condition, or to none. It begins once the figure was at or beyond the level to enter for the
 * threshold's minutes, and ends once it was at or beyond the level to leave for as long.
 */
export function changeOf(found: FoundFigure): ConditionChange {
  const change: (found: FoundFigure) => ConditionChange = CHANGES[STEPS[stateOf(found)][placeOf(found)]]
  return change(found)
}

function stateOf({ before, threshold: { enter } }: FoundFigure): State {
  if (before === null || before.phase === 'beginning') return before?.phase ?? 'none'
  const { entered_at_level: level = enter } = before
  return level === enter ? before.phase : 'changed'
}

function placeOf({ kind, figure, threshold }: FoundFigure): Place {
  if (figure === 'gone') return 'gone'
  if (isEntered(kind, figure, threshold)) return 'entered'
  return isLeft(kind, figure, threshold) ? 'left' : 'between'
}

function identityOf({ kind, part, before, threshold: { warns_only } }: FoundFigure) {
  return { kind, part, warns_only, incident_id: before?.incident_id ?? null }
}

function onSince(found: FoundFigure, since: string): Condition {
  return { ...identityOf(found), phase: 'on', since, entered_at_level: found.threshold.enter }
}

/** Since when its phase lasts, and whether for long enough. */
function timed({ before, figure, threshold, at, gapMs }: FoundFigure, phase: 'beginning' | 'ending') {
  const seenMs = before?.seen_at === undefined ? null : at.getTime() - Date.parse(before.seen_at)
  const goesOn = before?.phase === phase && seenMs !== null && seenMs <= gapMs
  const since = goesOn ? before.since : formatInstant(at)
  // A file system that one report left out, because it was slow or came in another request, is still there.
  const leastMs = Math.max(threshold.minutes * 60_000, figure === 'gone' ? gapMs : 0)
  return { since, isOver: at.getTime() - Date.parse(since) >= leastMs }
}

/** At or beyond the level to enter. */
function isEntered(kind: ThresholdKind, value: number, { enter }: { enter: number }): boolean {
  return isFalling(kind) ? value <= enter : value >= enter
}

/** At or beyond the level to leave. Where levels are the same or the wrong way round, the level to enter wins. */
function isLeft(kind: ThresholdKind, value: number, level: { enter: number; leave: number }): boolean {
  if (isEntered(kind, value, level)) return false
  return isFalling(kind) ? value >= level.leave : value <= level.leave
}
