import * as z from 'zod'
import { HOUR_MS } from '../history/history-span.ts'
import { Instant } from '../instant.ts'
import { MonitorType, toldAt } from './monitor-types.ts'

/** Prefixes of ping URLs, each followed by a token: ours, and the one for Healthchecks clients. */
export const PING_PATHS = ['/ping', '/hc'] as const

/** Prefixes of addresses that tell of a monitor what they were called for: no crawler may follow them. */
export const TELLING_PATHS = [
  ...new Set([...PING_PATHS, ...MonitorType.options.flatMap((type) => toldAt(type) ?? [])]),
]

/** Bytes of a ping's body that are stored; the rest is ignored, not refused. */
export const KEPT_BODY_BYTES = 100_000

/** The event that a ping reports. */
export const PingKind = z.enum(['success', 'start', 'fail', 'log'])
export type PingKind = z.infer<typeof PingKind>

/** A ping in a list; its body is fetched separately. */
export const Ping = z.object({
  received_at: Instant,
  kind: PingKind,
  exit_status: z.int().nullable(),
  run_id: z.string().nullable(),
  /** From the start of the run to this end of it; null if no start is known or the ping ends no run. */
  duration_ms: z.int().nullable(),
  /** Size of the stored part. */
  body_bytes: z.int(),
})
export type Ping = z.infer<typeof Ping>

export const PingBody = z.object({
  received_at: Instant,
  bytes: z.int(),
  /** Null if the bytes are not text. */
  text: z.string().nullable(),
})
export type PingBody = z.infer<typeof PingBody>

/** A start older than this belongs to a run whose end was never reported. */
const MAX_RUN_MS = 24 * HOUR_MS

export type PingMark = { receivedAt: Date; kind: PingKind; runId: string | null }

/**
 * The duration in milliseconds of the run that each ping ended, for pings ordered newest first. Runs with an
 * id are matched by it; those without one are taken in sequence.
 */
export function durationsOf(pings: readonly PingMark[]): (number | null)[] {
  const begun = new Map<string | null, number>()
  const oldestFirst = pings.toReversed().map(({ receivedAt, kind, runId }) => {
    if (kind === 'log') return null
    const beganMs = begun.get(runId)
    begun.delete(runId)
    if (kind === 'start') begun.set(runId, receivedAt.getTime())
    if (kind === 'start' || beganMs === undefined) return null
    const tookMs = receivedAt.getTime() - beganMs
    return tookMs <= MAX_RUN_MS ? tookMs : null
  })
  return oldestFirst.reverse()
}

/** Decodes a body, dropping a character cut off at its end; null if it is not text. */
export function textOf(body: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
