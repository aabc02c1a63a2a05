import { putLast } from '../../core/bounded-map.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { Realms } from './realms.ts'
import type { Failing } from './undecided.ts'
import type { Landmark } from './way.ts'

const TARGETS_KEPT = 50_000
/** An address may become one of this machine's own networks, or be one no more. */
const ADDRESS_HOLDS_MS = 60_000

export type Target = {
  key: string
  landmark: Landmark
  /** Where its address and name belong, kept because the same ones come again and again. */
  addressed: Addressed | null
  named: Named | null
  /** It failed on the way and was believed; further failures are no news. */
  knownDown: boolean
  /** The public network where it was last reached, and how quickly; null when it was not, or was silent since. */
  usual: { network: string; tookMs: number } | null
  /** The number of its last checks that fell silent together with others, and were not believed. */
  excused: number
}

type Addressed = { address: string; atMs: number; at: Failing; landmark: Landmark }
type Named = { name: string; addressed: Failing; at: Failing; landmark: Landmark }

/** The target of a monitor's settings, among those that one guard has seen. */
export function createKnownTargets() {
  const targets = new Map<string, Target>()
  return (settings: ProbeSettings): Target => {
    const { type, url } = settings
    const port = 'port' in settings ? settings.port : null
    const key = `${type} ${port} ${url}`
    const known = targets.get(key)
    if (known) return known
    const state = { named: null, addressed: null, usual: null, knownDown: false, excused: 0 }
    const target = { key, landmark: { type, url, port }, ...state }
    putLast(targets, key, target, TARGETS_KEPT)
    return target
  }
}

/** Where a target's address belongs. Runs for every check. */
export function addressedOf(realms: Realms, target: Target, address: string, nowMs: number): Addressed {
  const known = target.addressed
  if (known?.address === address && nowMs - known.atMs < ADDRESS_HOLDS_MS) return known
  const landmark = { ...target.landmark, address }
  target.addressed = { address, atMs: nowMs, at: realms.ofAddress(address), landmark }
  return target.addressed
}

/** Where a target's name belongs, which was found at an address. Runs for every check. */
export function namedOf(realms: Realms, target: Target, name: string, addressed: Failing): Named {
  const known = target.named
  if (known?.name === name && known.addressed === addressed) return known
  const landmark = { ...target.landmark, name }
  target.named = { name, addressed, at: realms.ofFoundName(name, addressed), landmark }
  return target.named
}
