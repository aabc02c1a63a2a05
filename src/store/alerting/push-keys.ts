import { createECDH } from 'node:crypto'
import type { PushKeys } from '../../core/alerting/push-keys.ts'
import type { Query } from '../../postgres/database.ts'
import type { Vault } from '../sealing/vault.ts'

const PRIVATE_KEY = 'push_keys.private_key'
/** The one row. */
const ID = 1

/** The keys of this installation, which are made when they are first asked for: the same in all processes. */
export async function readOrCreatePushKeys(query: Query, vault: Vault): Promise<PushKeys> {
  const kept = await readPushKeys(query, vault)
  if (kept) return kept
  const made = createECDH('prime256v1')
  await query
    .insertInto('push_keys')
    .values({
      id: ID,
      public_key: made.generateKeys('base64url'),
      // A key that begins with zeros is shorter as a number.
      private_key: vault.seal(
        Buffer.from(made.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
        PRIVATE_KEY,
        ID,
      ),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Another process may have been first.
  const first = await readPushKeys(query, vault)
  if (!first) throw new Error('the keys for push services were not kept')
  return first
}

async function readPushKeys(query: Query, vault: Vault): Promise<PushKeys | null> {
  const row = await query.selectFrom('push_keys').select(['public_key', 'private_key']).executeTakeFirst()
  return row ? { publicKey: row.public_key, privateKey: vault.open(row.private_key, PRIVATE_KEY, ID) } : null
}
