import * as z from 'zod'
import { formatInstant, Instant } from '../../instant.ts'
import type { AreaLook } from '../area-look.ts'
import { type DnsLook, DnsType, isAddressType, isBehindCdn } from './records.ts'

/** A change counts once two looks about this far apart agree on it; their schedule may be a little early. */
export const CONFIRM_DNS_MS = 4.5 * 60_000
/** Addresses that were sighted within this time are not new. */
export const SIGHTED_MS = 7 * 86_400_000
/** A site is watched this long before a new address is told: until then its rotation is not known. */
export const LEARN_MS = 86_400_000
/** More sets of addresses than this within SIGHTED_MS are a rotation, in which nothing is news. */
const MAX_SETTLED_SETS = 8
const MAX_SIGHTINGS = 200

const Records = z.array(z.string())

/** `since`: the first look. `sighted`: when each address, and each set of addresses, was last seen. */
export const DnsMemory = z.object({
  since: Instant.nullable().default(null),
  sets: z.partialRecord(DnsType, Records).default({}),
  /** A change that one look has seen; `is_new`: with a record that was not sighted before. */
  pending: z
    .partialRecord(DnsType, z.object({ records: Records, since: Instant, is_new: z.boolean() }))
    .default({}),
  sighted: z.record(z.string(), Instant).default({}),
  sets_sighted: z.record(z.string(), Instant).default({}),
  /** Name servers in disagreement or silence, since the look that saw it first. */
  trouble: z
    .object({ text: z.string(), since: Instant, servers: z.array(z.string()).default([]) })
    .nullable()
    .default(null),
})
export type DnsMemory = z.infer<typeof DnsMemory>

export type DnsChange = { type: DnsType; before: string[]; after: string[] }

/** Judges a look at the DNS of a site; also the changes that are certain now, for its history. */
export function judgeDns(
  host: string,
  look: DnsLook,
  before: DnsMemory,
  now: Date,
): AreaLook<DnsMemory> & { changes: DnsChange[] } {
  if (look.kind === 'unknown')
    return { status: 'pending', cause: look.reason, memory: before, warning: null, changes: [] }
  if (look.kind === 'none')
    return { status: 'up', cause: look.reason, memory: before, warning: null, changes: [] }
  if (look.kind === 'no_such_name') {
    const cause = `${host} does not exist any longer, say its name servers`
    return { status: 'down', cause, memory: before, warning: null, changes: [] }
  }
  const memory: DnsMemory = { ...before, since: before.since ?? formatInstant(now) }
  const changes = findChanges(look, before, memory, now)
  remember(look, memory, now)
  const trouble = troubleOf(look)
  memory.trouble = trouble === null ? null : keepSince(before.trouble, trouble, now)
  const isCertain = memory.trouble !== null && isOlder(memory.trouble.since, now, CONFIRM_DNS_MS)
  const told = changes.filter((change) => isTold(change, look, before, now))
  const warning = told.length > 0 ? told.map(sentenceOf).join('; ') : null
  return {
    status: isCertain ? 'degraded' : 'up',
    cause: isCertain ? (memory.trouble?.text ?? null) : null,
    memory,
    warning,
    doubt: isCertain ? null : (trouble?.text ?? null),
    changes,
  }
}

type Answered = DnsLook & { kind: 'answered' }

/** Sets that differ from the known ones in this look and in one before; `memory` keeps the rest for the next look. */
function findChanges({ sets }: Answered, before: DnsMemory, memory: DnsMemory, now: Date): DnsChange[] {
  const changes: DnsChange[] = []
  const isNew = (records: string[]) => records.some((record) => before.sighted[record] === undefined)
  memory.sets = { ...before.sets }
  memory.pending = {}
  for (const type of DnsType.options) {
    const found = sets[type]
    const known = before.sets[type]
    const pending = before.pending[type]
    if (found === undefined) {
      if (pending) memory.pending[type] = pending
    } else if (known === undefined) memory.sets[type] = found
    else if (!isSame(known, found)) {
      const isSeenAgain = pending !== undefined && isSame(pending.records, found)
      const since = isSeenAgain ? pending.since : formatInstant(now)
      if (isSeenAgain && isOlder(since, now, CONFIRM_DNS_MS)) {
        changes.push({ type, before: known, after: found })
        memory.sets[type] = found
      } else
        memory.pending[type] = { records: found, since, is_new: isSeenAgain ? pending.is_new : isNew(found) }
    }
  }
  return changes
}

