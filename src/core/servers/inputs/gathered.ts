import type { InputField } from './fields.ts'
import type { Told } from './point.ts'

/** `member`: what tells it from other readings of the same field. `over`: as of a point. */
export type GatheredReading = { member: string; value: number; at: number; over: number | null }

/** The value of one field in a request, for one part of the machine. `group`: the CPU, of readings of CPUs. */
export type Gathered = {
  field: InputField
  part: string | null
  readings: Map<string, GatheredReading & { group: string }>
}

/** Everything that a request holds about one machine. */
export type GatheredMachine = {
  told: Told
  fields: Map<string, Gathered>
  /** The facts of each mount point. */
  fileSystems: Map<string, { device: string | null; type: string | null }>
  count: number
}
