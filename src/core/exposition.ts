import { shownLines } from './language/hidden-characters.ts'

/** The text format that Prometheus scrapes: its own (0.0.4) and OpenMetrics (1.0.0). */

export type ExpositionFormat = 'prometheus' | 'openmetrics'

/** `info` is a gauge that is always 1 and carries its information in labels. */
export type FamilyType = 'counter' | 'gauge' | 'histogram' | 'info'

export type MetricFamily = {
  /** It lacks the suffix that its type adds: `_total` for a counter, `_info`. */
  name: string
  help: string
  type: FamilyType
  samples: MetricSample[]
}

/** A family with a single value, or with none if the value is unknown. */
export function gauge(name: string, help: string, value: number | null): MetricFamily {
  return { name, help, type: 'gauge', samples: value === null ? [] : [{ labels: '', value }] }
}

/** `labels` is formatted by `labelsOf`; `ending` names the part of a histogram. */
export type MetricSample = { labels: string; value: number; ending?: '_bucket' | '_sum' | '_count' }

export const CONTENT_TYPES = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const satisfies Record<ExpositionFormat, string>

const ENDINGS = { counter: '_total', info: '_info', gauge: '', histogram: '' } as const

/** The format that an Accept header prefers; Prometheus's own without one. */
export function formatFor(accept: string | undefined): ExpositionFormat {
  let [openmetrics, plain] = [0, 0]
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = Number(/^q=(.*)$/.exec(parameters.find((part) => part.startsWith('q=')) ?? '')?.[1] ?? 1)
    if (type === 'application/openmetrics-text') openmetrics = Math.max(openmetrics, quality)
    if (['text/plain', 'text/*', '*/*'].includes(type)) plain = Math.max(plain, quality)
  }
  return openmetrics > 0 && openmetrics >= plain ? 'openmetrics' : 'prometheus'
}

/** `{a: 'x'}` as `a="x"`. */
export function labelsOf(labels: Record<string, string | number>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
    .join(',')
}

function escapeLabel(written: string): string {
  const value = shownLines(written)
  return /["\\\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value
}

/** Omits families without samples. */
export function writeExposition(families: MetricFamily[], format: ExpositionFormat): string {
  const parts = families
    .filter(({ samples }) => samples.length > 0)
    .map((family) => writeFamily(family, format))
  if (format === 'openmetrics') parts.push('# EOF\n')
  return parts.join('')
}

function writeFamily({ name, help, type, samples }: MetricFamily, format: ExpositionFormat): string {
  const full = name + ENDINGS[type]
  const [named, typed] = format === 'openmetrics' ? [name, type] : [full, type === 'info' ? 'gauge' : type]
  let text = `# HELP ${named} ${escapeHelp(help)}\n# TYPE ${named} ${typed}\n`
  for (const { labels, value, ending = '' } of samples) {
    text += labels === '' ? `${full}${ending} ` : `${full}${ending}{${labels}} `
    text += `${writeValue(value)}\n`
  }
  return text
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function writeValue(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** The upper bound of a bucket, in the one notation that both formats read alike. */
export function writeBound(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : writeValue(bound)
}
