import { requestOnce } from '../net/http-request.ts'
import { createNetwork, type Network } from '../net/network.ts'
import type { Services } from '../operations/services.ts'

const TIMEOUT_MS = 5_000

/**
 * Reads the metadata of an OAuth client, for the role `api`: at most 8 KiB in five seconds, over a connection of its
 * own, without redirects. Any user chooses the address, so it must be a public one, whichever targets monitors may
 * have. Only the operator learns why a read failed: the answer would tell others what listens where.
 */
export function createDescriptionReader({
  now,
  note,
  network: given,
}: {
  now: () => Date
  note: (detail: string) => void
  /** Instead of one that reaches public addresses only. */
  network?: Network
}): Services['fetchDescription'] {
  // Made when it is first needed: the command line never does.
  let network = given
  return async (url) => {
    network ??= createNetwork({ privateTargets: 'deny', now })
    const request = {
      kind: 'client description' as const,
      method: 'GET' as const,
      url,
      headers: { accept: 'application/json' },
      body: '',
    }
    const result = await requestOnce(network, request, TIMEOUT_MS, new AbortController().signal)
    if (result.kind === 'answered' && result.statusCode === 200) return result.body
    const why = result.kind === 'failed' ? result.reason : `HTTP ${result.statusCode} (expected 200)`
    note(`${url}: ${why}`)
    return null
  }
}
