import { PROBE_PATH, probeContract } from '../../../src/contract/remote-probes.ts'
import { sampleOf, sentSchema } from '../../support/documents/text-places.ts'
import type { Living, Source } from '../living.ts'

/** Everything that a remote probe with this token says. */
export function probeSources(token: string, region: string): Source[] {
  return Object.entries(probeContract).map(([id, { path, input }]) => async (): Promise<Living> => {
    const sample = sampleOf(sentSchema(input)) as object
    return {
      ...{ name: `probe ${id}`, method: 'POST', path: PROBE_PATH + path },
      headers: { authorization: `Bearer ${token}` },
      body: 'region' in sample ? { ...sample, region } : sample,
    }
  })
}
