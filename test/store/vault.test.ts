import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Vault } from '../../src/store/vault.ts'

const PURPOSE = 'monitors.password'

test('what was sealed opens again, whatever it is', () => {
  const vault = new Vault('a secret')
  for (const text of ['', 'hunter2', 'Ünïcødé 🔐\n', 'x'.repeat(100_000)]) {
    assert.equal(vault.open(vault.seal(text, PURPOSE), PURPOSE), text)
  }
})

test('the same secret gives another process the same key, and each sealing another text', () => {
  const sealed = new Vault('a secret').seal('hunter2', PURPOSE)
  assert.equal(new Vault('a secret').open(sealed, PURPOSE), 'hunter2')
  assert.notEqual(new Vault('a secret').seal('hunter2', PURPOSE), sealed)
  assert.ok(!sealed.includes('hunter2'))
})

test('a sealed value does not open for another purpose', () => {
  const vault = new Vault('a secret')
  const sealed = vault.seal('hunter2', PURPOSE)
  assert.throws(() => vault.open(sealed, 'contacts.config'), /authenticate/)
})

test('a changed byte anywhere in the sealed body is noticed', () => {
  const vault = new Vault('a secret')
  const [version, keyId, body = ''] = vault.seal('hunter2', PURPOSE).split('.')
  const bytes = Buffer.from(body, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    const sealed = `${version}.${keyId}.${changed.toString('base64url')}`
    assert.throws(() => vault.open(sealed, PURPOSE), /authenticate/, `byte ${at}`)
  }
})

test('a value that was cut short does not open', () => {
  const vault = new Vault('a secret')
  const sealed = vault.seal('hunter2', PURPOSE)
  for (const length of [sealed.length - 1, 30, 12, 0]) {
    assert.throws(() => vault.open(sealed.slice(0, length), PURPOSE), `${length} characters`)
  }
})

test('a value of another key says which setting is wrong', () => {
  const sealed = new Vault('the old secret').seal('hunter2', PURPOSE)
  const keyId = sealed.split('.')[1]
  assert.throws(() => new Vault('the new secret').open(sealed, PURPOSE), {
    message: `a stored secret was sealed with another key (${keyId}): set SECRET_KEY, or SECRET_KEY_PREVIOUS, to it`,
  })
})

test('after a rotation every key opens and the newest seals', () => {
  const oldest = new Vault('first')
  const older = new Vault('second', ['first'])
  const current = new Vault('third', ['second', 'first'])
  const values = [oldest, older, current].map((vault) => vault.seal('hunter2', PURPOSE))
  for (const sealed of values) assert.equal(current.open(sealed, PURPOSE), 'hunter2')
  assert.deepEqual(
    values.map((sealed) => current.isStale(sealed)),
    [true, true, false],
  )
  assert.deepEqual(
    values.map((sealed) => sealed.startsWith(current.currentPrefix)),
    [false, false, true],
  )
})
