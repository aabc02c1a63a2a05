import * as z from 'zod'
import {
  MAX_QUESTION_BYTES,
  MAX_RESULTS_BYTES,
  ProbeAnswers,
  ProbeAttemptQuery,
  ProbeAttempts,
  ProbeClaim,
  ProbeClaimed,
  ProbeConfirmationIds,
  ProbeConfirmationRequests,
  ProbeHandOver,
  ProbeJoin,
  ProbeJoined,
  ProbeKeptSlots,
  ProbeMember,
  ProbeMonitors,
  ProbeOverrun,
  ProbeOverruns,
  ProbeRecorded,
  ProbeRenew,
  ProbeRenewal,
  ProbeResults,
  ProbeSchedule,
  ProbeStatuses,
  ProbeStatusQuery,
} from '../core/probing/remote-probe.ts'

/** The path prefix for remote probes. The protocol is private to one release, not part of the public API. */
export const PROBE_PATH = '/probe/v1'

const Nothing = z.object({})
const small = MAX_QUESTION_BYTES

/** Every request of a remote probe: a POST with its token, which also determines the region. */
export const probeContract = {
  join: { path: '/join', input: ProbeJoin, output: ProbeJoined, maxBytes: small },
  renew: { path: '/renew', input: ProbeRenew, output: ProbeRenewal, maxBytes: small },
  schedule: { path: '/schedule', input: ProbeSchedule, output: ProbeMonitors, maxBytes: small },
  overruns: { path: '/overruns', input: ProbeOverruns, output: ProbeOverrun, maxBytes: small },
  known: { path: '/known', input: ProbeStatusQuery, output: ProbeStatuses, maxBytes: small },
  askOthers: {
    path: '/confirmations/ask',
    input: ProbeConfirmationRequests,
    output: ProbeConfirmationIds,
    maxBytes: small,
  },
  look: { path: '/confirmations/look', input: ProbeAttemptQuery, output: ProbeAttempts, maxBytes: small },
  withdraw: {
    path: '/confirmations/withdraw',
    input: ProbeAttemptQuery,
    output: Nothing,
    maxBytes: small,
  },
  claim: { path: '/confirmations/claim', input: ProbeClaim, output: ProbeClaimed, maxBytes: small },
  answer: {
    path: '/confirmations/answer',
    input: ProbeAnswers,
    output: Nothing,
    maxBytes: MAX_RESULTS_BYTES,
  },
  results: {
    path: '/results',
    input: ProbeResults,
    output: ProbeRecorded,
    maxBytes: MAX_RESULTS_BYTES,
  },
  handOver: { path: '/hand-over', input: ProbeHandOver, output: ProbeKeptSlots, maxBytes: small },
  announceLeaving: { path: '/leaving', input: ProbeMember, output: Nothing, maxBytes: small },
  leave: { path: '/leave', input: ProbeMember, output: Nothing, maxBytes: small },
} satisfies Record<string, { path: string; input: z.ZodType; output: z.ZodType; maxBytes: number }>

export type ProbeQuestion = keyof typeof probeContract
/** The parsed input, and the output before it is serialized; in transit, times are text. */
export type ProbeInput<Q extends ProbeQuestion> = z.output<(typeof probeContract)[Q]['input']>
export type ProbeOutput<Q extends ProbeQuestion> = z.output<(typeof probeContract)[Q]['output']>
