import * as z from 'zod'
import type { ToldHosted } from './hosted.ts'
import type { Sample } from './series.ts'

/** Where reports of a server come from. */
export const ReportSource = z.enum(['agent', 'opentelemetry', 'influx', 'prometheus'])
export type ReportSource = z.infer<typeof ReportSource>
/** The protocols of others. */
export const InputSource = ReportSource.exclude(['agent'])
export type InputSource = z.infer<typeof InputSource>

/** Facts of a machine that hardly ever change. */
export const Machine = z.object({
  source: ReportSource,
  host_name: z.string().nullable(),
  /** As it calls itself: `Debian GNU/Linux 12 (bookworm)`. */
  os: z.string().nullable(),
  kernel: z.string().nullable(),
  architecture: z.string().nullable(),
  cpus: z.int().nullable(),
  /** A hash of what tells this installation of a system from others. */
  machine_id: z.string().nullable(),
  /** Changes with each start of the machine. */
  boot_id: z.string().nullable(),
  agent_version: z.string().nullable(),
})
export type Machine = z.infer<typeof Machine>

/** Another machine that used the token of a server, and was refused. */
export const OtherMachine = z.object({ host_name: z.string().nullable(), at: z.iso.datetime() })
export type OtherMachine = z.infer<typeof OtherMachine>

/** A process, by name alone: arguments may hold secrets. Percent of one CPU, and of the memory. */
export const TopProcess = z.object({
  name: z.string(),
  cpu_percent: z.number().nullable(),
  memory_percent: z.number().nullable(),
})
export type TopProcess = z.infer<typeof TopProcess>
export const MAX_TOP_PROCESSES = 5

/**
 * The report of a machine about itself, in whichever format it came: gauges are ready to be kept, counters become rates with the
 * report before. Every input (the agent, OTLP, Influx lines, remote write) is read into this.
 */
export type MachineReport = {
  machine: Machine
  /** The time by the machine's own clock, which is not trusted; null if it did not say. */
  takenAt: Date | null
  gauges: Sample
  counters: Counters
  /** Empty unless they were asked for. */
  top: TopProcess[]
  /** Names of failed units of systemd. */
  failedUnits: string[]
  /** Null: it says nothing of containers and units. */
  hosted: ToldHosted | null
}

/**
 * Values of counters, each with the time of its reading: `bootedSeconds` of the machine's uptime where that is known, else
 * its own clock. A key is a CounterName (measure.ts), with `:part` for a disk or an interface.
 */
export type Counters = {
  bootId: string | null
  /** Seconds, on whichever clock `clock` says. */
  at: number
  clock: 'uptime' | 'wall'
  values: Record<string, number>
  /** Times of those that were read at another time than `at`. */
  times?: Record<string, number>
}
