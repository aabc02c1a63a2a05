import type { ReactNode } from 'react'
import type { SeriesName } from '../../../src/core/servers/series.ts'
import { t } from '../../language/language.ts'
import { Panel } from '../../parts/panel.tsx'
import { sayBytes, sayFullAt, sayPercent, sayValue } from '../../parts/servers/figures.ts'
import { UsageBar } from '../../parts/servers/usage-bar.tsx'
import { useNow } from '../../parts/time.tsx'
import { partsWith } from './machine-parts.ts'
import type { Server } from './server-data.ts'

const FILE_SYSTEM = [
  'file_system_size_bytes',
  'file_system_used_percent',
  'inodes_used_percent',
] as const satisfies SeriesName[]
const DISK = ['disk_read_bytes', 'disk_written_bytes', 'disk_busy_percent'] as const satisfies SeriesName[]
const INTERFACE = [
  'interface_received_bytes',
  'interface_sent_bytes',
  'interface_errors',
] as const satisfies SeriesName[]

export function FileSystems({ server: { latest, full_at, thresholds } }: { server: Server }) {
  const now = useNow()
  const rows = partsWith(latest, FILE_SYSTEM).sort(
    (a, b) => (b.file_system_used_percent ?? 0) - (a.file_system_used_percent ?? 0),
  )
  if (rows.length === 0) return null
  return (
    <Panel title={t('File systems')}>
      <PartTable caption={t('File systems')} heads={[t('Mounted at'), t('Used'), t('Size'), t('Inodes')]}>
        {rows.map(({ part, file_system_size_bytes, file_system_used_percent, inodes_used_percent }) => {
          const full = sayFullAt(full_at.find(({ mount }) => mount === part)?.at, now)
          return (
            <tr key={part}>
              <PartName>
                {part}
                {full && <span className="block font-sans text-sm text-degraded">{full}</span>}
              </PartName>
              <Cell>
                <UsageBar
                  percent={file_system_used_percent ?? null}
                  text={sayPercent(file_system_used_percent)}
                  high={thresholds.disk_space.enter}
                  className="w-full max-w-40"
                />
              </Cell>
              <Cell>{sayBytes(file_system_size_bytes)}</Cell>
              <Cell>{sayPercent(inodes_used_percent)}</Cell>
            </tr>
          )
        })}
      </PartTable>
    </Panel>
  )
}

export function Disks({ server: { latest } }: { server: Server }) {
  const rows = partsWith(latest, DISK)
  if (rows.length === 0) return null
  return (
    <Panel title={t('Disks')}>
      <PartTable caption={t('Disks')} heads={[t('Disk'), t('Read'), t('Written'), t('Busy')]}>
        {rows.map(({ part, disk_read_bytes, disk_written_bytes, disk_busy_percent }) => (
          <tr key={part}>
            <PartName>{part}</PartName>
            <Cell>{sayValue(disk_read_bytes, 'bytes_per_second')}</Cell>
            <Cell>{sayValue(disk_written_bytes, 'bytes_per_second')}</Cell>
            <Cell>{sayPercent(disk_busy_percent)}</Cell>
          </tr>
        ))}
      </PartTable>
    </Panel>
  )
}

export function Interfaces({ server: { latest } }: { server: Server }) {
  const rows = partsWith(latest, INTERFACE)
  if (rows.length === 0) return null
  return (
    <Panel title={t('Network interfaces')}>
      <PartTable
        caption={t('Network interfaces')}
        heads={[t('Interface'), t('Received'), t('Sent'), t('Errors')]}
      >
        {rows.map(({ part, interface_received_bytes, interface_sent_bytes, interface_errors }) => (
          <tr key={part}>
            <PartName>{part}</PartName>
            <Cell>{sayValue(interface_received_bytes, 'bytes_per_second')}</Cell>
            <Cell>{sayValue(interface_sent_bytes, 'bytes_per_second')}</Cell>
            <Cell>{sayValue(interface_errors, 'per_second')}</Cell>
          </tr>
        ))}
      </PartTable>
    </Panel>
  )
}

/** The name takes the place that the figures leave. */
function PartTable({
  caption,
  heads: [first, ...rest],
  children,
}: {
  caption: string
  heads: [string, string, string, string]
  children: ReactNode
}) {
  return (
    <table className="w-full table-fixed text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-soft">
        <tr className="border-b border-line">
          <th className="px-4 py-2 text-left font-medium">{first}</th>
          {rest.map((head, index) => (
            <th
              key={head}
              className={`w-[22%] px-2 py-2 text-right font-medium last:pr-4 ${index === 0 ? 'sm:w-[26%]' : ''}`}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  )
}

function PartName({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className="px-4 py-2 text-left font-mono font-normal break-all">
      {children}
    </th>
  )
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="px-2 py-2 text-right last:pr-4">{children}</td>
}
