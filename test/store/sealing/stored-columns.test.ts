import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { encryptedColumns } from '../../support/postgres/encrypted-columns.ts'
import { columnsOfKind, STORED } from '../../support/postgres/stored-columns.ts'
import { suiteScope } from '../../support/scope.ts'

/** PKCE sends the hash of what the client keeps, as text. */
const TEXT_HASHES = [
  'oauth_codes.challenge',
  'sign_ups.password_hash',
  'status_pages.password_hash',
  'users.password_hash',
]

describe('the table of what is stored', () => {
  const scope = suiteScope()
  let columns: { name: string; type: string }[]

  before(async () => {
    const { db, close } = await openTestDatabase()
    scope.after(close)
    const { rows } = await db.pool.query(
      `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       ORDER BY 1`,
    )
    columns = rows
  })

  it('says of each column of each table what it holds, and of no other', () => {
    const said = Object.entries(STORED).flatMap(([table, holdings]) =>
      Object.values(holdings).flatMap((names) => names.split(' ').map((name) => `${table}.${name}`)),
    )
    assert.deepEqual(
      said.toSorted(),
      columns.map(({ name }) => name).toSorted(),
      'say what a new column holds',
    )
  })

  it('names those that the migrations call encrypted', async () => {
    assert.deepEqual(columnsOfKind('sealed').toSorted(), (await encryptedColumns()).toSorted())
  })

  it('names hashes that are bytes, or texts that are known to be hashes', () => {
    const typeOf = new Map(columns.map(({ name, type }) => [name, type]))
    const texts = columnsOfKind('hashed').filter((name) => typeOf.get(name) !== 'bytea')
    assert.deepEqual(texts.toSorted(), TEXT_HASHES)
    const named = columns
      .map(({ name }) => name)
      .filter((name) => /\.(password_|token_|link_|letter_|code_|mailbox_)hash$/.test(name))
    assert.deepEqual(
      named.filter((name) => !columnsOfKind('hashed').includes(name)),
      [],
    )
  })

  it('finds none that is named like a secret among those that anybody may read', () => {
    const readable = (['personal', 'words', 'heard', 'plain'] as const).flatMap(columnsOfKind)
    const suspicious = readable.filter((name) =>
      /secret|token|passw|phone|config|_key\b/.test(name.split('.')[1] ?? ''),
    )
    assert.deepEqual(suspicious.toSorted(), NO_SECRETS)
  })
})

/** References, numbers and public keys that are named like secrets. */
const NO_SECRETS = [
  'oauth_codes.token_id',
  'oauth_refresh_tokens.token_id',
  'passkeys.public_key',
  'probe_holdings.probe_token',
  'probe_sessions.probe_token',
  'probers.probe_token',
  'push_keys.public_key',
  'status_pages.password_revision',
]
