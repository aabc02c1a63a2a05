import { useState } from 'react'
import { ReportRange } from '../../../src/core/history/report-range.ts'
import { WHAT_UPTIME_COUNTS } from '../../../src/core/history/uptime.ts'
import { type BadgeKind, labelOf } from '../../../src/core/monitors/badge.ts'
import { MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { t } from '../../language/language.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Fold } from '../../parts/monitors/fold.tsx'
import { Waiting } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { RANGES } from './chart/chart-range.tsx'
import type { Monitor, Report } from './monitor-data.ts'

type Form = 'markdown' | 'html' | 'url'

const FORMS: readonly { value: Form; label: string }[] = [
  { value: 'markdown', label: t('Markdown') },
  { value: 'html', label: 'HTML' },
  { value: 'url', label: 'URL' },
]
const WINDOWS = ReportRange.options.map((value) => ({ value, label: value.replace(/\D/, ' $&') }))
const MINUTE_LENGTH = '2026-11-21T09:30'.length

/** The monitor's badges as they look now, each with its code to copy. */
export function MonitorBadges({ monitor, report }: { monitor: Monitor; report: Report | undefined }) {
  const [form, setForm] = useState<Form>('markdown')
  const [window, setWindow] = useState<ReportRange>('30d')
  return (
    <Fold title={t('Badges')} hint={t('For a README or a website')} kept="badges">
      <section aria-label={t('Badges')} className="flex flex-col items-start gap-4 p-4">
        <p className="text-sm text-soft">
          {t("Anyone with a badge's URL can see that badge, but nothing else about the monitor.")}
        </p>
        <Segments label={t('Badge code format')} value={form} options={FORMS} onChoose={setForm} />
        {report ? (
          <>
            <Badge kind="status" {...{ monitor, report, form }} />
            <div className="flex w-full flex-col items-start gap-2">
              <Segments label={t('Uptime period')} value={window} options={WINDOWS} onChoose={setWindow} />
              <Badge kind="uptime" {...{ monitor, report, form, window }} />
              <p className="text-sm text-soft">{t(WHAT_UPTIME_COUNTS)}</p>
            </div>
            {MONITOR_TYPES[monitor.type].isProbed && <Badge kind="response" {...{ monitor, report, form }} />}
          </>
        ) : (
          <Waiting />
        )}
      </section>
    </Fold>
  )
}

function Badge({
  kind,
  monitor,
  report,
  form,
  window,
}: {
  kind: BadgeKind
  monitor: Monitor
  report: Report
  form: Form
  window?: ReportRange
}) {
  const label = labelOf(kind, window)
  const file = `${kind}.svg${window ? `?window=${window}` : ''}`
  // Browsers keep a badge for a minute; a new query makes them fetch a changed one.
  const news = `${window ? '&' : '?'}at=${report.to.slice(0, MINUTE_LENGTH)}-${liveStatus(monitor)}`
  const here = new URL(report.badge_url).pathname
  return (
    <div className="flex w-full flex-col gap-2">
      <img
        src={`${here}/${file}${news}`}
        alt={t('Badge: {label}', { label })}
        height={20}
        className="h-5 self-start"
      />
      <Copyable text={codeOf(form, label, `${report.badge_url}/${file}`)} label={sayBadge(kind, window)} />
    </div>
  )
}

/** Screen readers would read `uptime 30d` as it is written. */
function sayBadge(kind: BadgeKind, window: ReportRange | undefined): string {
  if (kind === 'status') return t('badge code (status)')
  if (kind === 'response') return t('badge code (response time)')
  return t('badge code (uptime, {range})', { range: RANGES[window ?? '30d'] })
}

function codeOf(form: Form, label: string, url: string): string {
  if (form === 'url') return url
  return form === 'html' ? `<img src="${url}" alt="${label}">` : `![${label}](${url})`
}
