import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNoticeSender } from '../../src/alerts/mail/notice.ts'
import type { Notice } from '../../src/core/status-pages/subscribers/notice.ts'
import { createNetwork, type NetworkOptions } from '../../src/net/network.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'

test('webhooks of subscribers are judged by the address that is dialed, whatever their names said before', async (t) => {
  const receiver = await startReceiver(t, replyWith(302, '', { location: '/elsewhere' }))
  const sendTo = (address: string, privateTargets: NetworkOptions['privateTargets']) => {
    const send = createNoticeSender({
      network: createNetwork({ privateTargets }),
      mail: null,
      siteUrl: 'https://up.example.com',
      renderBody: (text) => text,
      now: () => new Date(),
    })
    const page = { id: 1, name: 'Shop', url: 'https://up.example.com/status/shop' }
    const token = 'a-token-of-its-own'
    const notice: Notice = { type: 'webhook', address, token, language: 'en', page, update: null }
    return send(notice, crypto.randomUUID(), new AbortController().signal)
  }
  const byAddress = await sendTo(`http://127.0.0.1:${receiver.port}/hook`, 'deny')
  assert.deepEqual([byAddress.kind, byAddress.detail], ['rejected', 'address 127.0.0.1 is not allowed'])
  const byName = await sendTo(`http://localhost:${receiver.port}/hook`, 'deny')
  assert.equal(byName.kind, 'retry', 'it may lead elsewhere later')
  assert.match(byName.detail, /^address \S+ is not allowed$/)
  assert.equal(receiver.requests.length, 0)
  // Nor does a redirect lead there: it is not followed.
  await sendTo(`http://127.0.0.1:${receiver.port}/hook`, 'allow')
  assert.deepEqual(
    receiver.requests.map(({ path }) => path),
    ['/hook'],
  )
})
