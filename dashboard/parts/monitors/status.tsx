import { LIVE_STATUS_WORDS, type LiveStatus } from '../../../src/core/monitors/status.ts'
import { t } from '../../language/language.ts'

/** Color never stands alone: each status has a shape and a word of its own. */
const LOOKS = {
  up: {
    colour: 'text-up',
    path: 'M8 1.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 0 0 0-13Zm3.300 4.900-4.100 4.300-2.400-2.300',
  },
  down: { colour: 'text-down', path: 'M1.500 1.500h13v13h-13zM5 5l6 6M11 5l-6 6' },
  degraded: {
    colour: 'text-degraded',
    path: 'M8 1.300 15.200 14.200H.8ZM8 6v4M8 12v.2',
  },
  pending: {
    colour: 'text-pending',
    path: 'M8 1.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 0 0 0-13ZM8 4.500V8l2.500 1.500',
  },
  maintenance: {
    colour: 'text-maintenance',
    path: 'M9.800 4.200a.67.67 0 0 0 0 .93l1.070 1.070a.67.67 0 0 0 .93 0l2.510-2.510a4 4 0 0 1-5.290 5.290l-4.610 4.610a1.410 1.410 0 0 1-2-2l4.610-4.610a4 4 0 0 1 5.290-5.290z',
  },
  paused: { colour: 'text-paused', path: 'M5.500 3v10M10.500 3v10' },
} as const satisfies Record<LiveStatus, { colour: string; path: string }>

export function statusWord(status: LiveStatus): string {
  return t(LIVE_STATUS_WORDS[status])
}

export function statusColour(status: LiveStatus): string {
  return LOOKS[status].colour
}

/** The shape of a status. Its word is for screen readers only, unless `named`. */
export function StatusMark({
  status,
  named = false,
  size = 16,
  word = statusWord(status),
}: {
  status: LiveStatus
  named?: boolean
  size?: number
  /** Another word for the same shape: an incident is "Ongoing", an attempt "Failed". */
  word?: string
}) {
  const { colour, path } = LOOKS[status]
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 font-medium ${colour}`} data-status={status}>
      <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" fill="none">
        <path d={path} stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      {/* The word's baseline, not that of the shape, to line up with its neighbors. */}
      <span className={named ? 'self-baseline whitespace-nowrap' : 'sr-only'}>{word}</span>
    </span>
  )
}
