import { EFFECT_MS, maintenanceOf } from './judge-windows.ts'
import { at, type Evidence, type Incident, type Ping } from './logs.ts'
import { freeParts, isIn, lengthMs, overlap, widen } from './spans.ts'

/** Time in a window does not count against a job: it is late after its interval outside of windows. */
export function earlySilences(evidence: Evidence): string[] {
  const { jobs, incidents, pings } = evidence
  const of = maintenanceOf(evidence)
  return incidents
    .filter(({ monitor, startedMs }) => {
      if (!jobs.monitors.includes(monitor)) return false
      const { cover } = of(monitor)
      // It had failed in a window, which was over then.
      if (cover.some(({ toMs }) => toMs === startedMs)) return false
      if (pings.some((ping) => ping.monitor === monitor && mayBeReport(ping, startedMs))) return false
      const last = lastTaken(evidence, monitor, startedMs)
      if (!last) return false
      const waited = freeParts({ fromMs: last.sentMs, toMs: startedMs }, cover)
      return lengthMs(waited) < jobs.intervalMs - EFFECT_MS / 10
    })
    .map(({ id, monitor, startedMs }) => `incident ${id} of job ${monitor} at ${at(evidence, startedMs)}`)
}

/**
 * Whether a job that pinged all the time was silent, by its own log, because nobody could answer it. The service makes up
 * for its own downtime, but not to a second.
 */
export function wasUnheard(evidence: Evidence, { monitor, startedMs }: Incident): boolean {
  const { jobs, unheard, takeoverMs } = evidence
  if (!jobs.monitors.includes(monitor)) return false
  const wait = { fromMs: lastTaken(evidence, monitor, startedMs)?.sentMs ?? 0, toMs: startedMs }
  return unheard.some((span) => overlap(widen(span, 0, takeoverMs), wait))
}

function lastTaken({ pings }: Evidence, monitor: number, beforeMs: number): Ping | undefined {
  return pings.findLast((ping) => ping.monitor === monitor && ping.isTaken && ping.doneMs <= beforeMs)
}

/** Whether an incident may have begun with what the job itself reported. */
function mayBeReport({ isFailure, sentMs, doneMs }: Ping, startedMs: number): boolean {
  return isFailure && isIn(startedMs, { fromMs: sentMs - EFFECT_MS, toMs: doneMs + EFFECT_MS })
}
