import { acceptServices, type RdapServices } from '../../core/sites/domain/rdap.ts'
import type { Database } from '../../postgres/database.ts'
import { claimServices, readStoredServices, storeServices } from '../../store/sites/registry-services.ts'

/** How old the list of registries becomes, and how long it is not asked for again after a failure. */
const AGE = { days: 7, againDays: 1 }
/** A list that was read is good for this long. */
const HOLDS_MS = 3_600_000
const DAY_MS = 86_400_000

/** The place where the newest list is kept. */
export type KeptServices = {
  /** Null without one. */
  read(): Promise<string | null>
  /** Whether the list is to be asked for now: it is older than this, or was not to be had lately. Only one asks then. */
  claim(age: typeof AGE): Promise<boolean>
  store(text: string): Promise<void>
}

/** Kept in the database, for all processes that have it. */
export function keptIn(db: Database): KeptServices {
  return {
    read: () => readStoredServices(db),
    claim: (age) => claimServices(db, age),
    store: (text) => storeServices(db, text),
  }
}

/** Kept by this process alone, as a remote probe does. */
export function keptHere(monotonicMs: () => number): KeptServices {
  let kept: string | null = null
  let dueMs = Number.NEGATIVE_INFINITY
  return {
    read: async () => kept,
    async claim({ againDays }) {
      if (monotonicMs() < dueMs) return false
      dueMs = monotonicMs() + againDays * DAY_MS
      return true
    },
    async store(text) {
      kept = text
      dueMs = monotonicMs() + AGE.days * DAY_MS
    },
  }
}

/**
 * The list of registries: the newest that is stored and can be trusted, or the one that is shipped. It is asked for again once
 * a week, when a domain is looked at, so that services that watch none ask nobody.
 */
export function createRegistryServices(deps: {
  kept: KeptServices
  /** Read when it is needed: it names 1,200 top-level domains, and most services look at no domain. */
  readShipped: () => RdapServices
  /** The list as IANA publishes it; null if it could not be had. */
  ask: () => Promise<string | null>
  monotonicMs: () => number
  note: (message: string) => void
  onTrouble: (error: unknown) => void
}): () => Promise<RdapServices> {
  const { kept, readShipped } = deps
  let known: Promise<RdapServices> | null = null
  let readMs = Number.NEGATIVE_INFINITY

  async function read(): Promise<RdapServices> {
    const stored = await kept.read()
    const shipped = readShipped()
    const current = (stored === null ? null : acceptServices(stored, shipped)) ?? shipped
    if (!(await kept.claim(AGE))) return current
    const text = await deps.ask()
    const accepted = text === null ? null : acceptServices(text, current)
    if (text === null || !accepted) {
      deps.note('the list of domain registries could not be renewed: the one before stays in use')
      return current
    }
    await kept.store(text)
    return accepted
  }

  return async () => {
    if (known === null || deps.monotonicMs() - readMs >= HOLDS_MS) {
      readMs = deps.monotonicMs()
      known = read().catch((error) => {
        deps.onTrouble(error)
        return readShipped()
      })
    }
    return known
  }
}
