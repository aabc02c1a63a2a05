import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookUpTxt } from '../../src/net/names/txt-records.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'

const LONG = 'x'.repeat(300)

test('the texts at a name are found whole; only an answer says that there are none', async (t) => {
  const server = await startDnsServer(t, {
    'one.example': { txt: ['a value', LONG] },
    'none.example': [],
    'broken.example': 'SERVFAIL',
    'refused.example': 'REFUSED',
  })
  const found = (name: string) => lookUpTxt(name, [server.address])
  assert.deepEqual((await found('one.example'))?.sort(), ['a value', LONG])
  assert.deepEqual(await found('none.example'), [])
  assert.deepEqual(await found('unknown.example'), [])
  assert.equal(await found('broken.example'), null)
  assert.equal(await found('refused.example'), null)
  assert.equal(await lookUpTxt('one.example', ['127.0.0.1:1']), null)
  assert.ok(server.questions.includes('one.example TXT'))
})
