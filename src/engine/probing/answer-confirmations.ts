import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { ClaimedConfirmation, ConfirmationClaims } from '../../store/probing/confirmations.ts'
import type { ScheduledMonitor } from '../../store/probing/schedule.ts'

/** Requests of other regions do not keep a process from checks of its own. */
const MAX_UNDER_WAY = 200

/** Makes the attempts that other regions ask this one for. */
export type ConfirmationAnswerer = {
  /** Claims under this membership from now on; null claims nothing. */
  assign(membership: number | null): void
  /** There may be a new request. */
  wake(): void
  /** Cancels the attempts under way: the regions that asked do without. */
  close(): Promise<void>
}

/** The rows are the queue: it sleeps until it is woken, and claims the requests that no other process has claimed. */
export function createConfirmationAnswerer(deps: {
  claims: ConfirmationClaims
  probe: (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>
  settingsOf: (monitor: ScheduledMonitor) => ProbeSettings
  onTrouble: (error: unknown) => void
}): ConfirmationAnswerer {
  const stop = new AbortController()
  const underWay = new Set<Promise<void>>()
  let membership: number | null = null
  let claiming: Promise<void> | null = null
  let woken = false

  function wake() {
    woken = true
    claiming ??= claimAll()
      .catch(deps.onTrouble)
      .finally(() => {
        claiming = null
        // A call that came just when it was about to sleep is not lost.
        if (woken && mayClaim()) wake()
      })
  }

  function mayClaim(): boolean {
    return membership !== null && !stop.signal.aborted && underWay.size < MAX_UNDER_WAY
  }

  async function claimAll() {
    while (woken && membership !== null && mayClaim()) {
      woken = false
      const under = membership
      const room = MAX_UNDER_WAY - underWay.size
      const claimed = await deps.claims.claim(under, room)
      for (const one of claimed) start(one, under)
      if (claimed.length === room) woken = true
    }
  }

  function start(claimed: ClaimedConfirmation, under: number) {
    const done = attempt(claimed, under)
      .catch(deps.onTrouble)
      .finally(() => {
        underWay.delete(done)
        if (woken) wake()
      })
    underWay.add(done)
  }

  async function attempt({ confirmation, monitor }: ClaimedConfirmation, under: number) {
    // A failure keeps the answer that the region got which asks.
    const { answer, ...result } = await deps.probe(deps.settingsOf(monitor), stop.signal)
    if (!stop.signal.aborted) await deps.claims.answer(confirmation, under, result)
  }

  return {
    assign(next) {
      membership = next
      if (woken) wake()
    },
    wake,
    async close() {
      stop.abort()
      await claiming
      await Promise.all(underWay)
    },
  }
}
