import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../src/core/errors.ts'
import { forClient } from '../../src/operations/sign-in/current-client.ts'
import { hashNewPassword, hashPassword, verifyPassword } from '../../src/operations/sign-in/passwords.ts'

test('a client with many passwords is refused some, and keeps no other client from signing in', async () => {
  const ended: string[] = []
  const many = Array.from({ length: 120 }, () =>
    forClient('hostile', () => hashPassword('correct horse')).then(
      () => ended.push('hashed'),
      (error) => {
        assert.ok(error instanceof Refusal && error.code === 'unavailable')
        ended.push('refused')
      },
    ),
  )
  const quiet = await forClient('quiet', () => hashPassword('correct horse'))
  assert.equal(await forClient('quiet', () => verifyPassword('correct horse', quiet)), true)
  assert.ok(ended.includes('refused'), 'no more wait than may')
  assert.ok(ended.filter((one) => one === 'hashed').length < 90, 'the quiet one waited for few of them')
  await Promise.all(many)
})

test('a client with many new passwords keeps no other client from setting one', async () => {
  let many = 0
  const set = (password: string) => hashNewPassword({ siteUrl: 'https://upbeat.example' }, password, [])
  const hostile = Array.from({ length: 30 }, (_, number) =>
    forClient('hostile', () => set(`walnut harbor ${number} tombola`)).then(() => many++),
  )
  await forClient('quiet', () => set('zebra violin quartz tomb'))
  assert.ok(many < 20, `the quiet one waited for few of them, not for ${many}`)
  await Promise.all(hostile)
})
