import * as z from 'zod'
import { ReportRange } from '../history/report-range.ts'
import { phrase } from '../language/phrase.ts'
import { formatUptime } from '../percent.ts'
import { label } from '../text.ts'
import type { LiveStatus } from './status.ts'

export const BadgeKind = z.enum(['status', 'uptime', 'response'])
export type BadgeKind = z.infer<typeof BadgeKind>

const MAX_LABEL_LENGTH = 64

/** The content of a badge: a label on the left and a colored message on the right. */
export const Badge = z.object({
  label: z.string().max(MAX_LABEL_LENGTH).describe('The left side: the subject.'),
  message: z.string().max(MAX_LABEL_LENGTH).describe('The right side: its state.'),
  color: z.string().max(16).describe('Color of the right side.'),
})
export type Badge = z.infer<typeof Badge>

/** The same content in the endpoint schema of shields.io. */
export const BadgeData = z.object({
  schemaVersion: z.int().min(1).max(1).describe('Version of the endpoint schema of shields.io.'),
  ...Badge.shape,
})

/** Query parameters of a badge; `window` applies to uptime only. */
export const BadgeQuery = z.object({
  window: ReportRange.default('30d').describe('Time range of the uptime.'),
  /** XML cannot contain these two characters, not even escaped. */
  label: label(MAX_LABEL_LENGTH)
    .refine((text) => !/[\ufffe\uffff]/.test(text), phrase('must not contain U+FFFE or U+FFFF'))
    .optional()
    .describe('Text for the left side, in place of the default.'),
})

/** White text is readable on each of these (WCAG contrast 4.5:1). */
export const GREEN = '#1a7f37'
export const AMBER = '#9a6700'
export const RED = '#cf222e'
const BLUE = '#0b63c5'
export const VIOLET = '#8250df'
export const GREY = '#59636e'

const STATUS_COLORS = {
  up: GREEN,
  degraded: AMBER,
  down: RED,
  pending: GREY,
  maintenance: VIOLET,
  paused: GREY,
} as const satisfies Record<LiveStatus, string>

const GOOD_UPTIME = 0.99
const POOR_UPTIME = 0.95

export function statusBadge(status: LiveStatus): Badge {
  return { label: labelOf('status'), message: status, color: STATUS_COLORS[status] }
}

/** `share` is the uptime (core/history/uptime.ts), 0 to 1; null if no time was judged. */
export function uptimeBadge(window: ReportRange, share: number | null): Badge {
  const label = labelOf('uptime', window)
  if (share === null) return noData(label)
  const color = share >= GOOD_UPTIME ? GREEN : share >= POOR_UPTIME ? AMBER : RED
  return { label, message: formatUptime(share), color }
}

/** Always blue: only the owner knows what counts as fast. */
export function responseBadge(medianMs: number | null): Badge {
  const label = labelOf('response')
  return medianMs === null ? noData(label) : { label, message: `${Math.round(medianMs)} ms`, color: BLUE }
}

/** Replaces a badge that cannot be shown, so that pages do not show a broken image. */
export function refusedBadge(kind: BadgeKind, reason: string): Badge {
  return { label: labelOf(kind), message: reason, color: GREY }
}

/** The label never names the monitor; its owner may do so with `?label=`. */
export function labelOf(kind: BadgeKind, window?: ReportRange): string {
  if (kind === 'response') return 'response time'
  return kind === 'uptime' && window ? `uptime ${window}` : kind
}

function noData(label: string): Badge {
  return { label, message: 'no data', color: GREY }
}
