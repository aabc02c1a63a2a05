import { requestOnce } from '../net/http-request.ts'
import type { Network } from '../net/network.ts'
import type { Services } from '../operations/services.ts'

const TIMEOUT_MS = 5_000

/**
 * Reads the metadata of an OAuth client, for the role `api`: at most 8 KiB in five seconds, over a connection of its
 * own, without redirects. Only the operator learns why a read failed: the answer would tell others what listens where.
 */
export function createDescriptionReader({
  note,
  openNetwork,
}: {
  note: (detail: string) => void
  openNetwork: () => Network
}): Services['fetchDescription'] {
  // Made when it is first needed: the command line never does.
  let network: Network | null = null
  return async (url) => {
    network ??= openNetwork()
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
