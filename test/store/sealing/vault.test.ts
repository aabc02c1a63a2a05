import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Vault } from '../../../src/store/sealing/vault.ts'

const PURPOSE = 'monitors.password'
const ROW = 7

test('any sealed text opens again', () => {
  const vault = new Vault('a secret')
  for (const text of ['', 'hunter2', 'Ünïcødé 🔐\n', 'x'.repeat(100_000)]) {
    assert.equal(vault.open(vault.seal(text, PURPOSE, ROW), PURPOSE, ROW), text)
  }
})

test('the same secret gives another process the same key, and each sealing another text', () => {
  const sealed = new Vault('a secret').seal('hunter2', PURPOSE, ROW)
  assert.equal(new Vault('a secret').open(sealed, PURPOSE, ROW), 'hunter2')
  assert.notEqual(new Vault('a secret').seal('hunter2', PURPOSE, ROW), sealed)
  assert.ok(!sealed.includes('hunter2'))
})

test('a sealed value does not open for another purpose', () => {
  const vault = new Vault('a secret')
  const sealed = vault.seal('hunter2', PURPOSE, ROW)
  assert.throws(() => vault.open(sealed, 'contacts.config', ROW), /authenticate/)
})

test('a changed byte anywhere in the sealed body is noticed', () => {
  const vault = new Vault('a secret')
  const [version, keyId, body = ''] = vault.seal('hunter2', PURPOSE, ROW).split('.')
  const bytes = Buffer.from(body, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    const sealed = `${version}.${keyId}.${changed.toString('base64url')}`
    assert.throws(() => vault.open(sealed, PURPOSE, ROW), /authenticate/, `byte ${at}`)
  }
})

test('a value that was cut short does not open', () => {
  const vault = new Vault('a secret')
  const sealed = vault.seal('hunter2', PURPOSE, ROW)
  for (const length of [sealed.length - 1, 30, 12, 0]) {
    assert.throws(() => vault.open(sealed.slice(0, length), PURPOSE, ROW), `${length} characters`)
  }
})

test('a value of another key says which setting is wrong', () => {
  const sealed = new Vault('the old secret').seal('hunter2', PURPOSE, ROW)
  const keyId = sealed.split('.')[1]
  assert.throws(() => new Vault('the new secret').open(sealed, PURPOSE, ROW), {
    message: `a stored secret was sealed with another key (${keyId}): set SECRET_KEY, or SECRET_KEY_PREVIOUS, to it`,
  })
})

test('after a rotation every key opens and the newest seals', () => {
  const oldest = new Vault('first')
  const older = new Vault('second', ['first'])
  const current = new Vault('third', ['second', 'first'])
  const values = [oldest, older, current].map((vault) => vault.seal('hunter2', PURPOSE, ROW))
  for (const sealed of values) assert.equal(current.open(sealed, PURPOSE, ROW), 'hunter2')
  assert.deepEqual(
    values.map((sealed) => current.currentPrefixes.some((prefix) => sealed.startsWith(prefix))),
    [false, false, true],
  )
})

test('a sealed value does not open in another row', () => {
  const vault = new Vault('a secret')
  const sealed = vault.seal('hunter2', PURPOSE, ROW)
  for (const other of [ROW + 1, null, '77']) {
    assert.throws(() => vault.open(sealed, PURPOSE, other), /authenticate/, String(other))
  }
  assert.throws(() => vault.open(sealed.replace('v2', 'v1'), PURPOSE, ROW), /authenticate/)
})

test('a value bound to its purpose alone opens in every row, and has to be sealed again', () => {
  const vault = new Vault('a secret')
  const sealed = vault.seal('hunter2', PURPOSE, null)
  assert.equal(vault.open(sealed, PURPOSE, ROW), 'hunter2')
  assert.equal(
    vault.currentPrefixes.some((prefix) => sealed.startsWith(prefix)),
    false,
  )
  assert.throws(() => vault.open(sealed.replace('v1', 'v2'), PURPOSE, ROW), /authenticate/)
})

test('until the day comes values are not bound, so that an older release can open them', () => {
  let now = new Date('2026-11-22T12:00:00Z')
  const from = new Date('2026-11-23T12:00:00Z')
  const vault = new Vault('a secret', [], { from, now: () => now, hides: () => false })
  const early = vault.seal('hunter2', PURPOSE, ROW)
  assert.match(early, /^v1\./)
  assert.deepEqual([vault.bindsToRows, vault.bindsFrom], [false, from])
  const bound = new Vault('a secret').seal('hunter2', PURPOSE, ROW)
  assert.ok([early, bound].every((sealed) => vault.open(sealed, PURPOSE, ROW) === 'hunter2'))
  assert.ok(
    [early, bound].every((sealed) => vault.currentPrefixes.some((prefix) => sealed.startsWith(prefix))),
  )
  now = from
  assert.match(vault.seal('hunter2', PURPOSE, ROW), /^v2\./)
  assert.deepEqual([vault.bindsToRows, vault.bindsFrom], [true, null])
  assert.equal(
    vault.currentPrefixes.some((prefix) => early.startsWith(prefix)),
    false,
  )
})

test('a signature holds for its text and purpose, by this key and those before it, and for nothing else', () => {
  const vault = new Vault('a secret')
  const signature = vault.sign('m812-17', 'acknowledge')
  assert.match(signature, /^[0-9a-f]{32}$/)
  assert.ok(vault.isSigned('m812-17', 'acknowledge', signature))
  assert.ok(new Vault('the next secret', ['a secret']).isSigned('m812-17', 'acknowledge', signature))
  assert.ok(!new Vault('the next secret').isSigned('m812-17', 'acknowledge', signature))
  assert.ok(!vault.isSigned('m812-18', 'acknowledge', signature))
  assert.ok(!vault.isSigned('m812-17', 'unsubscribe', signature))
  for (let at = 0; at < signature.length; at++) {
    const other = signature[at] === '0' ? '1' : '0'
    const changed = `${signature.slice(0, at)}${other}${signature.slice(at + 1)}`
    assert.ok(!vault.isSigned('m812-17', 'acknowledge', changed), `digit ${at}`)
  }
  for (const wrong of ['', signature.slice(2), `${signature}00`, 'no hexadecimal digits at all, but 32'])
    assert.ok(!vault.isSigned('m812-17', 'acknowledge', wrong))
})
