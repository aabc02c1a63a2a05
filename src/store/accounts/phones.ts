import type { Query } from '../../postgres/database.ts'
import type { Vault } from '../sealing/vault.ts'

export const SEALED_PHONE = 'users.sealed_phone'

/** Phone numbers as stored: in the clear where addresses and numbers are not hidden yet. */
export type StoredPhone = { phone: string | null; sealed_phone: string | null }

export function sealPhone(phone: string | null, userId: number, vault: Vault): StoredPhone {
  if (phone === null || !vault.hides) return { phone, sealed_phone: null }
  return { phone: null, sealed_phone: vault.seal(phone, SEALED_PHONE, userId) }
}

/** A number in the clear is the newer one: a process of the release before writes no other. */
export function openPhone(
  { phone, sealed_phone: sealed }: StoredPhone,
  userId: number,
  vault: Vault,
): string | null {
  return phone ?? (sealed && vault.open(sealed, SEALED_PHONE, userId))
}

export async function readPhone(query: Query, vault: Vault, userId: number): Promise<string | null> {
  const row = await query
    .selectFrom('users')
    .select(['phone', 'sealed_phone'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ? openPhone(row, userId, vault) : null
}
