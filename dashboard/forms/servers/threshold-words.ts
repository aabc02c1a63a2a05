import { formatDuration } from '../../../src/core/duration.ts'
import type { LevelKind, NamedKind, Thresholds } from '../../../src/core/servers/condition.ts'
import { t } from '../../language/language.ts'

type Levels = { enter: string; leave: string }

/** How a condition begins and ends, in words; the minutes are added behind the beginning. */
const SENTENCES: Record<LevelKind, { begins: (levels: Levels) => string; ends: (levels: Levels) => string }> =
  {
    disk_space: {
      begins: ({ enter }) => t('a file system is {enter} % full or more', { enter }),
      ends: ({ leave }) => t('at {leave} % or less', { leave }),
    },
    disk_full_soon: {
      begins: ({ enter }) => t('a file system fills up within {enter} h by its trend', { enter }),
      ends: ({ leave }) => t('once it lasts {leave} h or longer', { leave }),
    },
    inodes: {
      begins: ({ enter }) => t('{enter} % of the inodes of a file system or more are used', { enter }),
      ends: ({ leave }) => t('at {leave} % or less', { leave }),
    },
    memory: {
      begins: ({ enter }) => t('{enter} % of the memory or less is available', { enter }),
      ends: ({ leave }) => t('at {leave} % or more', { leave }),
    },
    cpu: {
      begins: ({ enter }) => t('the CPUs are {enter} % busy or more', { enter }),
      ends: ({ leave }) => t('at {leave} % or less', { leave }),
    },
    load: {
      begins: ({ enter }) => t('the load is {enter} per CPU or more', { enter }),
      ends: ({ leave }) => t('at {leave} or less', { leave }),
    },
    swap: {
      begins: ({ enter }) => t('{enter} % of the swap or more is used', { enter }),
      ends: ({ leave }) => t('at {leave} % or less', { leave }),
    },
    iowait: {
      begins: ({ enter }) => t('the CPUs wait for disks {enter} % of the time or more', { enter }),
      ends: ({ leave }) => t('at {leave} % or less', { leave }),
    },
    steal: {
      begins: ({ enter }) => t('other guests of the host take {enter} % of the CPU time or more', { enter }),
      ends: ({ leave }) => t('at {leave} % or less', { leave }),
    },
    failed_units: {
      begins: ({ enter }) =>
        t(
          '{enter, select, 1 {systemd has 1 failed unit or more} other {systemd has {enter} failed units or more}}',
          { enter },
        ),
      ends: ({ leave }) => (leave === '0' ? t('once none has failed') : t('at {leave} or fewer', { leave })),
    },
    clock_skew: {
      begins: ({ enter }) => t('the clock is {enter} s off or more', { enter }),
      ends: ({ leave }) => t('at {leave} s or less', { leave }),
    },
    temperature: {
      begins: ({ enter }) => t('a sensor shows {enter} °C or more', { enter }),
      ends: ({ leave }) => t('at {leave} °C or less', { leave }),
    },
    container_restarts: {
      begins: ({ enter }) =>
        t(
          '{enter, select, 1 {a container was restarted once or more within an hour} other {a container was restarted {enter} times or more within an hour}}',
          { enter },
        ),
      ends: ({ leave }) =>
        leave === '0' ? t('after an hour without one') : t('at {leave} or fewer', { leave }),
    },
  }

/** The meaning of the values of a line, as they were typed. */
export function sayThreshold(
  kind: LevelKind,
  { enter, leave, minutes }: { enter: string; leave: string; minutes: string },
): string {
  const { begins, ends } = SENTENCES[kind]
  const levels = { enter: enter || '…', leave: leave || '…' }
  const length = Number(minutes)
  const said = { begins: begins(levels), ends: ends(levels) }
  return length > 0
    ? t('Begins when {begins} for {duration}; ends {ends} for as long.', {
        ...said,
        duration: formatDuration(length * 60),
      })
    : t('Begins when {begins}; ends {ends}.', said)
}

const NAMED_SENTENCES: Record<NamedKind, { at: () => string; after: (duration: string) => string }> = {
  container: {
    at: () => t('Begins when one of these does not run, is unhealthy or is gone.'),
    after: (duration) =>
      t(
        'Begins when one of these does not run, is unhealthy or is gone for {duration}; ends when it is well for as long.',
        {
          duration,
        },
      ),
  },
  unit: {
    at: () => t('Begins when one of these is not active.'),
    after: (duration) =>
      t('Begins when one of these is not active for {duration}; ends when it is active for as long.', {
        duration,
      }),
  },
}

/** The meaning of a line about containers or units that are named. */
export function sayNamed(kind: NamedKind, minutes: string): string {
  const length = Number(minutes)
  const { at, after } = NAMED_SENTENCES[kind]
  return length > 0 ? after(formatDuration(length * 60)) : at()
}

export function saySilence(seconds: string): string {
  const length = Number(seconds)
  const after = length > 0 ? formatDuration(length) : '…'
  return t('Begins {after} after the last report; ends with the next one.', { after })
}

/** The unit of the levels of a line. */
export const LEVEL_UNITS: Record<keyof Thresholds, string> = {
  silent: 's',
  disk_space: '%',
  disk_full_soon: 'h',
  inodes: '%',
  memory: '%',
  cpu: '%',
  load: t('per CPU'),
  swap: '%',
  iowait: '%',
  steal: '%',
  failed_units: t('units'),
  clock_skew: 's',
  temperature: '°C',
  container: '',
  container_restarts: '',
  unit: '',
}
