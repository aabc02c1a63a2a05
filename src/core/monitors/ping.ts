import * as z from 'zod'
import { HOUR_MS } from '../history/history-span.ts'
import { Instant } from '../instant.ts'

/** Below these jobs ping, each with its token: as ours, and as clients of Healthchecks expect it. */
export const PING_PATHS = ['/ping', '/hc'] as const

/** What is kept of a ping's body; the rest is ignored, never refused. */
export const KEPT_BODY_BYTES = 100_000

/** What a job says by a ping. */
export const PingKind = z.enum(['success', 'start', 'fail', 'log'])
export type PingKind = z.infer<typeof PingKind>

/** A call of a job, as a list shows it; its body is shown by itself. */
export const Ping = z.object({
  received_at: Instant,
  kind: PingKind,
  exit_status: z.int().nullable(),
  run_id: z.string().nullable(),
  /** From the start of the run to this end of it; null where no start is known, and for what ends nothing. */
  duration_ms: z.int().nullable(),
  /** Of what is kept. */
  body_bytes: z.int(),
})
export type Ping = z.infer<typeof Ping>

export const PingBody = z.object({
  received_at: Instant,
  bytes: z.int(),
  /** Null where the bytes are no text. */
  text: z.string().nullable(),
})
export type PingBody = z.infer<typeof PingBody>

/** A start that is older belongs to a run that nobody heard the end of. */
const MAX_RUN_MS = 24 * HOUR_MS

export type PingMark = { receivedAt: Date; kind: PingKind; runId: string | null }

/**
 * How long the run took that each ping ended, in milliseconds, in the order of the pings, newest first. A run is
 * told from others by its id; those without one follow each other.
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

/** A body as text, without a character that was cut at its end; null for what is no text. */
export function textOf(body: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
