import type { Counters } from '../machine-report.ts'
import type { Sample } from '../series.ts'
import type { GatheredMachine, GatheredReading, InputField } from './known-series.ts'

const MODES = ['user', 'system', 'idle', 'iowait', 'steal'] as const
type CpuCounters = Pick<Counters, 'values'> & {
  times: Record<string, number>
  set: string | null
  /** Null where it is told of all of them at once. */
  count: number | null
}
const NONE: CpuCounters = { values: {}, times: {}, set: null, count: null }

type ModeReading = GatheredReading & { group: string }

function readingsOf(machine: GatheredMachine, field: InputField): ModeReading[] {
  return [...(machine.fields.get(field)?.readings.values() ?? [])]
}

/**
 * Sums over all CPUs. Over some modes of a CPU they would say nothing, and are left out; over other CPUs than before they
 * are told apart by `set`.
 */
export function cpuCounters(machine: GatheredMachine): CpuCounters {
  const all = MODES.map((mode) => readingsOf(machine, `cpu_${mode}_seconds`))
  const byCpu = Map.groupBy(all.flat(), ({ group }) => group)
  const modesOf = (readings: ModeReading[]) =>
    readings
      .map(({ member }) => member.split('\n', 2).join(' '))
      .sort()
      .join()
  const modes = new Set([...byCpu.values()].map(modesOf))
  const whole = all.flat().every(({ over }) => over === null)
  if (modes.size !== 1 || !whole || all.slice(0, 3).some((readings) => readings.length === 0)) return NONE
  const values: Record<string, number> = {}
  const times: Record<string, number> = {}
  MODES.forEach((mode, index) => {
    const readings = all[index] as ModeReading[]
    if (readings.length === 0) return
    values[`cpu_${mode}_seconds`] = readings.reduce((sum, { value }) => sum + value, 0)
    times[`cpu_${mode}_seconds`] = readings.reduce(
      (time, { at }) => Math.max(time, at),
      Number.NEGATIVE_INFINITY,
    )
  })
  const count = byCpu.has('') ? null : byCpu.size
  return { values, times, count, set: `cpus ${byCpu.size} ${hash([...byCpu.keys()].sort().join('\n'))}` }
}

/** Processor time that comes as shares, or as seconds since the time before; a mean over CPUs where it comes for each. */
export function cpuShares(machine: GatheredMachine): Sample {
  const of = (unit: 'percent' | 'seconds') =>
    MODES.map((mode) =>
      readingsOf(machine, `cpu_${mode}_${unit}`).filter(({ over }) => unit === 'percent' || over !== null),
    )
  const told = of('percent')
  const added = of('seconds')
  const readings = (added[2] as ModeReading[]).length > 0 ? added : told
  const idle = readings[2] as ModeReading[]
  if (idle.length === 0) return {}
  const sums = readings.map((some) => some.reduce((sum, { value }) => sum + value, 0))
  const all =
    readings === added
      ? sums.reduce((sum, value) => sum + value, 0)
      : 100 * new Set(idle.map(({ group }) => group)).size
  if (!(all > 0)) return {}
  const share = (index: number) => (100 * (sums[index] as number)) / all
  const sample: Sample = { cpu_percent: Math.min(Math.max(100 - share(2) - share(3), 0), 100) }
  MODES.forEach((mode, index) => {
    if (mode !== 'idle' && (readings[index] as ModeReading[]).length > 0)
      sample[`cpu_${mode}_percent`] = share(index)
  })
  return sample
}

/** FNV-1a of 32 bits: a short name for a long list of CPUs. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return (value >>> 0).toString(16)
}