/** Addresses are news only if one is new to a site whose addresses hardly ever change. */
function isTold({ type }: DnsChange, { alias, sets }: Answered, before: DnsMemory, now: Date): boolean {
  if (!isAddressType(type)) return true
  if (before.since === null || !isOlder(before.since, now, LEARN_MS)) return false
  if (isBehindCdn(alias, sets.ns ?? before.sets.ns ?? [])) return false
  if (Object.keys(before.sets_sighted).length > MAX_SETTLED_SETS) return false
  return before.pending[type]?.is_new ?? false
}

/** Sightings of addresses and of their sets; those of long ago are forgotten. */
function remember({ sets }: Answered, memory: DnsMemory, now: Date): void {
  const at = formatInstant(now)
  const found = [sets.a ?? [], sets.aaaa ?? []]
  memory.sighted = recent({ ...memory.sighted, ...stamped(found.flat(), at) }, now)
  const keys = found.filter((set) => set.length > 0).map((set) => set.join(' '))
  memory.sets_sighted = recent({ ...memory.sets_sighted, ...stamped(keys, at) }, now)
}

function stamped(keys: string[], at: string): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, at]))
}

/** The same ones where none is to be forgotten, as after most looks. Instants are compared as they are written. */
function recent(sighted: Record<string, string>, now: Date): Record<string, string> {
  const longAgo = formatInstant(new Date(now.getTime() - SIGHTED_MS))
  const times = Object.values(sighted)
  if (times.length <= MAX_SIGHTINGS && times.every((at) => at > longAgo)) return sighted
  const kept = Object.entries(sighted).filter(([, at]) => at > longAgo)
  kept.sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
  return Object.fromEntries(kept.slice(0, MAX_SIGHTINGS))
}

type Trouble = { text: string; servers: string[] }

function troubleOf({ silent, disagreeing }: Answered): Trouble | null {
  const parts = []
  if (silent.length > 0) parts.push(`${listOf(silent)} ${silent.length === 1 ? 'does' : 'do'} not answer`)
  if (disagreeing.length > 0)
    parts.push(
      `${listOf(disagreeing)} ${disagreeing.length === 1 ? 'answers' : 'answer'} otherwise than the others`,
    )
  if (parts.length === 0) return null
  return { text: `name servers: ${parts.join(', ')}`, servers: [...silent, ...disagreeing] }
}

function listOf(names: string[]): string {
  return names.slice(0, 4).join(', ') + (names.length > 4 ? ` and ${names.length - 4} more` : '')
}

/** Trouble goes on only if a server that had it before has it still: packets get lost here and there. */
function keepSince(before: DnsMemory['trouble'], { text, servers }: Trouble, now: Date) {
  const goesOn = before?.servers.some((server) => servers.includes(server)) ?? false
  return { text, servers, since: before && goesOn ? before.since : formatInstant(now) }
}

function sentenceOf({ type, before, after }: DnsChange): string {
  return `${type.toUpperCase()} changed from ${setInWords(before)} to ${setInWords(after)}`
}

function setInWords(records: string[]): string {
  return records.length === 0 ? 'none' : listOf(records)
}

function isSame(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((record, index) => record === b[index])
}

function isOlder(at: string, now: Date, ms: number): boolean {
  return now.getTime() - Date.parse(at) >= ms
}
