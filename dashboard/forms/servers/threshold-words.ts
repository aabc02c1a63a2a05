import { formatDuration } from '../../../src/core/duration.ts'
import type { ThresholdKind, Thresholds } from '../../../src/core/servers/threshold.ts'

type Levels = { enter: string; leave: string }

/** How a condition begins and ends, in words; the minutes are added behind the beginning. */
const SENTENCES: Record<
  ThresholdKind,
  { begins: (levels: Levels) => string; ends: (levels: Levels) => string }
> = {
  disk_space: {
    begins: ({ enter }) => `a file system is ${enter} % full or more`,
    ends: ({ leave }) => `at ${leave} % or less`,
  },
  disk_full_soon: {
    begins: ({ enter }) => `a file system fills up within ${enter} h by its trend`,
    ends: ({ leave }) => `once it lasts ${leave} h or longer`,
  },
  inodes: {
    begins: ({ enter }) => `${enter} % of the inodes of a file system or more are used`,
    ends: ({ leave }) => `at ${leave} % or less`,
  },
  memory: {
    begins: ({ enter }) => `${enter} % of the memory or less is available`,
    ends: ({ leave }) => `at ${leave} % or more`,
  },
  cpu: {
    begins: ({ enter }) => `the CPUs are ${enter} % busy or more`,
    ends: ({ leave }) => `at ${leave} % or less`,
  },
  load: {
    begins: ({ enter }) => `the load is ${enter} per CPU or more`,
    ends: ({ leave }) => `at ${leave} or less`,
  },
  swap: {
    begins: ({ enter }) => `${enter} % of the swap or more is used`,
    ends: ({ leave }) => `at ${leave} % or less`,
  },
  iowait: {
    begins: ({ enter }) => `the CPUs wait for disks ${enter} % of the time or more`,
    ends: ({ leave }) => `at ${leave} % or less`,
  },
  steal: {
    begins: ({ enter }) => `other guests of the host take ${enter} % of the CPU time or more`,
    ends: ({ leave }) => `at ${leave} % or less`,
  },
  failed_units: {
    begins: ({ enter }) => `systemd has ${enter} failed ${enter === '1' ? 'unit' : 'units'} or more`,
    ends: ({ leave }) => (leave === '0' ? 'once none has failed' : `at ${leave} or fewer`),
  },
  clock_skew: {
    begins: ({ enter }) => `the clock is ${enter} s off or more`,
    ends: ({ leave }) => `at ${leave} s or less`,
  },
  temperature: {
    begins: ({ enter }) => `a sensor shows ${enter} °C or more`,
    ends: ({ leave }) => `at ${leave} °C or less`,
  },
}

/** The meaning of the values of a line, as they were typed. */
export function sayThreshold(
  kind: ThresholdKind,
  { enter, leave, minutes }: { enter: string; leave: string; minutes: string },
): string {
  const { begins, ends } = SENTENCES[kind]
  const levels = { enter: enter || '…', leave: leave || '…' }
  const length = Number(minutes)
  const lasting = length > 0 ? ` for ${formatDuration(length * 60)}` : ''
  const asLong = length > 0 ? ' for as long' : ''
  return `Begins when ${begins(levels)}${lasting}; ends ${ends(levels)}${asLong}.`
}

export function saySilence(seconds: string): string {
  const length = Number(seconds)
  const after = length > 0 ? formatDuration(length) : '…'
  return `Begins ${after} after the last report; ends with the next one.`
}

/** The unit of the levels of a line. */
export const LEVEL_UNITS: Record<keyof Thresholds, string> = {
  silent: 's',
  disk_space: '%',
  disk_full_soon: 'h',
  inodes: '%',
  memory: '%',
  cpu: '%',
  load: 'per CPU',
  swap: '%',
  iowait: '%',
  steal: '%',
  failed_units: 'units',
  clock_skew: 's',
  temperature: '°C',
}
