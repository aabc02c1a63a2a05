import { MAIL_BOUNDS, type MailBoundName } from '../../core/accounts/mail-bounds.ts'
import { type LetterKind, MAIL_KINDS } from '../../core/accounts/mail-kinds.ts'
import { overBound } from '../../core/accounts/over-bound.ts'
import { mailboxName } from '../../core/alerting/mailbox.ts'
import { Refusal } from '../../core/errors.ts'
import type { Allowance } from '../../store/rate-limits.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import type { Services } from '../services.ts'
import { LetterPermit } from './letter-permit.ts'

/** Counts letters by the one table of bounds. No letter is queued without a permit, and only this file issues them. */

type Kinds = typeof MAIL_KINDS
type PerOf<Names extends readonly MailBoundName[]> = (typeof MAIL_BOUNDS)[Names[number]]['per']
/** Whom bounds count: an address, or the id of what their `per` names. */
type Counted<Names extends readonly MailBoundName[]> = { [Per in PerOf<Names>]: string | number }

type KindsWithout<Bounds extends 'refusedOver' | 'droppedOver'> = {
  [Kind in LetterKind]: Kinds[Kind][Bounds] extends readonly [] ? Kind : never
}[LetterKind]
/** Kinds of which a bound never drops a letter that the answer has promised. */
type CertainKind = KindsWithout<'droppedOver'>
type DroppedKind = Exclude<LetterKind, CertainKind>
/** Kinds whose bounds are counted elsewhere. */
export type FreeKind = CertainKind & KindsWithout<'refusedOver'>

/**
 * Counts a letter, or refuses with 429 before anything is written, and does the work that queues it. The count is undone
 * where the work is refused, or queues no letter after all.
 */
export async function withLetter<Kind extends CertainKind, T>(
  services: Services,
  kind: Kind,
  counted: Counted<Kinds[Kind]['refusedOver']>,
  work: (permit: LetterPermit) => Promise<T>,
): Promise<T> {
  const permit = new LetterPermit(kind)
  const names: readonly MailBoundName[] = MAIL_KINDS[kind].refusedOver
  return countMail(services, names, counted, async (giveBack) => {
    const outcome = await work(permit)
    if (!permit.isUsed) await giveBack()
    return outcome
  })
}

/** The same for a letter that is made after the answer: its count stays. */
export async function permitLetter<Kind extends CertainKind>(
  services: Services,
  kind: Kind,
  counted: Counted<Kinds[Kind]['refusedOver']>,
): Promise<LetterPermit> {
  await countMail(services, MAIL_KINDS[kind].refusedOver, counted, async () => {})
  return new LetterPermit(kind)
}

/** Counts what the answer is refused for, of a kind whose letter is made after the answer. */
export async function countAsking<Kind extends DroppedKind>(
  services: Services,
  kind: Kind,
  counted: Counted<Kinds[Kind]['refusedOver']>,
): Promise<void> {
  await countMail(services, MAIL_KINDS[kind].refusedOver, counted, async () => {})
}

/** Counts a letter that nobody is promised; null where a bound drops it. */
export async function permitQuietly<Kind extends DroppedKind>(
  services: Services,
  kind: Kind,
  counted: Counted<Kinds[Kind]['droppedOver']>,
): Promise<LetterPermit | null> {
  try {
    await countMail(services, MAIL_KINDS[kind].droppedOver, counted, async () => {})
    return new LetterPermit(kind)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'tooManyRequests') return null
    throw error
  }
}

export function permitFree(kind: FreeKind): LetterPermit {
  return new LetterPermit(kind)
}

/** Takes a use of each bound, all or none, and gives them back where the work is refused. */
export async function countMail<T>(
  { limits: { mails } }: Services,
  names: readonly MailBoundName[],
  counted: { [Per in PerOf<MailBoundName[]>]?: string | number },
  work: (giveBack: () => Promise<void>) => Promise<T>,
): Promise<T> {
  // A command on this machine is asked by no network.
  const isCounted = (name: MailBoundName) => MAIL_BOUNDS[name].per !== 'client' || counted.client !== ''
  const bounds = names.filter(isCounted)
  const guards = bounds.map((name) => ({ limit: mails[name], key: keyOf(name, counted) }))
  // Taken together they share a statement. A use over a bound is given back, too: it would stand in the way of another.
  const uses = await Promise.all(guards.map(({ limit, key }) => limit.take(key)))
  const giveBack = async () => {
    await Promise.all(guards.map(({ limit, key }) => limit.giveBack(key)))
  }
  try {
    refuseOver(bounds, uses)
    return await work(giveBack)
  } catch (error) {
    // After any other error nobody knows whether the letter was committed.
    if (error instanceof Refusal) await giveBack()
    throw error
  }
}

function keyOf(name: MailBoundName, counted: { [Per in PerOf<MailBoundName[]>]?: string | number }): string {
  const { per } = MAIL_BOUNDS[name]
  const who = counted[per]
  if (who === undefined) throw new Error(`${name} counts by ${per}, which is missing`)
  return per === 'mailbox' ? mailboxKey(String(who)) : String(who)
}

/** A hash, so that all keys have the same length. A webhook is an address without a mailbox behind it. */
function mailboxKey(address: string): string {
  return hashToken(address.includes('://') ? address : mailboxName(address)).toString('hex')
}

/** The refusal names the one that lasts longest of several bounds that are used up. */
function refuseOver(names: readonly MailBoundName[], uses: Allowance[]): void {
  let last: { name: MailBoundName; limit: number; seconds: number } | null = null
  for (const [index, { limit, retryAfterSeconds: seconds }] of uses.entries()) {
    if (seconds !== null && (last === null || seconds > last.seconds)) {
      last = { name: names[index] as MailBoundName, limit, seconds }
    }
  }
  if (last === null) return
  throw Refusal.forNow('tooManyRequests', last.seconds, overBound(last.name, last.limit, last.seconds))
}
