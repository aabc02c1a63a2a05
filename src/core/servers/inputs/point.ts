import type { MachineReport } from '../machine-report.ts'

/** The bound of the labels of one point. Points with more are dropped. */
export const MAX_POINT_LABELS = 64
/** Machines told apart in one request. Points of other machines are dropped. */
export const MAX_INPUT_MACHINES = 4
/** Readings of one machine in one request: a machine of 1,024 CPUs has about 10,000. */
export const MAX_INPUT_READINGS = 20_000

/** A value that a sender gives under a name of its own. */
export type Point = {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
  /** Epoch seconds by the sender's clock; null if it did not say. */
  at: number | null
  /** Seconds that the value was counted over, where it is what was added since the value before. */
  over: number | null
}

/** Facts that a sender tells of its machine, as far as it knows them. */
export type SenderFacts = Partial<{
  host_name: string
  machine_id: string
  os: string
  kernel: string
  architecture: string
}>

/**
 * The content of a request: one report for each machine in it, of its newest values. `dropped`: points that are of no
 * known series, of a part that is not kept, older than others of the request, or beyond a bound. `rejected`: what could not
 * be read, while other parts could. `unknown`: the first names of what was dropped.
 */
export type InputReading =
  | {
      reports: MachineReport[]
      dropped: number
      unknown: string[]
      rejected: { count: number; why: string } | null
    }
  | Fault

/** Why nothing of a request could be read. */
export type Fault = { fault: string; isTooLarge?: true }
