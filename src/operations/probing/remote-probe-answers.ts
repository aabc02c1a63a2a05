import type { ProbeInput, ProbeOutput, ProbeQuestion } from '../../contract/remote-probes.ts'
import { ProbeRefusal } from '../../core/probing/remote-probe.ts'
import type { ProbeToken } from '../../store/probing/remote-probes.ts'

/** The answers to each question of a remote probe that holds a token. Each throws a ProbeRefusal. */
export type RemoteProbeAnswers = {
  [Q in ProbeQuestion]: (token: ProbeToken, input: ProbeInput<Q>) => Promise<ProbeOutput<Q>>
}

/** A monitor as a remote probe gets it. */
export type RemoteProbeMonitor = ProbeOutput<'claim'>['claimed'][number]['monitor']

export function lostMembership(membership: number): ProbeRefusal {
  return new ProbeRefusal('lost', `the membership ${membership} has ended`)
}
