import type { SignedIn } from '../../../src/core/accounts/signed-in.ts'
import { t } from '../../language/language.ts'
import { Problem } from '../problem.ts'

/** A session of this page that has ended, while something waits for the next one. */
export type SessionEnd = {
  atMs: number
  email: string
  /** False once the person has put the question away: what is written stays, and the next save asks again. */
  isAsking: boolean
}

type Waiting = { isWrite: boolean; goOn: () => void; giveUp: (error: Problem) => void }

/** Tabs of this browser share their session: one that signs in lets the others go on. */
const CHANNEL = 'upbeat-session'
let person: SignedIn['user'] | null = null
let endedAtMs: number | null = null
let end: SessionEnd | null = null
let waiting: Waiting[] = []
let mayBeWriting = () => false
const listeners = new Set<() => void>()

function change(next: SessionEnd | null): void {
  end = next
  for (const listener of listeners) listener()
}

export function listenToSessionEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const sessionEnd = (): SessionEnd | null => end

/** When the session of this page ended, as far as this page knows; null while it lasts, and where there was none. */
export const sessionEndedAt = (): number | null => endedAtMs

/** `look` tells whether something may be written on the screen, which would be lost with it. */
export function lookForForms(look: () => boolean): void {
  mayBeWriting = look
}

/** Notes whose page this is. */
export function noteSession({ user }: SignedIn): void {
  person = user
  endedAtMs = null
}

/** Call when the person leaves: nothing waits for them any more. */
export function forgetSession(): void {
  const left = waiting
  waiting = []
  person = null
  endedAtMs = null
  change(null)
  for (const { giveUp } of left) giveUp(new Problem(401, 'Unauthorized', t('Sign in first.')))
}

/**
 * Waits until the same person has signed in again, where something is being saved or may be written on the screen; else
 * throws the refusal, which leads to the sign-in page.
 */
export async function signedInAgain(refusal: Problem, method: string): Promise<void> {
  const told = refusal.sessionEndedAt
  if (told === undefined) throw refusal
  endedAtMs ??= told ? Date.parse(told) : person && Date.now()
  const isWrite = method !== 'GET'
  if (person === null || endedAtMs === null) throw refusal
  if (!isWrite && end === null && !mayBeWriting()) throw refusal
  const { email } = person
  // A form that was left alone is not disturbed again by what the screen reads.
  const isAsking = isWrite || (end?.isAsking ?? true)
  const again = new Promise<void>((goOn, giveUp) => waiting.push({ isWrite, goOn, giveUp }))
  change({ atMs: endedAtMs, email, isAsking })
  return again
}

/** Lets all that waits go on, in the session of the same person. Returns false for somebody else's. */
export function resumeSession(session: SignedIn): boolean {
  if (person === null || session.user.id !== person.id) return false
  const resumed = waiting
  waiting = []
  noteSession(session)
  change(null)
  for (const { goOn } of resumed) goOn()
  return true
}

/**
 * Puts the question away. A save is told that it did not happen. A read goes on waiting where something may be written on the
 * screen; else it is refused, which leads to the sign-in page.
 */
export function putSignInAway(): void {
  if (end === null) return
  const stays = mayBeWriting()
  const refused = waiting.filter(({ isWrite }) => isWrite || !stays)
  waiting = waiting.filter((one) => !refused.includes(one))
  change(stays ? { ...end, isAsking: false } : null)
  const told = t('This was not saved: your session has ended. Save again to sign in.')
  for (const { giveUp } of refused) giveUp(new Problem(401, 'Unauthorized', told))
}

/** Another screen was opened, which cannot show anything. */
export function askToSignInAgain(): void {
  if (end?.isAsking === false) change({ ...end, isAsking: true })
}

/** Tells the other tabs of this browser that there is a session. */
export function announceSession(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(null)
  channel.close()
}

export function onSessionAnnounced(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
