import { startReceiver } from '../test/support/servers/receivers.ts'
import { startSwitchTarget } from '../test/support/servers/switch-target.ts'
import { startTestService, type TestService } from '../test/support/services/service.ts'
import { teamClient } from '../test/support/services/team-client.ts'
import { until } from '../test/support/until.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { alone, type Row } from './support/table.ts'

const MONITORS = 20
/** Promised: checks go on within 5 s. */
const ALONE = `Killed, ${MONITORS} monitors at 1 s: ready to the first check`
/** Promised: both go on within 10 s, because what a killed process held must lapse. */
const BESIDE = `Killed, while others use the database: ready to`

/** A service that is killed and started again, alone and beside a process that uses its database. */
export async function benchTakeover(scope: Scope): Promise<Row[]> {
  progress('restart: starting a service to kill')
  const service = await startTestService({ DATABASE_URL: '' })
  scope.after(() => service.close())
  const client = await teamClient(service)
  const target = await startSwitchTarget(scope)
  for (let i = 0; i < MONITORS; i++) {
    const { id } = await client.monitor({ url: target.url })
    await client.untilStatus(id, 'up')
  }

  progress('restart: killing it')
  await service.letGo()
  await service.signal('SIGKILL')
  await service.start()
  const aloneMs = Date.now()
  await service.takeUp()
  const toCheckAlone = (await firstCheckSince(service, aloneMs)) - aloneMs

  progress('restart: killing it with a message under way')
  let sentAgainMs = 0
  const receiver = await startReceiver(scope, (response) => {
    // Messages that the service sends before it is killed get no answer.
    if (receiver.requests.length === 1) return
    sentAgainMs ||= Date.now()
    response.writeHead(204).end()
  })
  const contact = await client.webhook(receiver)
  const broken = await startSwitchTarget(scope, 503)
  await client.monitor({ url: broken.url, notification_contact_ids: [contact.id] })
  await until('the message to arrive', () => receiver.requests.length === 1)
  await service.signal('SIGKILL')
  await service.start()
  const besideMs = Date.now()
  const toCheckBeside = (await firstCheckSince(service, besideMs)) - besideMs
  await until('the message to arrive again', () => sentAgainMs > 0)
  return [
    alone(ALONE, 's', [toCheckAlone / 1_000]),
    alone(`${BESIDE} the first check`, 's', [toCheckBeside / 1_000]),
    alone(`${BESIDE} the message that was under way`, 's', [(sentAgainMs - besideMs) / 1_000]),
  ]
}

function firstCheckSince({ services }: TestService, ms: number): Promise<number> {
  return until('a check', async () => {
    const { rows } = await services.db.pool.query<{ at: Date | null }>(
      'SELECT min(checked_at) AS at FROM checks WHERE checked_at > $1',
      [new Date(ms)],
    )
    return rows[0]?.at?.getTime()
  })
}
