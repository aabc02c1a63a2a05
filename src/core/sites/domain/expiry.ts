import * as z from 'zod'
import { formatInstant, Instant } from '../../instant.ts'
import { phrase } from '../../language/phrase.ts'
import { capitalized } from '../../text.ts'
import type { AreaLook } from '../area-look.ts'
import type { Registration } from './registration.ts'

/** Days before the end of a registration at which a warning goes out, each once. */
export const WARN_DAYS = [30, 14, 7, 1] as const

export const BY_HAND = phrase('Entered by hand.')
const NOT_ASKED = phrase('The registry was not asked yet.')
const DAY_MS = 86_400_000

/** Two sources of a registry may differ by a day or two; that is no other date. */
const SAME_DATE_MS = 2 * DAY_MS
/** Looks that see another date are about an hour apart. */
const CONFIRM_DATE_MS = 54 * 60_000

/** `warned`: the last of WARN_DAYS that a warning went out for, about this date. */
export const DomainMemory = z.object({
  expires_at: Instant.nullable().default(null),
  warned: z.int().nullable().default(null),
  /** Where the date is from, or why there is none: a sentence. */
  source: z.string().default(NOT_ASKED),
  /** Whether a person entered the date. Memories of older releases have only the sentence. */
  is_by_hand: z.boolean().optional(),
  statuses: z.array(z.string()).default([]),
  /** An earlier date than the known one, which a single look has seen. */
  earlier: z.object({ expires_at: Instant, since: Instant }).nullable().default(null),
})
export type DomainMemory = z.infer<typeof DomainMemory>

type Asked = { domain: string; registration: Registration; byHand: string | null }

/**
 * Judges the registration of a domain. A date that somebody entered counts where the registry publishes none. A date that the
 * registry told stays known while it says less, whatever the reason, and is no outage by itself: only the registry's word is.
 */
export function judgeDomain(
  { domain, registration, byHand }: Asked,
  before: DomainMemory,
  now: Date,
): AreaLook<DomainMemory> {
  if (registration.kind === 'unregistered') {
    const source = phrase('The registry does not know it.')
    const memory = {
      ...before,
      source,
      is_by_hand: false,
      expires_at: null,
      warned: null,
      statuses: [],
      earlier: null,
    }
    return { status: 'down', cause: `${domain} is not registered`, memory, warning: null }
  }
  const known = knownNow(registration, byHand, before, now)
  if (known.expires_at === null) {
    const status = registration.kind === 'unknown' ? 'pending' : 'up'
    return { status, cause: known.source, memory: { ...known, warned: null }, warning: null }
  }
  if (registration.kind === 'unknown' && !isByHand(known) && Date.parse(known.expires_at) <= now.getTime())
    return { status: 'pending', cause: `Not known: ${registration.reason}.`, memory: known, warning: null }
  return judgeRegistered(domain, known, now, { before })
}

function knownNow(
  registration: Exclude<Registration, { kind: 'unregistered' }>,
  byHand: string | null,
  before: DomainMemory,
  now: Date,
): DomainMemory {
  switch (registration.kind) {
    case 'dated':
      return datedNow(registration, before, now)
    case 'undated':
      if (isFromRegistry(before) && Date.parse(before.expires_at as string) > now.getTime()) return before
      return knownByHand(byHand, before, {
        source: phrase('The registry does not publish when it ends: enter the date by hand to be reminded.'),
        statuses: registration.statuses,
      })
    case 'none':
      return knownByHand(byHand, before, { source: `${capitalized(registration.reason)}.`, statuses: [] })
    case 'unknown':
      // A registry that is silent for a day is no news.
      if (isFromRegistry(before)) return before
      return knownByHand(byHand, before, {
        source: `Not known: ${registration.reason}.`,
        statuses: before.statuses,
      })
  }
}

function isFromRegistry(memory: DomainMemory): boolean {
  return memory.expires_at !== null && !isByHand(memory)
}

function isByHand({ is_by_hand, source }: DomainMemory): boolean {
  return is_by_hand ?? source === BY_HAND
}

/** A later date is a renewal. An earlier one counts once two looks have seen it; it may be of another source. */
function datedNow(
  { expiresAt, statuses }: Registration & { kind: 'dated' },
  before: DomainMemory,
  now: Date,
): DomainMemory {
  const date = formatInstant(expiresAt)
  const told = {
    ...before,
    expires_at: date,
    source: phrase('From the registry'),
    is_by_hand: false,
    statuses,
    earlier: null,
  }
  if (!isFromRegistry(before) || msAfter(expiresAt, before.expires_at) >= -SAME_DATE_MS) return told
  const isSeenAgain =
    before.earlier !== null && Math.abs(msAfter(expiresAt, before.earlier.expires_at)) <= SAME_DATE_MS
  const since = isSeenAgain && before.earlier ? before.earlier.since : formatInstant(now)
  if (now.getTime() - Date.parse(since) >= CONFIRM_DATE_MS) return told
  return { ...before, earlier: { expires_at: date, since } }
}

function msAfter(date: Date, other: string | null): number {
  return date.getTime() - Date.parse(other ?? '')
}

function knownByHand(
  byHand: string | null,
  before: DomainMemory,
  otherwise: Pick<DomainMemory, 'source' | 'statuses'>,
): DomainMemory {
  if (byHand === null) return { ...before, expires_at: null, earlier: null, is_by_hand: false, ...otherwise }
  return {
    ...before,
    earlier: null,
    ...otherwise,
    expires_at: formatInstant(new Date(byHand)),
    source: BY_HAND,
    is_by_hand: true,
  }
}

/** Judges a domain whose date is known, with warnings so many days before. `before` is what was known at the look before. */
export function judgeRegistered(
  domain: string,
  known: DomainMemory,
  now: Date,
  { before = known, warnDays = WARN_DAYS }: { before?: DomainMemory; warnDays?: readonly number[] } = {},
): AreaLook<DomainMemory> {
  const expiresAt = new Date(known.expires_at as string)
  const leftMs = expiresAt.getTime() - now.getTime()
  const day = expiresAt.toISOString().slice(0, 10)
  if (leftMs <= 0) {
    const cause = `the registration of ${domain} ended on ${day}`
    return { status: 'down', cause, memory: { ...known, warned: null }, warning: null }
  }
  const doubt =
    known.earlier && `the registration of ${domain} ends on ${known.earlier.expires_at.slice(0, 10)}`
  const due = warnDays.findLast((days) => leftMs <= days * DAY_MS) ?? null
  if (due === null) {
    const renewed = before.warned !== null
    const cause = `${renewed ? 'renewed: ' : ''}registered until ${day}`
    return { status: 'up', cause, memory: { ...known, warned: null }, warning: null, doubt }
  }
  const daysLeft = Math.max(1, Math.floor(leftMs / DAY_MS))
  const cause = `the registration of ${domain} ends on ${day}, in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`
  const isSameDate = Math.abs(msAfter(expiresAt, before.expires_at)) <= SAME_DATE_MS
  const isNew = !isSameDate || before.warned === null || due < before.warned
  return {
    status: 'degraded',
    cause,
    memory: { ...known, warned: due },
    warning: isNew ? cause : null,
    doubt,
  }
}
