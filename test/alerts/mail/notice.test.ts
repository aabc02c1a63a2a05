import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createNoticeSender } from '../../../src/alerts/mail/notice.ts'
import type { Notice, NoticeUpdate } from '../../../src/core/status-pages/subscribers/notice.ts'
import { createNetwork, type NetworkOptions } from '../../../src/net/network.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import { replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { startSmtpReceiver } from '../../support/servers/smtp-receiver.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

reachPublicHere()

const UPDATE: NoticeUpdate = {
  id: 1,
  phase: 'investigating',
  body: 'We look.',
  at: new Date(0),
  components: [],
  post: {
    id: 1,
    kind: 'incident',
    title: 'Slow',
    startedAt: new Date(0),
    resolvedAt: null,
    scheduledFor: null,
    scheduledUntil: null,
  },
}

test('webhooks of subscribers are judged by deny when they are dialled, whatever members may name', async (t) => {
  const receiver = await startReceiver(t, replyWith(302, '', { location: '/elsewhere' }))
  const hostsFile = join(temporaryFolder(t), 'hosts')
  await writeFile(hostsFile, '127.0.0.1 inside.example\n')
  const sendTo = (
    address: string,
    privateTargets: NetworkOptions['privateTargets'],
    update: Notice['update'] = null,
  ) => {
    const send = createNoticeSender({
      network: createNetwork({ privateTargets, hostsFile, nameServers: ['127.0.0.1:1'] }),
      mail: null,
      siteUrl: 'https://up.example.com',
      renderBody: (text) => text,
      now: () => new Date(),
    })
    const page = { id: 1, name: 'Shop', url: 'https://up.example.com/status/shop' }
    const token = 'a-token-of-its-own'
    const notice: Notice = { type: 'webhook', address, token, language: 'en', page, update }
    return send(notice, crypto.randomUUID(), new AbortController().signal)
  }
  for (const setting of ['deny', 'allow'] as const)
    for (const update of [null, UPDATE]) {
      const byAddress = await sendTo(`http://127.0.0.1:${receiver.port}/hook`, setting, update)
      assert.deepEqual([byAddress.kind, byAddress.detail], ['rejected', 'address 127.0.0.1 is not allowed'])
      const here = await sendTo(`http://localhost:${receiver.port}/hook`, setting, update)
      assert.deepEqual([here.kind, here.detail], ['rejected', 'address ::1 is not allowed'])
      const byName = await sendTo(`http://inside.example:${receiver.port}/hook`, setting, update)
      assert.equal(byName.kind, 'retry', 'it may lead elsewhere later')
      assert.equal(byName.detail, 'address 127.0.0.1 is not allowed')
    }
  assert.equal(receiver.requests.length, 0)
  // Nor does a redirect lead there: it is not followed.
  await sendTo(atPublicAddress(`http://127.0.0.1:${receiver.port}/hook`), 'allow')
  assert.deepEqual(
    receiver.requests.map(({ path }) => path),
    ['/hook'],
  )
})

test('a mail about an incident names its phase and its components, or says that none is named', async (t) => {
  const smtp = await startSmtpReceiver(t)
  const siteUrl = 'https://up.example.com'
  const send = createNoticeSender({
    network: createNetwork({ privateTargets: 'allow' }),
    mail: { smtpUrl: `smtp://127.0.0.1:${smtp.port}`, from: 'up@example.com', name: 'up.example.com' },
    siteUrl,
    renderBody: (text) => text,
    now: () => new Date(),
  })
  const page = { id: 1, name: 'Shop', url: `${siteUrl}/status/shop` }
  const named = { id: 1, name: 'Search', state: 'major_outage' } as const
  for (const update of [UPDATE, { ...UPDATE, components: [named] }]) {
    const to = { type: 'email', address: 'a@example.com', token: 'its-own', language: 'en', page } as const
    await send({ ...to, update }, crypto.randomUUID(), new AbortController().signal)
  }
  const [silent, saying] = smtp.mails
  for (const seen of [silent?.text, silent?.html]) {
    assert.match(seen ?? '', /Investigating · 1970-01-01[\s\S]*No affected component is named\./)
    assert.doesNotMatch(seen ?? '', /Operational/)
  }
  assert.match(saying?.text ?? '', /Affected: Search \(Major outage\)/)
  assert.doesNotMatch(saying?.text ?? '', /No affected component/)
})
