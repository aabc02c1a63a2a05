import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod'
import {
  type AccountContract,
  type AccountOperationId,
  accountContract,
} from '../../src/contract/accounts.ts'
import type { ServiceSettingsPatch } from '../../src/core/accounts/service-settings.ts'
import { send } from './send.ts'

type GivenAccountInput<Id extends AccountOperationId> =
  (AccountContract[Id]['path'] extends `${string}{id}${string}` ? { id: number } : unknown) &
    (AccountContract[Id] extends { query: z.ZodType }
      ? { query: Record<string, string | number> }
      : unknown) &
    (AccountContract[Id] extends { body: infer Body extends z.ZodType } ? { body: z.input<Body> } : unknown)

export type DataOf<Id extends AccountOperationId> = AccountContract[Id] extends {
  output: z.ZodType<{ data: infer Data }>
}
  ? Data
  : null

/** Calls an operation on one's own account. Resolves with the `data` of the answer, or null without any. */
export async function askAccount<Id extends AccountOperationId>(
  operation: Id,
  given: GivenAccountInput<Id>,
): Promise<DataOf<Id>> {
  const { method, path } = accountContract[operation]
  const { id, query, body } = given as { id?: number; query?: Record<string, unknown>; body?: unknown }
  const answer = await send({
    method,
    path: path.replace('{id}', String(id)),
    ...(query && { query }),
    ...(body !== undefined && { body }),
  })
  return ((answer as { data?: unknown } | null)?.data ?? null) as DataOf<Id>
}

export const waysInQuestion = queryOptions({
  queryKey: ['ways-in'],
  queryFn: () => askAccount('showSignInOptions', {}),
})

/** False where e-mail alerts can only fail because no mail server is set up. */
export function useMail(): boolean {
  return useQuery(waysInQuestion).data?.mail !== false
}

/** A page of the documentation, wherever the operator has put it (DOCS_URL). */
export function useDocs(page = ''): string {
  return `${useQuery(waysInQuestion).data?.docs_url ?? '/docs'}${page}`
}

export const sessionsQuestion = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: () => askAccount('listSessions', {}),
})

export const accountLogQuestion = queryOptions({
  queryKey: ['account', 'log'],
  queryFn: () => askAccount('listAccountEvents', {}),
  // Anything done on this page, or by others, adds to it: never considered fresh.
  staleTime: 0,
})

export const passkeysQuestion = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: () => askAccount('listPasskeys', {}),
})

export const ACCOUNTS_KEY = ['accounts']

/** All accounts of the service, for its operators. */
export const accountsQuestion = (search: string, page: number) =>
  queryOptions({
    queryKey: [...ACCOUNTS_KEY, search, page],
    queryFn: () => askAccount('listAccounts', { query: { search, page } }),
  })

export const serviceSettingsQuestion = queryOptions({
  queryKey: ['service-settings'],
  queryFn: () => askAccount('showServiceSettings', {}),
})

/** Saves settings of the service; what the screens know of it follows. */
export function useSaveServiceSettings(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ServiceSettingsPatch) => askAccount('updateServiceSettings', { body }),
    onSuccess: async (settings) => {
      onDone()
      queries.setQueryData(serviceSettingsQuestion.queryKey, settings)
      await queries.invalidateQueries(waysInQuestion)
    },
  })
}
