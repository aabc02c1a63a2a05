import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import type { Query } from '../../postgres/database.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import { readSigningSecret, updateSigningSecret } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'

export const showSigningSecret: Implementation<'showSigningSecret'> = {
  async perform({ db, vault }, { actor }) {
    const secret = await readSigningSecret(db.query, vault, actor.teamId)
    if (secret === null) throw new Refusal('notFound')
    return { body: { data: { signing_secret: secret } } }
  },
}

export const rotateSigningSecret: Implementation<'rotateSigningSecret'> = {
  async perform({ db, vault }, { actor }) {
    const secret = await renewSigningSecret(db.query, vault, actor.teamId)
    if (secret === null) throw new Refusal('notFound')
    return { body: { data: { signing_secret: secret } } }
  },
}

/** Replaces a team's secret; null when there is no such team. */
export async function renewSigningSecret(query: Query, vault: Vault, teamId: number): Promise<string | null> {
  const secret = generateSigningSecret()
  return (await updateSigningSecret(query, vault, teamId, secret)) ? secret : null
}

/** A Standard Webhooks secret: 32 random bytes. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
