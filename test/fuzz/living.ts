import type { Hono } from 'hono'
import { createRemoteProbe } from '../../src/operations/probing/remote-probe-tokens.ts'
import { recordsOf } from '../support/access/team-records.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { peopleOf } from '../support/services/people.ts'
import { accountSources } from './sources/accounts.ts'
import { unreached } from './routes.ts'
import { documentSources } from './sources/documents.ts'
import { oauthSources } from './sources/oauth.ts'
import { operationSources } from './sources/operations.ts'
import { probeSources } from './sources/probes.ts'
import { secretSources } from './sources/secrets.ts'
import { statusPageSources } from './sources/status-pages.ts'

/** A request that the service takes, to make others of. */
export type Living = {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
  /** Instead of a body in JSON. */
  bytes?: Uint8Array
}

/** Makes such a request anew, with records and people of its own where it uses them up. */
export type Source = () => Promise<Living>

/** A request, and where the next one comes from when the service no longer takes it. */
export type Kept = { living: Living; renew: Source }

let probes = 0

/** A request of every route, with the records of a new team. */
export async function livingRequests(service: AskedService, app: Hono): Promise<Kept[]> {
  const people = peopleOf(service)
  const ours = recordsOf(service, people, await people.team())
  const region = `fuzz-${++probes}`
  const { token } = await createRemoteProbe(service.services, { region, name: 'Fuzz' })
  const sources = [
    ...operationSources(ours),
    ...accountSources(ours),
    ...secretSources(ours),
    ...(await statusPageSources(ours)),
    ...oauthSources(service),
    ...probeSources(token, region),
  ]
  const kept = await inTurn(sources)
  const documents = unreached(app, kept).flatMap(({ method, path }) =>
    method === 'GET' && !PARAMETER.test(path) ? [path] : [],
  )
  return [...kept, ...(await inTurn(documentSources(documents, ours)))]
}

/** Of a path of a route. */
const PARAMETER = /[:*{]/

async function inTurn(sources: Source[]): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const renew of sources) kept.push({ living: await renew(), renew })
  return kept
}
