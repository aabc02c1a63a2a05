import { readdirSync, readFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { gauge, type MetricFamily } from '../core/exposition.ts'

/** The usual metrics of any process, by their usual names; heap memory is the main thread's. */
export function processFamilies(): MetricFamily[] {
  const { user, system } = process.cpuUsage()
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return [
    counter('process_cpu_seconds', 'CPU time spent, in user and system mode.', (user + system) / 1_000_000),
    gauge('process_resident_memory_bytes', 'Memory that is resident.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When the process began, in Unix time.', startedAt()),
    gauge('process_open_fds', 'File descriptors that are open.', openDescriptors()),
    gauge('process_max_fds', 'File descriptors that may be open.', mostDescriptors()),
    gauge('nodejs_heap_size_used_bytes', 'Memory of the heap that is in use.', used),
    gauge('nodejs_heap_size_limit_bytes', 'Memory that the heap may grow to.', limit),
  ]
}

function counter(name: string, help: string, value: number): MetricFamily {
  return { name, help, type: 'counter', samples: [{ labels: '', value }] }
}

function startedAt(): number {
  return Math.round(Date.now() / 1_000 - process.uptime())
}

/** Null where there is no such directory (macOS). */
function openDescriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}

function mostDescriptors(): number | null {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? null : Number(limit)
  } catch {
    return null
  }
}
