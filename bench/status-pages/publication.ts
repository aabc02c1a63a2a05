import { pageChanged } from '../../src/store/status-pages/pages.ts'
import { insertSubscriber } from '../../src/store/status-pages/subscribers.ts'
import { writePost } from '../../src/store/status-pages/written-posts.ts'
import { startSmtpReceiver } from '../../test/support/servers/smtp-receiver.ts'
import { storePage } from '../../test/support/status-pages/stored-pages.ts'
import { until } from '../../test/support/until.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { restart, type SeededService, startSeededService, untilChecking } from '../support/seeded-service.ts'
import { percentile } from '../support/statistics.ts'
import { alone, compare, type Row } from '../support/table.ts'
import { watchOutages } from './outage-latency.ts'

const SUBSCRIBERS = 10_000
const MADE_AT_ONCE = 50
/** Milliseconds for each second of idling that others are watched for. */
const WATCHED_FOR = 3_000

/** Alerts while a status page tells 10,000 subscribers by mail, to a real SMTP server, beside the same without. */
export async function benchPublication(scope: Scope, options: Options): Promise<Row[]> {
  progress('publication: starting the service')
  let received = 0
  const smtp = await startSmtpReceiver(scope, {
    onData(stream, _session, done) {
      stream.resume().once('end', () => {
        received++
        done()
      })
    },
  })
  const seeded = await startSeededService(scope, { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
  const causeOutages = await watchOutages(scope, seeded)
  const pageId = await addPage(seeded)
  await restart(seeded.service)
  await untilChecking(seeded.service)
  progress('publication: outages without one')
  const quiet = await causeOutages()
  progress(`publication: outages beside one to ${SUBSCRIBERS} subscribers`)
  const began = performance.now()
  await publish(seeded, pageId)
  const isUnderWay = () =>
    received < SUBSCRIBERS && performance.now() - began < options.idleSeconds * WATCHED_FOR
  const told = until('it is over or was watched for long enough', () => !isUnderWay()).then(
    () => received / ((performance.now() - began) / 1_000),
  )
  const [busy, perSecond] = await Promise.all([causeOutages(isUnderWay), told])
  const name = `Publication to ${SUBSCRIBERS.toLocaleString('en-US')} subscribers by mail`
  return [
    alone(`${name}: messages`, '/s', [perSecond]),
    ...[0.5, 0.99].map((p) =>
      compare(
        `${name}: failing answer to webhook, p${p * 100} of ${busy.length}`,
        'ms',
        'the same without it',
        [{ ours: percentile(busy, p), reference: percentile(quiet, p) }],
      ),
    ),
  ]
}

async function addPage({ service, team }: SeededService): Promise<number> {
  const { db, vault } = service.services
  const { id: pageId } = await storePage(service.services, team.id, { slug: 'bench-publication' })
  progress(`creating ${SUBSCRIBERS} subscribers`)
  for (let made = 0; made < SUBSCRIBERS; made += MADE_AT_ONCE) {
    const some = Array.from({ length: MADE_AT_ONCE }, (_, index) =>
      insertSubscriber(db.query, vault, {
        ...{ pageId, teamId: team.id, type: 'email', token: crypto.randomUUID(), componentIds: null },
        ...{ address: `reader${made + index}@example.com`, confirmedAt: new Date() },
      }),
    )
    await Promise.all(some)
  }
  return pageId
}

async function publish({ service, team }: SeededService, pageId: number): Promise<void> {
  const now = new Date()
  const post = {
    pageId,
    kind: 'incident' as const,
    title: 'Outage',
    scheduledFor: null,
    scheduledUntil: null,
  }
  const update = {
    phase: 'investigating' as const,
    body: 'We look into it.',
    impacts: [],
    notifies: true,
    at: now,
  }
  await service.services.db.query.transaction().execute(async (query) => {
    await writePost(query, team.id, { ...post, publishedAt: now }, update)
    await pageChanged(query, team.id, pageId)
  })
}
