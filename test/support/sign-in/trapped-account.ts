import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { DAY_MS } from '../../../src/core/history/history-span.ts'
import { insertAuthenticator } from '../../../src/store/sign-in/authenticators.ts'
import { insertGrant } from '../../../src/store/sign-in/oauth-grants.ts'
import { insertPasskey } from '../../../src/store/sign-in/passkeys.ts'
import { addRow, ago, changeRows } from '../records/rows.ts'
import type { AskedService } from '../services/asked-service.ts'
import { PASSWORD, type Person } from '../services/people.ts'
import { openBrowser } from './cookie-browser.ts'

/** Everything that an attacker left in an account to get in again. */
export type Trap = {
  /** The traps that still work or still exist, in alphabetical order. */
  left(): Promise<string[]>
}

export const WHOLE_TRAP = ['app', 'invitation', 'passkey', 'password', 'program', 'session', 'token']

/** Puts every way in into the account of `person`, who is a member of the team and stays signed in. */
export async function setTrap(service: AskedService, person: Person, teamId: number): Promise<Trap> {
  const { db, vault, now } = service.services
  const { email } = person
  const { id: userId } = (await person.send('GET', '/auth/session')).body.data.user
  const token: string = (await person.data(teamId, 'POST', '/api-tokens', { name: 'Kept for later' })).token
  await insertPasskey(db.query, {
    userId,
    name: 'Kept for later',
    credentialId: `passkey of ${email}`,
    publicKey: Buffer.of(0),
    counter: 0,
    transports: [],
    createdAt: now(),
  })
  await insertAuthenticator(db.query, vault, userId, 'JBSWY3DPEHPK3PXP')
  await changeRows(db, 'authenticators', { user_id: userId }, { confirmed_at: now() })
  await addRow(db, 'invitations', {
    team_id: teamId,
    email: `friend of ${email}`,
    role: 'owner',
    link_hash: randomBytes(32),
    letter_hash: randomBytes(32),
    invited_by: userId,
    created_at: now(),
    expires_at: ago(-DAY_MS),
  })
  const inAnHour = new Date(now().getTime() + 3_600_000)
  const clientId = `program of ${email}`
  await addRow(db, 'oauth_clients', { id: clientId, name: 'P', redirect_uris: [], created_at: now() })
  await insertGrant(
    db.query,
    { clientId, userId, teamId, resource: 'mcp', access: 'write' },
    'Kept for later',
    {
      accessHash: Buffer.from(`access of ${email}`),
      ending: 'last',
      accessExpiresAt: inAnHour,
      refreshHash: Buffer.from(`refresh of ${email}`),
      refreshExpiresAt: inAnHour,
    },
  )

  const count = async (table: string, where = 'user_id = $1') => {
    const { rows } = await db.pool.query(`SELECT count(*)::int AS count FROM ${table} WHERE ${where}`, [
      userId,
    ])
    return rows[0].count > 0
  }
  const tried = async () => {
    const answer = await openBrowser(service.url).send('POST', '/auth/sign-in', { email, password: PASSWORD })
    // The service asks for a code only after the right password.
    return answer.status === 204 || answer.body.second_factor !== undefined
  }
  const trap = {
    async left() {
      const ways = {
        app: await count('authenticators'),
        invitation: await count('invitations', 'invited_by = $1'),
        passkey: await count('passkeys'),
        password: await tried(),
        program: await count('tokens', 'user_id = $1 AND resource IS NOT NULL AND revoked_at IS NULL'),
        session: await person.isSignedIn(),
        token: (await service.call(token, 'GET', '/team')).status === 200,
      }
      return Object.entries(ways)
        .filter(([, isThere]) => isThere)
        .map(([way]) => way)
    },
  }
  assert.deepEqual(await trap.left(), WHOLE_TRAP)
  return trap
}
