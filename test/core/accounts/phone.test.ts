import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PersonPatch } from '../../../src/core/accounts/account.ts'
import { parseFields } from '../../../src/core/validation.ts'

const read = (phone: unknown) => parseFields(PersonPatch, { phone })

test('a phone number is taken as people write it, and kept as programs dial it', () => {
  const written: [string, string][] = [
    ['+15558675310', '+15558675310'],
    [' +49 (0)30 90-18 20 ', '+4930901820'],
    ['+1 (555) 867‑5310', '+15558675310'],
    ['+44.20.7946.0958', '+442079460958'],
    ['+49 30/901820', '+4930901820'],
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
  ]
  for (const [phone, kept] of written)
    assert.deepEqual(read(phone), { ok: true, value: { phone: kept } }, phone)
  assert.deepEqual(read(null), { ok: true, value: { phone: null } })
})

test('what is no number with its country is refused', () => {
  for (const phone of [
    '030 901820',
    '0049 30 901820',
    '+0301234567',
    '+123456',
    '+1234567890123456',
    '+49 30 x',
    ' ',
  ]) {
    const { ok } = read(phone)
    assert.equal(ok, false, phone)
  }
  const refused = read('030 901820')
  assert.deepEqual(!refused.ok && refused.errors, {
    phone: ['phone must be a number such as +15558675310, got "030901820"'],
  })
})
