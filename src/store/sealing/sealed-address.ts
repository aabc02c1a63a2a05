import { plainPartOf } from '../../core/teams/access.ts'
import type { SealedRow, Vault } from './vault.ts'

/** An address as two columns: what anybody may read, and the whole, sealed; null where there is nothing to hide. */
export type StoredAddress = { plain: string; sealed: string | null }

/** An address without a query is stored as it is; until addresses are hidden, so is any other. */
export function sealAddress(address: string, purpose: string, row: SealedRow, vault: Vault): StoredAddress {
  const plain = plainPartOf(address)
  if (plain === address || !vault.hides) return { plain: address, sealed: null }
  return { plain, sealed: vault.seal(address, purpose, row) }
}

/**
 * The whole address. A process of the release before knows the plain column alone: an address that it wrote since stands
 * there, and what was sealed before belongs to another.
 */
export function openAddress(
  { plain, sealed }: StoredAddress,
  purpose: string,
  row: SealedRow,
  vault: Vault,
): string {
  if (sealed === null) return plain
  const whole = vault.open(sealed, purpose, row)
  return plainPartOf(whole) === plain ? whole : plain
}
