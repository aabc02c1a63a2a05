import { putLast } from '../../core/bounded-map.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import {
  BASELINE_AGAIN_MS,
  BASELINE_CHANGES_MS,
  type Baseline,
  traitsOf,
} from '../../core/monitors/incidents/baseline.ts'
import { type Baselines, MAX_BASELINES_AT_ONCE, type SeenBaseline } from '../../store/incidents/baselines.ts'
import type { KeptMonitor } from '../probing/kept-monitor.ts'

const WRITE_EVERY_MS = 5_000
/** The bound of each thread. One that is forgotten is written once more. */
const MAX_KNOWN = 200_000

type Known = { sum: number; revision: number; atMs: number }

type Dependencies = {
  baselines: Baselines
  region: string | null
  now: () => Date
  /** Masks the secrets of a monitor in what its target says. */
  maskOf: (monitor: KeptMonitor) => (text: string) => string
  onTrouble: (error: unknown) => void
  everyMs?: number
}

export type BaselineKeeper = {
  /** Costs next to nothing unless the target looks otherwise than it did, which is written within seconds. */
  note(monitor: KeptMonitor, result: CheckResult): void
  close(): Promise<void>
}

/**
 * Keeps how the targets of monitors look while their checks pass. A row is written when that has changed, once an hour at most,
 * and once a day; the newest ones wait for each other, so that many share a statement.
 */
export function createBaselineKeeper(deps: Dependencies): BaselineKeeper {
  const { baselines, region, now, maskOf, onTrouble, everyMs = WRITE_EVERY_MS } = deps
  const known = new Map<number, Known>()
  /** One of each monitor, as a statement takes no more: it may be checked with new settings before they are written. */
  let waiting = new Map<number, SeenBaseline>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  function write() {
    timer = null
    const seen = [...waiting.values()]
    waiting = new Map()
    // A failure is no trouble of a check: the next look writes it.
    writing = baselines.write(seen).catch((error) => {
      for (const { monitorId } of seen) known.delete(monitorId)
      onTrouble(error)
    })
  }

  return {
    note(monitor, result) {
      const { id, teamId, revision, shared } = monitor
      // The target of an inverted monitor fails while its checks pass.
      if (shared.options?.inverted || waiting.size >= MAX_BASELINES_AT_ONCE) return
      const traits = traitsOf(shared.type, result)
      const { address, server, redirect, fingerprint } = traits
      if (address === null && server === null && fingerprint === null && traits.bytes === null) return
      // Without the size, which changes with each answer of many pages.
      const sum = sumOf(`${address}\n${server}\n${redirect}\n${fingerprint}`)
      const seenAt = now()
      const before = known.get(id)
      if (before && before.revision === revision) {
        const agoMs = seenAt.getTime() - before.atMs
        if (agoMs < (before.sum === sum ? BASELINE_AGAIN_MS : BASELINE_CHANGES_MS)) return
      }
      putLast(known, id, { sum, revision, atMs: seenAt.getTime() }, MAX_KNOWN)
      const ofMonitor = { monitorId: id, teamId, revision, seenAt, region: region ?? '' }
      waiting.set(id, { ...ofMonitor, ...masked(traits, maskOf(monitor)) })
      timer ??= setTimeout(write, everyMs)
    },
    async close() {
      if (timer) clearTimeout(timer)
      await writing
    },
  }
}

function masked<Traits extends Pick<Baseline, 'server' | 'redirect'>>(
  traits: Traits,
  mask: (text: string) => string,
): Traits {
  const { server, redirect } = traits
  return { ...traits, server: server && mask(server), redirect: redirect && mask(redirect) }
}

/** FNV-1a of 32 bits: two looks that it takes for one are only written later. */
function sumOf(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum
}
