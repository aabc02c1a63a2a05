import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { Claimed, ClaimedConfirmations } from '../../store/probing/confirmations.ts'
import type { ScheduledMonitor } from '../../store/probing/schedule.ts'

/** What other regions ask for does not keep a process from checks of its own. */
const MAX_UNDER_WAY = 200

/** Makes the attempts that other regions ask this one for. */
export type ConfirmationAnswerer = {
  /** Under which membership; null takes nothing on. */
  serve(membership: number | null): void
  /** Something may be asked for. */
  wake(): void
  /** Cancels what is under way: whoever asked does without. */
  close(): Promise<void>
}

/** The rows are the work: it sleeps until it is woken, and takes on what nobody else has. */
export function createConfirmationAnswerer(deps: {
  asked: ClaimedConfirmations
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
        // What woke it just when it was about to sleep is not lost.
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
      const claimed = await deps.asked.claim(under, room)
      for (const one of claimed) start(one, under)
      if (claimed.length === room) woken = true
    }
  }

  function start(claimed: Claimed, under: number) {
    const done = attempt(claimed, under)
      .catch(deps.onTrouble)
      .finally(() => {
        underWay.delete(done)
        if (woken) wake()
      })
    underWay.add(done)
  }

  async function attempt({ confirmation, monitor }: Claimed, under: number) {
    const result = await deps.probe(deps.settingsOf(monitor), stop.signal)
    if (!stop.signal.aborted) await deps.asked.answer(confirmation, under, result)
  }

  return {
    serve(next) {
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
