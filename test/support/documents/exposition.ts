import assert from 'node:assert/strict'
import type { ExpositionFormat } from '../../../src/core/exposition.ts'

export type ParsedSample = { name: string; labels: Record<string, string>; value: number }
export type ParsedFamily = { type: string; help: string; samples: ParsedSample[] }

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABELS = String.raw`(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(?:,|(?=\})))+`
const SAMPLE = new RegExp(String.raw`^(${NAME})(?:\{(${LABELS})\})? (\+Inf|-Inf|NaN|-?\d[\d.e+-]*)$`)
const PARTS = { histogram: ['_bucket', '_sum', '_count'], counter: ['_total'], info: ['_info'], gauge: [''] }

/** Reads an exposition as strictly as its format is written, and more strictly than Prometheus does. */
export function parseExposition(
  text: string,
  format: ExpositionFormat = 'prometheus',
): Map<string, ParsedFamily> {
  const families = new Map<string, ParsedFamily>()
  const seen = new Set<string>()
  assert.ok(text.endsWith('\n'), 'the last line ends')
  const lines = text.slice(0, -1).split('\n')
  if (format === 'openmetrics') assert.equal(lines.pop(), '# EOF')
  let current: { name: string; help?: string; family?: ParsedFamily } = { name: '' }
  for (const line of lines) {
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (what === 'HELP') {
      assert.ok(!families.has(name), `${name} is described once`)
      current = { name, help: rest }
    } else if (what === 'TYPE') {
      assert.equal(name, current.name, 'a type follows its help')
      const family = { type: rest, help: current.help ?? '', samples: [] }
      families.set(name, family)
      current = { name, family }
    } else {
      assert.ok(current.family, `${line} belongs to a family`)
      current.family.samples.push(readSample(line, current.name, current.family.type, format, seen))
    }
  }
  for (const [name, { type, samples }] of families) {
    assert.ok(samples.length > 0, `${name} has a sample`)
    if (type === 'histogram') assertHistogram(name, samples)
  }
  return families
}

function readSample(
  line: string,
  family: string,
  type: string,
  format: ExpositionFormat,
  seen: Set<string>,
): ParsedSample {
  const [, name = '', labelText = '', number = ''] =
    SAMPLE.exec(line) ?? assert.fail(`cannot be read: ${line}`)
  const endings = PARTS[type as keyof typeof PARTS] ?? assert.fail(`unknown type ${type}`)
  // Prometheus's own format has the ending of a counter in the family's name.
  const isPlainCounter = format === 'prometheus' && type === 'counter'
  if (isPlainCounter) assert.match(family, /_total$/)
  const expected = isPlainCounter ? [family] : endings.map((ending) => family + ending)
  assert.ok(expected.includes(name), `${name} belongs to ${family}`)
  const labels: Record<string, string> = {}
  for (const [, label = '', value = ''] of labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
    assert.ok(!(label in labels), `${label} stands once in ${line}`)
    labels[label] = value.replaceAll(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
  }
  const series = `${name} ${JSON.stringify(Object.entries(labels).sort())}`
  assert.ok(!seen.has(series), `${series} is told once`)
  seen.add(series)
  const value = number.endsWith('Inf') ? Number(number.replace('Inf', 'Infinity')) : Number(number)
  if (type === 'counter') assert.ok(value >= 0, line)
  return { name, labels, value }
}

/** Buckets grow, the last one is without bound and counts as many as the histogram does. */
function assertHistogram(name: string, samples: ParsedSample[]): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')))
    assert.deepEqual(
      bounds,
      [...new Set(bounds)].sort((a, b) => a - b),
    )
    const counts = buckets.map(({ value }) => value)
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    )
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY)
    assert.equal(group.filter((sample) => sample.name === `${name}_sum`).length, 1)
    assert.equal(group.find((sample) => sample.name === `${name}_count`)?.value, counts.at(-1))
  }
}

/** The value of one series; null where there is none. */
export function seriesValue(
  families: Map<string, ParsedFamily>,
  name: string,
  labels: Record<string, string> = {},
): number | null {
  for (const { samples } of families.values()) {
    const found = samples.find(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )
    if (found) return found.value
  }
  return null
}
