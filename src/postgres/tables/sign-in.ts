import type { Generated } from 'kysely'
import type { GrantAccess, Resource } from '../../core/sign-in/oauth.ts'

export type SignInTables = {
  password_links: { token_hash: Buffer; user_id: number; expires_at: Date; is_mailed: Generated<boolean> }
  authenticators: {
    id: Generated<number>
    user_id: number
    secret: string
    confirmed_at: Date | null
    last_step: number | null
  }
  recovery_codes: { user_id: number; code_hash: Buffer }
  passkeys: {
    id: Generated<number>
    user_id: number
    name: string
    credential_id: string
    public_key: Buffer
    counter: number
    transports: string[]
    created_at: Date
    last_used_at: Date | null
  }
  passkey_challenges: { challenge_hash: Buffer; user_id: number | null; expires_at: Date }
  identities: { issuer: string; subject: string; user_id: number; created_at: Date }
  sign_ups: { token_hash: Buffer; email: string; name: string; password_hash: string; expires_at: Date }
  sessions: {
    id: Generated<number>
    user_id: number
    team_id: number | null
    token_hash: Buffer
    address: string
    user_agent: string
    created_at: Date
    last_used_at: Date
    expires_at: Date
  }
  tokens: {
    id: Generated<number>
    team_id: number | null
    user_id: number
    name: string
    token_hash: Buffer
    ending: string
    created_at: Generated<Date>
    last_used_at: Date | null
    expires_at: Date | null
    revoked_at: Date | null
    client_id: string | null
    resource: Resource | null
    access: GrantAccess | null
    access_expires_at: Date | null
    last_used_from: string | null
    last_used_by: string | null
  }
  oauth_clients: {
    id: string
    name: string
    redirect_uris: string[]
    created_at: Date
    described_at: Date | null
    last_used_at: Date | null
  }
  oauth_codes: {
    code_hash: Buffer
    client_id: string
    user_id: number
    team_id: number
    redirect_uri: string
    challenge: string
    resource: Resource
    access: GrantAccess
    expires_at: Date
    token_id: number | null
  }
  oauth_refresh_tokens: { token_hash: Buffer; token_id: number; expires_at: Date; used_at: Date | null }
}
