import * as z from 'zod'
import { formatInstant, Instant } from '../instant.ts'
import { phrase } from '../language/translate.ts'
import { loadPerCpu, mountsOf, type Sample, type SeriesName, seriesKey } from './series.ts'

/** A condition of a server. All but `silent` are judged by its reports. */
export const ConditionKind = z.enum([
  'silent',
  'disk_space',
  'disk_full_soon',
  'inodes',
  'memory',
  'cpu',
  'load',
  'swap',
  'iowait',
  'steal',
  'failed_units',
  'clock_skew',
  'temperature',
  'container',
  'container_restarts',
  'unit',
])
export type ConditionKind = z.infer<typeof ConditionKind>
export type ThresholdKind = Exclude<ConditionKind, 'silent'>
/** Kinds about containers and units that a team names: each name has conditions of its own. */
export type NamedKind = 'container' | 'unit'
export type LevelKind = Exclude<ThresholdKind, NamedKind>

/** More than two intervals of an agent, so that one lost report is no silence. */
export const MIN_SILENT_SECONDS = 90
export const MAX_SILENT_SECONDS = 86_400
export const MAX_THRESHOLD_MINUTES = 1_440
/** Containers, or units, of one server that are watched. */
export const MAX_WATCHED_NAMES = 50
/** Longer names are reported and shown cut, and cannot be watched. */
export const MAX_WATCHED_NAME_LENGTH = 128

const flags = {
  is_on: z.boolean().describe('Whether the condition is judged.'),
  warns_only: z.boolean().describe('True: it makes the server degraded, not down.'),
}

const minutes = z
  .int()
  .min(0)
  .max(MAX_THRESHOLD_MINUTES)
  .describe('Minutes that the value must stay beyond the level, to begin and to end.')

/** A level to enter at and one to leave at, both included, and the minutes that a value must stay beyond either. */
function threshold(unit: string, min: number, max: number) {
  const level = z.number().min(min).max(max)
  return z.object({
    ...flags,
    enter: level.describe(`The condition begins beyond this value, in ${unit}.`),
    leave: level.describe(`It ends on the other side of this value, in ${unit}.`),
    minutes,
  })
}

/** Names of what must run. Those of Docker, Podman and systemd have no other characters (systemd.unit(5)). */
function watched(what: string) {
  const name = z
    .string()
    .max(MAX_WATCHED_NAME_LENGTH)
    .regex(/^[\w.@:\\-]+$/, phrase('must be a name of letters, digits and . _ - @ : \\, got {got}'))
  return z.object({
    ...flags,
    names: z.array(name).max(MAX_WATCHED_NAMES).describe(`Names of the ${what}.`),
    minutes: minutes.describe('Minutes that one must be in trouble, or well again.'),
  })
}

const percent = threshold('percent', 0, 100)

/** Conditions as a form sends them. `memory` (available) and `disk_full_soon` begin at or below their level, others at or above. */
export const Thresholds = z.object({
  silent: z.object({
    ...flags,
    seconds: z
      .int()
      .min(MIN_SILENT_SECONDS)
      .max(MAX_SILENT_SECONDS)
      .describe('Seconds without a report after which the server is silent.'),
  }),
  disk_space: percent,
  /** Hours until a file system is full, by the trend of its last hours. */
  disk_full_soon: threshold('hours', 1, 168),
  inodes: percent,
  memory: percent,
  cpu: percent,
  load: threshold('load per CPU', 0, 1_000),
  swap: percent,
  iowait: percent,
  steal: percent,
  failed_units: threshold('units', 0, 1_000),
  clock_skew: threshold('seconds', 0, 86_400),
  temperature: threshold('degrees Celsius', 0, 200),
  container: watched('containers that must run, and be healthy where they have a health check'),
  /** How often a container was started again within an hour: each that the agent tells of is judged. */
  container_restarts: threshold('restarts within an hour', 0, 1_000),
  unit: watched('units of systemd that must be active'),
})
export type Thresholds = z.infer<typeof Thresholds>

/** The changes of a team to the defaults: whole conditions. */
export const ThresholdChanges = Thresholds.partial().strict()
export type ThresholdChanges = z.infer<typeof ThresholdChanges>

const on = { is_on: true, warns_only: false }
const off = { is_on: false, warns_only: true }

export const DEFAULT_THRESHOLDS: Thresholds = {
  silent: { ...on, seconds: 180 },
  disk_space: { ...on, enter: 90, leave: 85, minutes: 10 },
  disk_full_soon: { ...on, enter: 24, leave: 36, minutes: 60 },
  inodes: { ...on, enter: 90, leave: 85, minutes: 10 },
  memory: { ...on, enter: 10, leave: 15, minutes: 15 },
  cpu: { ...off, enter: 90, leave: 80, minutes: 15 },
  load: { ...off, enter: 2, leave: 1.5, minutes: 15 },
  swap: { ...off, enter: 80, leave: 70, minutes: 15 },
  iowait: { ...off, enter: 40, leave: 20, minutes: 10 },
  steal: { ...off, enter: 10, leave: 5, minutes: 20 },
  failed_units: { ...off, enter: 1, leave: 0, minutes: 5 },
  clock_skew: { ...off, enter: 30, leave: 10, minutes: 10 },
  temperature: { ...off, enter: 85, leave: 80, minutes: 10 },
  container: { is_on: false, warns_only: false, names: [], minutes: 2 },
  container_restarts: { ...off, enter: 3, leave: 0, minutes: 0 },
  unit: { is_on: false, warns_only: false, names: [], minutes: 2 },
}

