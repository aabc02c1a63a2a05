import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

/** What people do with their own account: `/auth/*` is no part of the contract, so its answers are described here. */

/** What this service offers to people who are not signed in. */
export type WaysIn = { oidc: { name: string } | null; signup: boolean; mail: boolean; passkeys: boolean }

export type SessionRow = {
  id: number
  is_current: boolean
  address: string
  user_agent: string
  created_at: string
  last_used_at: string
}

export type PasskeyRow = { id: number; name: string; created_at: string; last_used_at: string | null }

export type InvitationLook = {
  team_name: string
  email: string
  role: 'owner' | 'admin' | 'viewer'
  invited_by: string | null
  has_account: boolean
  is_yours: boolean
}

export const waysInQuestion = queryOptions({
  queryKey: ['ways-in'],
  queryFn: () => get<WaysIn>('/auth/options'),
  staleTime: Number.POSITIVE_INFINITY,
})

export const sessionsQuestion = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: () => get<SessionRow[]>('/auth/sessions'),
})

export const passkeysQuestion = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: () => get<PasskeyRow[]>('/auth/passkeys'),
})

export async function get<T>(path: string): Promise<T> {
  return dataOf(await send({ method: 'GET', path }))
}

/** Resolves with the `data` of the answer, null where there is none. */
export async function post<T = null>(path: string, body?: unknown): Promise<T> {
  return dataOf(await send({ method: 'POST', path, ...(body !== undefined && { body }) }))
}

export async function remove(path: string): Promise<void> {
  await send({ method: 'DELETE', path })
}

function dataOf<T>(answer: unknown): T {
  return ((answer as { data?: T } | null)?.data ?? null) as T
}
