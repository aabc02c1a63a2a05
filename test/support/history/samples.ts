import fc from 'fast-check'
import { startOfDay } from '../../../src/core/history/history-span.ts'
import { packSample } from '../../../src/core/servers/history/sample-code.ts'
import { type Sample, SERIES, type SeriesName, seriesKey } from '../../../src/core/servers/series.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { randomFrom } from './checks.ts'

const NAMES = Object.keys(SERIES) as SeriesName[]
const MINUTE_MS = 60_000

/** Key of any series, with any part. */
export function anyKey(): fc.Arbitrary<string> {
  const part = fc.oneof(fc.constantFrom('/', '/var', 'sda', 'eth0'), fc.string({ maxLength: 12 }))
  return fc
    .tuple(fc.constantFrom(...NAMES), part)
    .map(([name, own]) => seriesKey(name, SERIES[name].of === null ? undefined : own))
}

/**
 * A report a minute of a machine with work to do: two file systems, disks and interfaces, every series of the machine,
 * and loads that wander over the day with noise on top. Always the same for the same seed.
 */
export function realisticSamples(seed: number, day: Date, minutes = 1_440): { at: Date; sample: Sample }[] {
  const random = randomFrom(seed)
  /** About normal, of mean 0 and deviation 1. */
  const noise = () => (random() + random() + random() + random() - 2) * Math.sqrt(3)
  /** Wanders around its mean, each minute from where it was. */
  const wandering = (mean: number, deviation: number, keeps = 0.95) => {
    let away = 0
    return () => {
      away = away * keeps + noise() * deviation * Math.sqrt(1 - keeps * keeps)
      return Math.max(0, mean + away)
    }
  }
  const traffic = (mean: number) => {
    const level = wandering(0.5, 0.6)
    return () => mean * Math.exp(level() - 0.5 + noise() * 0.25)
  }
  const load = wandering(25, 8)
  const available = wandering(9e9, 4e8, 0.98)
  const swap = wandering(2e8, 1e6, 0.999)
  const rates = [traffic(60_000), traffic(900_000), traffic(2_000), traffic(40_000)]
  const wire = [traffic(300_000), traffic(1_500_000), traffic(4_000), traffic(4_000)]
  const phaseMs = Math.floor(random() * 50_000)
  let load1 = 0.5
  let load5 = 0.5
  let load15 = 0.5
  return Array.from({ length: minutes }, (_, minute) => {
    const busy = load() * (1 + 0.5 * Math.sin((minute / 1_440) * 2 * Math.PI))
    const user = busy * 0.7 + Math.abs(noise())
    const system = busy * 0.25 + Math.abs(noise()) * 0.5
    const iowait = Math.max(0, 0.6 + noise() * 0.4)
    const steal = random() < 0.05 ? random() : 0
    const running = busy / 12 + Math.abs(noise()) * 0.3
    load1 += (running - load1) * 0.63
    load5 += (running - load5) * 0.18
    load15 += (running - load15) * 0.064
    const jitterMs = Math.floor(random() * 1_000)
    const sample: Sample = {
      cpu_percent: user + system + iowait + steal,
      cpu_user_percent: user,
      cpu_system_percent: system,
      cpu_iowait_percent: iowait,
      cpu_steal_percent: steal,
      load_1: load1,
      load_5: load5,
      load_15: load15,
      memory_total_bytes: 16_672_636_928,
      memory_available_bytes: available(),
      swap_total_bytes: 2_147_479_552,
      swap_used_bytes: swap(),
      pressure_cpu_percent: busy / 20 + Math.abs(noise()) * 0.3,
      pressure_memory_percent: random() < 0.02 ? random() : 0,
      pressure_io_percent: Math.abs(noise()) * 0.4,
      uptime_seconds: 3_000_000 + minute * 60 + Math.round(jitterMs / 1_000),
      processes: Math.round(240 + busy / 5 + noise() * 3),
      failed_units: 0,
      clock_skew_seconds: 0.2 + noise() * 0.05,
      temperature_celsius: 45 + Math.round(busy / 5 + noise()),
    }
    for (const [index, mount] of ['/', '/var/lib/postgresql'].entries()) {
      sample[`file_system_size_bytes:${mount}`] = 50_000_003_072 * (index + 1)
      sample[`file_system_used_percent:${mount}`] = 61 + index * 10 + minute / 700
      sample[`inodes_used_percent:${mount}`] = 8 + index + minute / 5_000
    }
    for (const [index, disk] of ['nvme0n1', 'sda'].entries()) {
      sample[`disk_read_bytes:${disk}`] = random() < 0.3 ? (rates[2 * index]?.() ?? 0) : 0
      sample[`disk_written_bytes:${disk}`] = rates[2 * index + 1]?.() ?? 0
      sample[`disk_busy_percent:${disk}`] = Math.abs(noise()) * (index ? 0.3 : 2)
    }
    for (const [index, name] of ['eth0', 'wg0'].entries()) {
      sample[`interface_received_bytes:${name}`] = wire[2 * index]?.() ?? 0
      sample[`interface_sent_bytes:${name}`] = wire[2 * index + 1]?.() ?? 0
      sample[`interface_errors:${name}`] = 0
    }
    return { at: new Date(day.getTime() + minute * MINUTE_MS + phaseMs + jitterMs), sample }
  })
}

/** Writes samples as the recorder does, and makes the partitions that they need. */
export async function keepSamples(
  db: Database,
  serverId: number,
  samples: readonly { at: Date; sample: Sample }[],
): Promise<void> {
  const days = new Set(samples.map(({ at }) => startOfDay(at).getTime()))
  for (const day of days) await db.pool.query(createPartition('server_samples', new Date(day)))
  await db.pool.query(
    `INSERT INTO server_samples (at, server_id, content)
     SELECT at, $2, content FROM unnest($1::timestamptz[], $3::bytea[]) AS s (at, content)`,
    [samples.map(({ at }) => at), serverId, samples.map(({ sample }) => packSample(sample))],
  )
}
