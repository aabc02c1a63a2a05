import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retainGrants } from '../../../src/engine/history/retain-grants.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addRow } from '../../support/records/rows.ts'
import { addPerson, addTeam, addTokens } from '../../support/records/teams.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

test('grants that programs no longer use go after their time, and nothing else', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const team_id = await addTeam(db, { plan: 'pro' })
  const user_id = await addPerson(db)
  const day = (text: string) => new Date(`${text}T00:00:00Z`)
  const client = (id: string, created: string, used: string | null) =>
    addRow(db, 'oauth_clients', {
      id,
      name: 'x',
      redirect_uris: [],
      created_at: day(created),
      last_used_at: used === null ? null : day(used),
    })
  await client('new', '2026-11-20', null)
  await client('never used', '2026-11-13', null)
  await client('used', '2025-01-01', '2026-09-01')
  await client('used long ago', '2025-01-01', '2026-08-01')
  const grant = (name: string, client_id: string, expires: string, revoked?: string) => ({
    team_id,
    user_id,
    name,
    client_id,
    resource: 'mcp' as const,
    expires_at: day(expires),
    revoked_at: revoked === undefined ? null : day(revoked),
  })
  const [, good = 0] = await addTokens(db, [
    { team_id, user_id, name: 'made by hand', expires_at: day('2020-01-01') },
    grant('good', 'used', '2026-12-01'),
    grant('of a program that is gone', 'used long ago', '2026-11-01'),
    grant('expired', 'used', '2026-10-21'),
    { ...grant('revoked', 'used', '2026-12-01', '2026-10-01'), resource: 'api' },
  ])
  for (const [name, ends] of [
    ['last month', '2026-10-01'],
    ['this month', '2026-11-10'],
  ] as const) {
    const times = { expires_at: day(ends), used_at: day(ends) }
    await addRow(db, 'oauth_refresh_tokens', { token_hash: Buffer.from(name), token_id: good, ...times })
  }
  const code = { client_id: 'used', user_id, team_id, redirect_uri: 'x', challenge: 'x' }
  for (const [name, expires] of [
    ['old', '2026-11-20T11:59:00Z'],
    ['fresh', '2026-11-21T11:59:00Z'],
  ] as const) {
    await addRow(db, 'oauth_codes', {
      ...code,
      code_hash: Buffer.from(name),
      resource: 'mcp',
      access: 'read',
      expires_at: new Date(expires),
    })
  }

  for await (const _ of retainGrants({ db, now: () => NOW }));

  const left = async (text: string) =>
    (await db.pool.query<{ name: string }>(text)).rows.map(({ name }) => name)
  assert.deepEqual(await left('SELECT id AS name FROM oauth_clients ORDER BY 1'), ['new', 'used'])
  assert.deepEqual(await left('SELECT name FROM tokens ORDER BY id'), [
    'made by hand',
    'good',
    'of a program that is gone',
  ])
  assert.deepEqual(await left(`SELECT convert_from(token_hash, 'UTF8') AS name FROM oauth_refresh_tokens`), [
    'this month',
  ])
  assert.deepEqual(await left(`SELECT convert_from(code_hash, 'UTF8') AS name FROM oauth_codes`), ['fresh'])
})
