import * as z from 'zod'
import { formatInstant, Instant } from '../../instant.ts'
import { phrase } from '../../language/translate.ts'
import type { AreaLook } from '../area-look.ts'
import type { Registration } from './registration.ts'

/** Days before the end of a registration at which a warning goes out, each once. */
export const WARN_DAYS = [30, 14, 7, 1] as const

export const BY_HAND = phrase('Entered by hand.')
const NOT_ASKED = phrase('The registry was not asked yet.')
const DAY_MS = 86_400_000

/** `warned`: the last of WARN_DAYS that a warning went out for, about this date. */
export const DomainMemory = z.object({
  expires_at: Instant.nullable().default(null),
  warned: z.int().nullable().default(null),
  /** Where the date is from, or why there is none: a sentence. */
  source: z.string().default(NOT_ASKED),
  statuses: z.array(z.string()).default([]),
})
export type DomainMemory = z.infer<typeof DomainMemory>

type Asked = { domain: string; registration: Registration; byHand: string | null }

/** Judges the registration of a domain. A date that somebody entered counts where the registry publishes none. */
export function judgeDomain(
  { domain, registration, byHand }: Asked,
  before: DomainMemory,
  now: Date,
): AreaLook<DomainMemory> {
  const known = knownNow(registration, byHand, before)
  if (registration.kind === 'unregistered') {
    const cause = `${domain} is not registered`
    return { status: 'down', cause, memory: { ...known, warned: null }, warning: null }
  }
  if (known.expires_at === null) {
    const status = registration.kind === 'unknown' ? 'pending' : 'up'
    return { status, cause: known.source, memory: { ...known, warned: null }, warning: null }
  }
  return judgeDate(domain, known, before, now)
}

function knownNow(registration: Registration, byHand: string | null, before: DomainMemory): DomainMemory {
  switch (registration.kind) {
    case 'dated':
      return {
        ...before,
        expires_at: formatInstant(registration.expiresAt),
        source: phrase('The registry says so.'),
        statuses: registration.statuses,
      }
    case 'undated':
      return knownByHand(byHand, before, {
        source: phrase('The registry does not publish when it ends: enter the date by hand to be reminded.'),
        statuses: registration.statuses,
      })
    case 'unregistered':
      return knownByHand(null, before, { source: phrase('The registry does not know it.'), statuses: [] })
    case 'none':
      return knownByHand(byHand, before, { source: `${sentence(registration.reason)}.`, statuses: [] })
    case 'unknown':
      // A registry that is silent for a day is no news.
      if (before.expires_at !== null && before.source !== BY_HAND) return before
      return knownByHand(byHand, before, {
        source: `Not known: ${registration.reason}.`,
        statuses: before.statuses,
      })
  }
}

function knownByHand(
  byHand: string | null,
  before: DomainMemory,
  otherwise: Pick<DomainMemory, 'source' | 'statuses'>,
): DomainMemory {
  if (byHand === null) return { ...before, expires_at: null, ...otherwise }
  return {
    ...before,
    ...otherwise,
    expires_at: formatInstant(new Date(byHand)),
    source: BY_HAND,
  }
}

function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

function judgeDate(
  domain: string,
  known: DomainMemory,
  before: DomainMemory,
  now: Date,
): AreaLook<DomainMemory> {
  const expiresAt = new Date(known.expires_at as string)
  const leftMs = expiresAt.getTime() - now.getTime()
  const day = expiresAt.toISOString().slice(0, 10)
  if (leftMs <= 0) {
    const cause = `the registration of ${domain} ended on ${day}`
    return { status: 'down', cause, memory: { ...known, warned: null }, warning: null }
  }
  const due = WARN_DAYS.findLast((days) => leftMs <= days * DAY_MS) ?? null
  if (due === null) {
    const renewed = before.warned !== null
    const cause = `${renewed ? 'renewed: ' : ''}registered until ${day}`
    return { status: 'up', cause, memory: { ...known, warned: null }, warning: null }
  }
  const daysLeft = Math.max(1, Math.floor(leftMs / DAY_MS))
  const cause = `the registration of ${domain} ends on ${day}, in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`
  const isSameDate = before.expires_at === known.expires_at
  const isNew = !isSameDate || before.warned === null || due < before.warned
  return { status: 'degraded', cause, memory: { ...known, warned: due }, warning: isNew ? cause : null }
}
