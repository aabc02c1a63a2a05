import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { PROBE_PATH, type ProbeQuestion, probeContract } from '../../../src/contract/remote-probes.ts'
import { PROBE_PROTOCOL } from '../../../src/core/probing/remote-probe.ts'
import { SLOTS } from '../../../src/core/probing/slot.ts'
import { createRemoteProbe } from '../../../src/operations/probing/remote-probe-tokens.ts'
import { sampleOf, sentSchema } from '../../support/documents/text-places.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { ask } from '../../support/services/http.ts'
import type { Living, Source } from '../living.ts'

let probes = 0

/** Everything that a remote probe says, each from a membership of its own. */
export async function probeSources({ url, services }: AskedService): Promise<Source[]> {
  const region = `fuzz-${++probes}`
  const { token } = await createRemoteProbe(services, { region, name: 'Fuzz' })
  const headers = { authorization: `Bearer ${token}` }
  const joining = () => ({
    ...{ version: PROBE_PROTOCOL, session: randomUUID(), region, host: hostname(), pid: process.pid },
  })
  const membershipOf = async (): Promise<number> => {
    const { status, text } = await ask(`${url}${PROBE_PATH}/join`, {
      ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
      body: JSON.stringify(joining()),
    })
    if (status !== 200) throw new Error(`join: ${status} ${text}`)
    return JSON.parse(text).membership
  }
  const bodyOf = async (question: ProbeQuestion): Promise<unknown> => {
    if (question === 'join') return joining()
    const sample = sampleOf(sentSchema(probeContract[question].input)) as object
    return {
      ...sample,
      ...('due_from' in sample && { due_from: new Date().toISOString() }),
      ...('known' in sample && { known: '0'.repeat(SLOTS / 4) }),
      ...('membership' in sample && { membership: await membershipOf() }),
    }
  }
  return (Object.keys(probeContract) as ProbeQuestion[]).map(
    (question) => async (): Promise<Living> => ({
      ...{ name: `probe ${question}`, method: 'POST', path: PROBE_PATH + probeContract[question].path },
      ...{ headers, body: await bodyOf(question) },
    }),
  )
}
