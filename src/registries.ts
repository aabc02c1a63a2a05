import { readFileSync } from 'node:fs'
import { RDAP_SERVICES_URL, RdapServices } from './core/sites/domain/rdap.ts'
import { monotonicMs } from './engine/probing/clock.ts'
import { createRegistryServices, type KeptServices } from './engine/sites/registry-services.ts'
import { ownFile } from './files/own-files.ts'
import { type Log, troubleOf } from './log.ts'
import { requestOnce } from './net/http-request.ts'
import type { Network } from './net/network.ts'

const SHIPPED_SERVICES = ownFile('src/core/sites/domain/rdap-services.json')
const SERVICES_LIMIT_MS = 30_000
const MAX_SERVICES_BYTES = 1_024 * 1_024
const NEVER = new AbortController().signal

/** The list of the registries of domains, for a network that asks for a newer one over itself. */
export function createRegistries(
  kept: KeptServices,
  network: () => Network,
  log: Log,
): Network['registries'] {
  return createRegistryServices({
    kept,
    readShipped: () => RdapServices.parse(JSON.parse(readFileSync(SHIPPED_SERVICES, 'utf8'))),
    ask: () => askServices(network()),
    monotonicMs,
    note: (message) => log.warn({ part: 'registries' }, message),
    onTrouble: troubleOf(log, 'registries'),
  })
}

async function askServices(network: Network): Promise<string | null> {
  const request = {
    kind: 'registry',
    url: RDAP_SERVICES_URL,
    headers: { accept: 'application/json', 'user-agent': 'Upbeat' },
    body: '',
    method: 'GET',
    maxBytes: MAX_SERVICES_BYTES,
  } as const
  const answer = await requestOnce(network, request, SERVICES_LIMIT_MS, NEVER)
  return answer.kind === 'answered' && answer.statusCode === 200 ? answer.body : null
}
