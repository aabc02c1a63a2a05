import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../src/core/errors.ts'
import { hashNewPassword, hashPassword, verifyPassword } from '../../src/operations/sign-in/passwords.ts'
import { forClient } from '../../src/operations/sign-in/throttle.ts'
import { clientOf } from '../support/sign-in/client-of.ts'

test('a password is known by its hash, and another one is not', async () => {
  const stored = await hashPassword('correct horse')
  assert.equal(await verifyPassword('correct horse', stored), true)
  assert.equal(await verifyPassword('correct house', stored), false)
})

/** The least work that Argon2 takes, which waits for its turn as any does. */
const CHEAP = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

test('a client with many passwords is refused some, and keeps no other client from signing in', async () => {
  const ended: string[] = []
  const many = Array.from({ length: 120 }, () =>
    forClient(
      () => clientOf('hostile'),
      () => verifyPassword('correct horse', CHEAP),
    ).then(
      () => ended.push('hashed'),
      (error) => {
        assert.ok(error instanceof Refusal && error.code === 'unavailable')
        ended.push('refused')
      },
    ),
  )
  for (const _ of [1, 2]) {
    assert.equal(
      await forClient(
        () => clientOf('quiet'),
        () => verifyPassword('correct horse', CHEAP),
      ),
      false,
    )
  }
  assert.ok(ended.includes('refused'), 'no more wait than may')
  assert.ok(ended.filter((one) => one === 'hashed').length < 90, 'the quiet one waited for few of them')
  await Promise.all(many)
})

test('a client with many new passwords keeps no other client from setting one', async () => {
  let many = 0
  const set = (password: string) => hashNewPassword({ siteUrl: 'https://upbeat.example' }, password, [])
  const hostile = Array.from({ length: 12 }, (_, number) =>
    forClient(
      () => clientOf('hostile'),
      () => set(`walnut harbor ${number} tombola`),
    ).then(() => many++),
  )
  await forClient(
    () => clientOf('quiet'),
    () => set('zebra violin quartz tomb'),
  )
  assert.ok(many < 8, `the quiet one waited for few of them, not for ${many}`)
  await Promise.all(hostile)
})