/** Most servers have the defaults, which need no reading. */
export function thresholdsOf(changes: ThresholdChanges): Thresholds {
  return Object.keys(changes).length === 0
    ? DEFAULT_THRESHOLDS
    : Thresholds.parse({ ...DEFAULT_THRESHOLDS, ...changes })
}

/** One that is named has the value 1 in trouble, else 0. */
const NAMED_LEVELS = { enter: 1, leave: 0 }

export function isNamed(kind: ConditionKind): kind is NamedKind {
  return kind === 'container' || kind === 'unit'
}

/** The levels at which a condition of this kind begins and ends. */
export function levelsOf(thresholds: Thresholds, kind: ThresholdKind): Thresholds[LevelKind] {
  return isNamed(kind) ? { ...thresholds[kind], ...NAMED_LEVELS } : thresholds[kind]
}

/** Whether the condition is judged: switched on and, where it is about one that is named, named. */
export function isJudged(thresholds: Thresholds, kind: ThresholdKind, part: string | null): boolean {
  const { is_on } = thresholds[kind]
  return is_on && (!isNamed(kind) || thresholds[kind].names.includes(part ?? ''))
}

const FALLING: ReadonlySet<ThresholdKind> = new Set(['memory', 'disk_full_soon'])

/** Whether it is about what there is too little of, so that it begins at or below its level. */
export function isFalling(kind: ThresholdKind): boolean {
  return FALLING.has(kind)
}

/** Measured shares may be over 100 % by what clocks are apart. */
const MAX_PERCENT = 101

/**
 * Values of all thresholds, from one report. Absent or impossible figures have none. `hoursUntilFull` of a mount point is
 * Infinity for a file system that is not filling up, and null where that is not known.
 */
export function readingsOf(
  sample: Sample,
  cpus: number | null,
  hoursUntilFull: (mount: string) => number | null,
): Reading[] {
  const readings: Reading[] = []
  const add = (kind: ThresholdKind, part: string | null, value: number | null) => {
    if (value !== null) readings.push({ kind, part, value })
  }
  for (const mount of mountsOf(sample)) {
    add('disk_space', mount, knownPercent(sample[seriesKey('file_system_used_percent', mount)]))
    add('inodes', mount, knownPercent(sample[seriesKey('inodes_used_percent', mount)]))
    add('disk_full_soon', mount, hoursUntilFull(mount))
  }
  add('memory', null, shareOf(sample, 'memory_available_bytes', 'memory_total_bytes'))
  add('cpu', null, knownPercent(sample.cpu_percent))
  add('load', null, positive(loadPerCpu(sample, cpus)))
  // Without swap none of it is used, so that a condition ends when swap is switched off.
  add(
    'swap',
    null,
    sample.swap_total_bytes === 0 ? 0 : shareOf(sample, 'swap_used_bytes', 'swap_total_bytes'),
  )
  add('iowait', null, knownPercent(sample.cpu_iowait_percent))
  add('steal', null, knownPercent(sample.cpu_steal_percent))
  add('failed_units', null, positive(sample.failed_units))
  add('clock_skew', null, positive(Math.abs(sample.clock_skew_seconds ?? Number.NaN)))
  add('temperature', null, positive(sample.temperature_celsius))
  return readings
}

/** In percent; null unless the part is one of the whole. */
function shareOf(sample: Sample, part: SeriesName, whole: SeriesName): number | null {
  const of = sample[whole]
  return of !== undefined && of > 0 ? knownPercent((100 * (sample[part] ?? Number.NaN)) / of) : null
}

function knownPercent(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= MAX_PERCENT ? Math.min(value, 100) : null
}

/** Null unless it is a number from 0 on. */
function positive(value: number | null | undefined): number | null {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : null
}

/**
 * A condition that is beginning, on, or ending. Part of a server's stored state, so that a restart forgets nothing. One that
 * is on without an incident began under maintenance.
 */
export const Condition = z.object({
  kind: ConditionKind,
  /** The mount point, for a condition of file systems; the name of a container or unit. */
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

const OF_HOSTED: ReadonlySet<ConditionKind> = new Set(['container', 'container_restarts', 'unit'])

/** Whether it is about a container or a unit, which the agent tells of only where it was asked to. */
export function isOfHosted({ kind }: Pick<Condition, 'kind'>): boolean {
  return OF_HOSTED.has(kind)
}

const OF_PROCESSES: ReadonlySet<ConditionKind> = new Set(['memory', 'cpu', 'load', 'swap', 'iowait'])

/** Whether it is processes that bring the condition about, so that their names belong to it. */
export function isOfProcesses({ kind }: Pick<Condition, 'kind'>): boolean {
  return OF_PROCESSES.has(kind)
}

/** The value that a threshold judges; `part` is the mount point, for a threshold of file systems, or the name of a container or unit. */
export type Reading = { kind: ThresholdKind; part: string | null; value: number }

/** The value of a condition now; `gone`: of a file system that is not mounted, or a container that is not there any more. */
export type Figure = number | 'gone'

/** The condition as it goes on; null if there is none, or none any more. */
export type ConditionChange = { after: Condition | null; ended: 'left' | 'changed' | null }

type FoundFigure = {
  kind: ThresholdKind
  part: string | null
  before: Condition | null
  figure: Figure
  threshold: Thresholds[LevelKind]
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
