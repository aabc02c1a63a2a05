import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../support/service.ts'
import { arrived } from '../support/smtp-receiver.ts'
import { until } from '../support/until.ts'
import {
  askForReset,
  lettersOf,
  mailOf,
  sendNow,
  startBusyReceiver,
  untilPutOff,
} from '../support/waiting-letters.ts'

test('a letter survives the service being killed, and arrives once', async (t) => {
  const { smtp, state } = await startBusyReceiver(t)
  const service = await startTestService({ ROLES: 'api,alerts', ...mailOf(smtp) })
  t.after(() => service.close())
  await askForReset(service)
  await untilPutOff(service)
  await service.letGo()
  await service.signal('SIGKILL')
  state.takes = true
  await service.start()
  await service.takeUp()
  await sendNow(service)
  await until('the letter arrives', () => smtp.mails.length > 0)
  await until('the letter is forgotten', async () => (await lettersOf(service)).length === 0)
  assert.equal(arrived(smtp).length, 1)
})
