import type { LiveStatus } from '../../../src/core/monitors/status.ts'

/** A line of the finder: a place to go to, or something to do. */
export type Item = {
  value: string
  label: string
  detail?: string | null | undefined
  status?: LiveStatus
} & ({ href: string; act?: never } | { act: () => void; href?: never })

export type Group = { heading: string; items: Item[] }

/** How many lines a group has. */
export const SHOWN = 6
