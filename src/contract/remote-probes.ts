import * as z from 'zod'
import {
  MAX_QUESTION_BYTES,
  MAX_RESULTS_BYTES,
  ProbeAnswers,
  ProbeAsked,
  ProbeAttempts,
  ProbeClaim,
  ProbeClaimed,
  ProbeHandOver,
  ProbeJoin,
  ProbeJoined,
  ProbeKept,
  ProbeKnown,
  ProbeKnows,
  ProbeMember,
  ProbeMonitors,
  ProbeOverrun,
  ProbeOverruns,
  ProbeRecorded,
  ProbeRenewal,
  ProbeResults,
  ProbeSchedule,
  ProbeWished,
  ProbeWishes,
} from '../core/probing/remote-probe.ts'

/** Where remote probes ask. It is between the programs of one release, and no part of the public API. */
export const PROBE_PATH = '/probe/v1'

const Nothing = z.object({})
const small = MAX_QUESTION_BYTES

/** Everything that a remote probe asks, each by POST with its token; the region is the token's. */
export const probeContract = {
  join: { path: '/join', input: ProbeJoin, output: ProbeJoined, largestBytes: small },
  renew: { path: '/renew', input: ProbeMember, output: ProbeRenewal, largestBytes: small },
  schedule: { path: '/schedule', input: ProbeSchedule, output: ProbeMonitors, largestBytes: small },
  overruns: { path: '/overruns', input: ProbeOverruns, output: ProbeOverrun, largestBytes: small },
  known: { path: '/known', input: ProbeKnown, output: ProbeKnows, largestBytes: small },
  askOthers: {
    path: '/confirmations/ask',
    input: ProbeWishes,
    output: ProbeWished,
    largestBytes: small,
  },
  look: { path: '/confirmations/look', input: ProbeAsked, output: ProbeAttempts, largestBytes: small },
  withdraw: { path: '/confirmations/withdraw', input: ProbeAsked, output: Nothing, largestBytes: small },
  claim: { path: '/confirmations/claim', input: ProbeClaim, output: ProbeClaimed, largestBytes: small },
  answer: {
    path: '/confirmations/answer',
    input: ProbeAnswers,
    output: Nothing,
    largestBytes: MAX_RESULTS_BYTES,
  },
  results: {
    path: '/results',
    input: ProbeResults,
    output: ProbeRecorded,
    largestBytes: MAX_RESULTS_BYTES,
  },
  handOver: { path: '/hand-over', input: ProbeHandOver, output: ProbeKept, largestBytes: small },
  announceLeaving: { path: '/leaving', input: ProbeMember, output: Nothing, largestBytes: small },
  leave: { path: '/leave', input: ProbeMember, output: Nothing, largestBytes: small },
} satisfies Record<string, { path: string; input: z.ZodType; output: z.ZodType; largestBytes: number }>

export type ProbeQuestion = keyof typeof probeContract
/** As it is read, and as it is written: times are text on the way. */
export type ProbeInput<Q extends ProbeQuestion> = z.output<(typeof probeContract)[Q]['input']>
export type ProbeOutput<Q extends ProbeQuestion> = z.output<(typeof probeContract)[Q]['output']>
