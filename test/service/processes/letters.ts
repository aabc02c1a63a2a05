import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { arrived } from '../../support/servers/smtp-receiver.ts'
import { startTestService } from '../../support/services/service.ts'
import {
  askForReset,
  lettersOf,
  mailOf,
  sendNow,
  startBusyReceiver,
  untilPutOff,
} from '../../support/sign-in/waiting-letters.ts'
import { until } from '../../support/until.ts'

export async function assertLetterSurvives(t: TestContext): Promise<void> {
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
}
