import { type FormEvent, useState } from 'react'
import { ReportRange } from '../../../../src/core/history/report-range.ts'
import { MAX_STRETCH_DAYS } from '../../../../src/core/history/report-stretch.ts'
import type { ReportSearch } from '../../../data/history-search.ts'
import { instantOf, localTimeOf, readerZone } from '../../../data/zone-time.ts'
import { MIN_ZOOM_SECONDS, type Zoom } from '../../../data/zoom.ts'
import { t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { SELECT_LOOK, TextField } from '../../../parts/field.tsx'
import { Segments } from '../../../parts/segments.tsx'

export const RANGES: Record<ReportRange, string> = {
  '24h': t('24 hours'),
  '7d': t('7 days'),
  '30d': t('30 days'),
  '90d': t('90 days'),
}
const SHORT: Record<ReportRange | 'custom', string> = {
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
  '90d': '90 d',
  custom: t('Custom'),
}
const OPTIONS = [...ReportRange.options, 'custom' as const].map((value) => ({ value, label: SHORT[value] }))

/** Changes of what the chart shows; undefined takes a part out of the address. */
export type ShowChart = (change: Partial<ReportSearch>) => void

/** The range of the chart: a usual one, or a part of it. */
export function RangePicker({
  search,
  isCustomOpen,
  onShow,
  onCustom,
}: {
  search: ReportSearch
  isCustomOpen: boolean
  onShow: ShowChart
  onCustom: (isOpen: boolean) => void
}) {
  const isZoomed = search.from !== undefined
  return (
    <>
      {isZoomed && (
        <Button size="small" onClick={() => onShow({ from: undefined, to: undefined })}>
          {t('Reset zoom')}
        </Button>
      )}
      <Segments
        label={t('Period')}
        value={isZoomed || isCustomOpen ? 'custom' : (search.range ?? '24h')}
        options={OPTIONS}
        onChoose={(chosen) => {
          onCustom(chosen === 'custom' && !isCustomOpen)
          if (chosen !== 'custom') onShow({ range: chosen, from: undefined, to: undefined })
        }}
      />
    </>
  )
}

/** The regions to choose from: all together, a line for each, or one alone. */
export function RegionPicker({
  regions,
  search,
  onShow,
}: {
  regions: readonly string[]
  search: ReportSearch
  onShow: ShowChart
}) {
  const offered = [...new Set([...regions, ...(search.region ? [search.region] : [])])]
  if (offered.length < 2 && search.line !== 'regions') return null
  return (
    <select
      aria-label={t('Region')}
      className={`${SELECT_LOOK} h-9 max-w-50 max-sm:max-w-36`}
      value={search.line === 'regions' ? EACH : (search.region ?? '')}
      onChange={({ target: { value } }) =>
        onShow(
          value === EACH
            ? { region: undefined, line: 'regions' }
            : { region: value || undefined, ...(search.line === 'regions' && { line: undefined }) },
        )
      }
    >
      <option value="">{t('All regions')}</option>
      <option value={EACH}>{t('A line for each region')}</option>
      {offered.map((region) => (
        <option key={region} value={region}>
          {region}
        </option>
      ))}
    </select>
  )
}

/** Longer than any region may be named. */
const EACH = 'each-region-as-a-line'

/** The ends of a stretch to type, in the time zone of the reader. */
export function CustomRange({ shown, onShow }: { shown: Zoom; onShow: ShowChart }) {
  const zone = readerZone()
  const localOf = (seconds: number) => localTimeOf(new Date(seconds * 1_000), zone)
  const [ends, setEnds] = useState({ from: localOf(shown.from), to: localOf(shown.to) })
  const [faults, setFaults] = useState<{ from?: string[]; to?: string[] }>({})

  function submit(event: FormEvent) {
    event.preventDefault()
    const [from, to] = [secondsOf(ends.from, zone), secondsOf(ends.to, zone)]
    const found = faultsOf(from, to)
    setFaults(found)
    if (from !== null && to !== null && Object.keys(found).length === 0) onShow({ from, to })
  }

  return (
    <form
      noValidate
      aria-label={t('Custom period')}
      onSubmit={submit}
      className="flex flex-wrap items-start gap-3 border-b border-line px-4 py-3"
    >
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          label={end === 'from' ? t('From') : t('To')}
          type="datetime-local"
          className="min-w-0 max-w-60 grow"
          faults={faults[end]}
          value={ends[end]}
          onChange={({ target }) => setEnds({ ...ends, [end]: target.value })}
        />
      ))}
      <Button type="submit" className="mt-7">
        {t('Show')}
      </Button>
    </form>
  )
}

function secondsOf(local: string, zone: string): number | null {
  const at = instantOf(local, zone)
  return at && Math.floor(at.getTime() / 1_000)
}

const NO_TIME = t('Enter a day and a time.')

function faultsOf(from: number | null, to: number | null): { from?: string[]; to?: string[] } {
  if (from === null || to === null)
    return { ...(from === null && { from: [NO_TIME] }), ...(to === null && { to: [NO_TIME] }) }
  if (to - from < MIN_ZOOM_SECONDS)
    return {
      to: [
        t('{count, plural, one {At least # minute after From.} other {At least # minutes after From.}}', {
          count: MIN_ZOOM_SECONDS / 60,
        }),
      ],
    }
  if (to - from > MAX_STRETCH_DAYS * 86_400)
    return {
      to: [
        t('{count, plural, one {At most # day after From.} other {At most # days after From.}}', {
          count: MAX_STRETCH_DAYS,
        }),
      ],
    }
  return {}
}
