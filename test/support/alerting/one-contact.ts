import assert from 'node:assert/strict'
import type { ContactConfig } from '../../../src/core/alerting/contact.ts'
import { createDeliverer } from '../../../src/engine/alerting/deliver.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { insertContact } from '../../../src/store/alerting/contacts.ts'
import type { Vault } from '../../../src/store/sealing/vault.ts'
import { insertTeam } from '../../../src/store/teams/teams.ts'

type Scope = { after: (close: () => Promise<void>) => void }
type Opened = { db: Database; vault: Vault; close: () => Promise<void> }
type Deliverer = ReturnType<typeof createDeliverer>
type DelivererDeps = Parameters<typeof createDeliverer>[0]

const HOOK = 'https://hooks.example/x'
export const CONFIGS = { slack: { webhook_url: HOOK }, webhook: { url: HOOK } }

/** A team with one contact, which hears of everything. */
export async function addOnlyContact(
  { db, vault }: Opened,
  type: Parameters<typeof insertContact>[3]['type'],
  config: ContactConfig,
): Promise<{ teamId: number; contactId: number }> {
  const teamId = await insertTeam(db.query, vault, { name: 'Acme', plan: 'business', signingSecret: '' })
  const contactId = await insertContact(db.query, vault, teamId, {
    ...{ name: 'Ops', type, config },
    ...{ notify_on_down: true, notify_on_recovery: true },
  })
  return { teamId, contactId }
}

/** Opens deliverers of alerts to it, none of which may have trouble. They are closed with the scope, and the database last. */
export function deliverersOf(
  scope: Scope,
  { db, vault, close }: Opened,
  deps: Pick<DelivererDeps, 'send' | 'sendGroup' | 'now'>,
): () => Deliverer {
  const troubles: unknown[] = []
  const loops: Deliverer[] = []
  scope.after(async () => {
    await Promise.all(loops.map((loop) => loop.close()))
    await close()
    assert.deepEqual(troubles, [])
  })
  return () => {
    const loop = createDeliverer({
      ...{ db, vault, ...deps },
      sendDigest: () => Promise.reject(new Error('no mail is sent here')),
      wantsAgreement: false,
      holder: crypto.randomUUID(),
      random: () => 0,
      onTrouble: (error) => troubles.push(error),
    })
    loops.push(loop)
    return loop
  }
}
