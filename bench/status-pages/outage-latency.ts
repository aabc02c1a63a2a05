import { startAlertReceiver, startFickleTarget } from '../outages.ts'
import type { Scope } from '../support/scope.ts'
import { seedMonitors } from '../support/seed.ts'
import type { SeededService } from '../support/seeded-service.ts'

/**
 * Causes outages one after another, and further ones for as long as `goesOn` says so; resolves to the milliseconds from each
 * failing answer to the webhook about it.
 */
export type CauseOutages = (goesOn?: () => boolean) => Promise<number[]>

/** A few monitors at 1 s, so that hardly any check that is counted is of them. */
const FICKLE = 5
const OUTAGES_EACH = 6

export async function watchOutages(scope: Scope, { service, team }: SeededService): Promise<CauseOutages> {
  const target = await startFickleTarget(scope)
  const receiver = await startAlertReceiver(scope)
  const contact = { name: 'Receiver', type: 'webhook', config: { url: receiver.url } }
  const { body } = await service.call(team.owner, 'GET', '/notification-contacts')
  for (const { id } of body.data) await service.call(team.owner, 'DELETE', `/notification-contacts/${id}`)
  const created = await service.call(team.owner, 'POST', '/notification-contacts', contact)
  if (created.status !== 201) throw new Error(`creating a contact answered ${created.status}`)
  const monitors = await seedMonitors(service.services, team.id, FICKLE, (number) => ({
    url: `${target.url}/${number}`,
    check_interval_minutes: 1,
    check_interval_seconds: 1,
  }))
  const latency = async (id: number, number: number, failing: boolean) => {
    const told = receiver.next(id, failing ? 'monitor.down' : 'monitor.recovery')
    const [toldAt, answeredAt] = await Promise.all([told, target.turn(`/${number}`, failing)])
    return toldAt - answeredAt
  }
  return async (goesOn = () => false) => {
    const latenciesMs: number[] = []
    const cause = async (id: number, number: number) => {
      for (let outage = 0; outage < OUTAGES_EACH || goesOn(); outage++) {
        latenciesMs.push(await latency(id, number, true))
        await latency(id, number, false)
      }
    }
    await Promise.all(monitors.map(({ id }, number) => cause(id, number)))
    return latenciesMs
  }
}
