import type { Hono } from 'hono'
import { recordsOf } from '../support/access/team-records.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { peopleOf } from '../support/services/people.ts'
import { unreached } from './routes.ts'
import { accountSources } from './sources/accounts.ts'
import { documentSources } from './sources/documents.ts'
import { linkSources } from './sources/links.ts'
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

/** Documents are the same for everybody, and many: fewer requests go to each. */
export type World = { acts: Kept[]; documents: Kept[] }

/** A request of every route, with the records of a new team. */
export async function livingRequests(service: AskedService, app: Hono): Promise<World> {
  const people = peopleOf(service)
  const ours = recordsOf(service, people, await people.team())
  const sources = [
    ...operationSources(ours),
    ...accountSources(ours),
    ...linkSources(ours),
    ...secretSources(ours),
    ...(await statusPageSources(ours)),
    ...oauthSources(service),
    ...(await probeSources(service)),
  ]
  const acts = await inTurn(sources)
  const paths = unreached(app, acts).flatMap(({ method, path }) =>
    method === 'GET' && !PARAMETER.test(path) ? [path] : [],
  )
  return { acts, documents: await inTurn(documentSources(paths, ours)) }
}

/** The beginning of a parameter in the path of a route. */
const PARAMETER = /[:*{]/

async function inTurn(sources: Source[]): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const renew of sources) kept.push({ living: await renew(), renew })
  return kept
}
