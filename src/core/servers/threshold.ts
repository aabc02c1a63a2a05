import * as z from 'zod'

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
])
export type ConditionKind = z.infer<typeof ConditionKind>
export type ThresholdKind = Exclude<ConditionKind, 'silent'>

/** More than two intervals of an agent, so that one lost report is no silence. */
export const MIN_SILENT_SECONDS = 90
export const MAX_SILENT_SECONDS = 86_400
export const MAX_THRESHOLD_MINUTES = 1_440

const flags = {
  is_on: z.boolean().describe('Whether the condition is judged.'),
  warns_only: z.boolean().describe('True: it makes the server degraded, not down.'),
}

/** A level to enter at and one to leave at, both included, and the minutes that a value must stay beyond either. */
function threshold(unit: string, min: number, max: number) {
  const level = z.number().min(min).max(max)
  return z.object({
    ...flags,
    enter: level.describe(`The condition begins beyond this value, in ${unit}.`),
    leave: level.describe(`It ends on the other side of this value, in ${unit}.`),
    minutes: z
      .int()
      .min(0)
      .max(MAX_THRESHOLD_MINUTES)
      .describe('Minutes that the value must stay beyond the level, to begin and to end.'),
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
}

/** Most servers have the defaults, which need no reading. */
export function thresholdsOf(changes: ThresholdChanges): Thresholds {
  return Object.keys(changes).length === 0
    ? DEFAULT_THRESHOLDS
    : Thresholds.parse({ ...DEFAULT_THRESHOLDS, ...changes })
}

const FALLING: ReadonlySet<ThresholdKind> = new Set(['memory', 'disk_full_soon'])

/** Whether it is about what there is too little of, so that it begins at or below its level. */
export function isFalling(kind: ThresholdKind): boolean {
  return FALLING.has(kind)
}
