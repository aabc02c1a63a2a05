import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { crashRandom } from '../../support/crash-seed.ts'
import { addSubscriber } from '../../support/records/status-pages.ts'
import { startSmtpReceiver } from '../../support/servers/smtp-receiver.ts'
import { peopleOf, type Team } from '../../support/services/people.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { storePage } from '../../support/status-pages/stored-pages.ts'
import { until } from '../../support/until.ts'

const ADDED_AT_ONCE = 50
/** Long enough for the request that publishes to be read, judged and written. */
const MAX_PUBLISHING_MS = 60

/**
 * A post is published to so many subscribers while the service is killed again and again: at first in the middle of the
 * request, later among the mails. Everybody is told, always by the same message.
 */
export async function assertPublicationSurvives(
  t: TestContext,
  { subscribers, kills }: { subscribers: number; kills: number },
): Promise<void> {
  const random = crashRandom(t)
  const smtp = await startSmtpReceiver(t)
  const service = await startTestService({ ROLES: 'api,alerts', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
  t.after(() => service.close())
  const team = await peopleOf(service).team()
  const { services } = service
  const { id: pageId } = await storePage(services, team.id, { slug: 'crashing' })
  for (let added = 0; added < subscribers; added += ADDED_AT_ONCE) {
    const of = { pageId, teamId: team.id }
    const some = Math.min(ADDED_AT_ONCE, subscribers - added)
    await Promise.all(Array.from({ length: some }, () => addSubscriber(services.db, services.vault, of)))
  }
  await team.owner.signIn()
  await service.letGo()

  const publishing = publish(team, pageId).catch(() => null)
  await delay(random() * MAX_PUBLISHING_MS)
  await killAndStart(service)
  await publishing
  const posts = await team.owner.data(team.id, 'GET', `/status-pages/${pageId}/posts`)
  if (posts.length === 0) await publish(team, pageId)
  for (let kill = 1; kill < kills; kill++) {
    const enough =
      smtp.mails.length + random() * ((2 * (subscribers - smtp.mails.length)) / (kills - kill + 1))
    await until('some mails', () => smtp.mails.length >= Math.min(enough, subscribers))
    await killAndStart(service)
  }
  await service.takeUp()
  const open = async () => {
    const { rows } = await service.services.db.pool.query(
      `SELECT count(*)::int AS count FROM status_notices WHERE state <> 'sent'`,
    )
    return rows[0].count
  }
  await until('all to be told', async () => (await open()) === 0)
  const idsOf = new Map<string, Set<string | undefined>>()
  for (const { to, headers } of smtp.mails) {
    const [address = ''] = to
    idsOf.set(address, (idsOf.get(address) ?? new Set()).add(headers.get('message-id')))
  }
  t.diagnostic(`${subscribers} subscribers, ${kills} kills, ${smtp.mails.length} mails`)
  assert.equal(idsOf.size, subscribers, 'everybody is told')
  assert.ok(
    idsOf.values().every((ids) => ids.size === 1),
    'nobody is told by two messages',
  )
  assert.equal(new Set(smtp.mails.map(({ headers }) => headers.get('message-id'))).size, subscribers)
}

async function killAndStart(service: TestService): Promise<void> {
  await service.signal('SIGKILL')
  await service.start()
}

function publish({ id, owner }: Team, pageId: number) {
  const update = { phase: 'investigating', body: 'We look into it.' }
  return owner.data(id, 'POST', `/status-pages/${pageId}/posts`, {
    kind: 'incident',
    title: 'Outage',
    update,
  })
}
