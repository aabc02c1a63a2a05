import type { TopProcess } from '../../../src/core/servers/machine-report.ts'
import { t } from '../../language/language.ts'
import { sayPercent } from './figures.ts'

/** The processes that used the most when an incident began. */
export function TopProcesses({ processes }: { processes: TopProcess[] }) {
  return (
    <ul className="mt-1 text-sm text-soft" aria-label={t('Top processes')}>
      {processes.map(({ name, cpu_percent, memory_percent }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several processes may have one name, and their order stays
        <li key={index} className="flex justify-between gap-3">
          <span className="min-w-0 font-mono break-all sm:truncate">{name}</span>
          <span className="whitespace-nowrap">
            {[
              cpu_percent !== null && t('CPU {percent}', { percent: sayPercent(cpu_percent) }),
              memory_percent !== null && t('memory {percent}', { percent: sayPercent(memory_percent) }),
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
