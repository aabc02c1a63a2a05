import type { OperationId } from '../../contract/contract.ts'
import type { Actor } from '../../operations/implementation.ts'
import { run } from '../../operations/run.ts'
import type { Services } from '../../operations/services.ts'
import type { ApiAnswer, Client, Question } from './client.ts'

/** Calls the service on this machine as a member of a team, without a token and through the API's own code. */
export function localClient(services: Services, actor: Actor): Client {
  async function ask(id: OperationId, { params = {}, query = {}, body }: Question = {}): Promise<ApiAnswer> {
    const named = Object.entries(params).map(([name, value]) => [name, String(value)])
    // As over HTTP: values that JSON cannot express do not arrive.
    const sent: unknown = JSON.parse(JSON.stringify(body ?? {}))
    const answer = await run(services, id, {
      actor,
      params: Object.fromEntries(named),
      query,
      readBody: async () => sent,
    })
    const received = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body))
    return { status: answer.status, headers: answer.headers, body: received }
  }

  return { place: `team ${actor.teamId} on this machine`, pace: () => null, ask, internal: { ask } }
}
