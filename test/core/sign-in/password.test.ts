import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Password, passwordFault } from '../../../src/core/sign-in/password.ts'
import { COMMON_PASSWORDS } from '../../../src/operations/sign-in/common-passwords.ts'

describe('a password that is being set', () => {
  const sizes: [password: string, isTaken: boolean][] = [
    ['1234567', false],
    ['12345678', true],
    ['😀'.repeat(7), false],
    ['😀'.repeat(8), true],
    ['😀'.repeat(1_024), true],
    ['😀'.repeat(1_025), false],
    ['pass\0word', false],
  ]
  for (const [password, isTaken] of sizes) {
    const { length } = [...password]
    test(`of ${length} code points (${JSON.stringify(password.slice(0, 8))}) is ${isTaken ? '' : 'not '}taken`, () => {
      assert.equal(Password.safeParse(password).success, isTaken)
    })
  }

  const ada = { email: 'ada.king@example.com', name: 'Ada Lovelace' }
  const guesses: [password: string, fault: RegExp | null][] = [
    ['password', /10,000 most common/],
    ['PassWord1', /10,000 most common/],
    ['ｐａｓｓｗｏｒｄ', /10,000 most common/],
    ['trustno1', /10,000 most common/],
    ['Ada Lovelace', /your name or your e-mail address/],
    ['ada-lovelace!', /your name or your e-mail address/],
    ['Ada.King', /your name or your e-mail address/],
    ['ada.king@example.com', /your name or your e-mail address/],
    ['adakingexamplecom', /your name or your e-mail address/],
    ['my ADA.KING@example.com 1', /your name or your e-mail address/],
    ['Ada Lovelace wrote the first program', null],
    ['correct horse battery staple', null],
    ['--------', null],
  ]
  for (const [password, fault] of guesses) {
    test(`${password} is ${fault ? 'refused' : 'taken'}`, () => {
      const found = passwordFault(password, ada, COMMON_PASSWORDS)
      if (fault) assert.match(found ?? '', fault)
      else assert.equal(found, null)
    })
  }

  test('is no worse for an account that is named by signs alone', () => {
    assert.equal(
      passwordFault('a good password', { email: '-@x.example', name: '…' }, COMMON_PASSWORDS),
      null,
    )
  })
})

test('the common passwords are those that are long enough, each once, as they are compared', () => {
  assert.ok(COMMON_PASSWORDS.size > 3_000 && COMMON_PASSWORDS.size < 10_000, String(COMMON_PASSWORDS.size))
  const odd = [...COMMON_PASSWORDS].filter(
    (word) => !Password.safeParse(word).success || word !== word.normalize('NFKC').toLowerCase(),
  )
  assert.deepEqual(odd, [])
})
