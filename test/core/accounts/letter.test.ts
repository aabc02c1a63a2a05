import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameInMail } from '../../../src/core/accounts/letter.ts'
import { mailboxName } from '../../../src/core/alerting/mailbox.ts'

test('a name in a letter is short, and holds nothing that becomes a link or a line', () => {
  for (const [name, shown] of [
    ['Acme', '“Acme”'],
    ['O’Brien & Söhne 2', '“O’Brien & Söhne 2”'],
    ['see evil.example', '“see evil example”'],
    ['https://evil.example/x?y=1@z', '“https evil example x y 1 z”'],
    ['Line\u2028two\u202e”. Ours', '“Line two Ours”'],
    ['日本チーム', '“日本チーム”'],
    ['x'.repeat(300), `“${'x'.repeat(39)}…”`],
    ['://.?', 'without a name'],
    ['', 'without a name'],
  ] as const) {
    assert.equal(nameInMail(name), shown)
  }
})

test('a mailbox is the same whatever its case and its tag, and no other one', () => {
  assert.equal(mailboxName('Ann+upbeat+2@Example.com'), 'ann@example.com')
  assert.equal(mailboxName('ann@example.com'), 'ann@example.com')
  assert.equal(mailboxName('"a@b"@example.com'), '"a@b"@example.com')
  assert.notEqual(mailboxName('ann@sub.example.com'), mailboxName('ann@example.com'))
})
