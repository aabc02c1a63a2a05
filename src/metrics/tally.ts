import { labelsOf, type MetricFamily, type MetricSample, writeBound } from '../core/exposition.ts'
import {
  COUNTERS,
  type CountedName,
  type CounterDefinition,
  type CounterLabels,
  type Definition,
  HISTOGRAMS,
  type HistogramLabels,
  type HistogramName,
} from './catalogue.ts'

type Observed = { counts: number[]; sum: number }

/** Counts since the last drain, as one thread sends them to another. */
export type Measures = {
  counts: [name: CountedName, labels: string, count: number][]
  observed: [name: HistogramName, labels: string, observed: Observed][]
}

export type Tally = {
  count<Name extends CountedName>(name: Name, labels: CounterLabels<Name>, times?: number): void
  observe<Name extends HistogramName>(name: Name, labels: HistogramLabels<Name>, value: number): void
  /** Returns the counts and starts anew. */
  drain(): Measures
  /** Adds the counts of another tally. */
  add(measures: Measures): void
  families(): MetricFamily[]
}

/** Counts in memory: each count costs two look-ups in maps. */
export function createTally(): Tally {
  let counts = new Map<CountedName, Map<string, number>>()
  let observed = new Map<HistogramName, Map<string, Observed>>()

  function addCount(name: CountedName, labels: string, count: number) {
    const series = counts.get(name)
    if (series) series.set(labels, (series.get(labels) ?? 0) + count)
    else counts.set(name, new Map([[labels, count]]))
  }

  function seriesOf(name: HistogramName, labels: string): Observed {
    const all = observed.get(name) ?? new Map<string, Observed>()
    observed.set(name, all)
    const known = all.get(labels)
    if (known) return known
    const fresh = { counts: new Array(HISTOGRAMS[name].buckets.length + 1).fill(0), sum: 0 }
    all.set(labels, fresh)
    return fresh
  }

  return {
    count: (name, labels, times = 1) => addCount(name, keyOf(labels), times),
    observe(name, labels, value) {
      const series = seriesOf(name, keyOf(labels))
      series.sum += value
      const bucket = HISTOGRAMS[name].buckets.findIndex((bound) => value <= bound)
      const index = bucket < 0 ? series.counts.length - 1 : bucket
      series.counts[index] = (series.counts[index] as number) + 1
    },
    drain() {
      const measures: Measures = {
        counts: [...counts].flatMap(([name, series]) =>
          [...series].map(([labels, count]) => [name, labels, count] as [CountedName, string, number]),
        ),
        observed: [...observed].flatMap(([name, series]) =>
          [...series].map(([labels, one]) => [name, labels, one] as [HistogramName, string, Observed]),
        ),
      }
      counts = new Map()
      observed = new Map()
      return measures
    },
    add(measures) {
      for (const [name, labels, count] of measures.counts) addCount(name, labels, count)
      for (const [name, labels, more] of measures.observed) {
        const series = seriesOf(name, labels)
        series.sum += more.sum
        for (const [index, count] of more.counts.entries()) {
          series.counts[index] = (series.counts[index] as number) + count
        }
      }
    },
    families() {
      for (const name of Object.keys(HISTOGRAMS) as HistogramName[]) {
        if (HISTOGRAMS[name].labels.length === 0) seriesOf(name, '')
      }
      return [...countFamilies(counts), ...histogramFamilies(observed)]
    },
  }
}

const SEPARATOR = '\0'

function keyOf(labels: readonly string[]): string {
  return labels.length === 1 ? (labels[0] as string) : labels.join(SEPARATOR)
}

function labelsFrom({ labels }: Definition, key: string): string {
  const values = key.split(SEPARATOR)
  return labelsOf(Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ''])))
}

function countFamilies(counts: Map<CountedName, Map<string, number>>): MetricFamily[] {
  return (Object.entries(COUNTERS) as [CountedName, CounterDefinition][]).map(([name, definition]) => {
    const { help, expected = [] } = definition
    const none = expected.map((labels) => [keyOf(labels), 0] as const)
    const series = new Map([...none, ...(counts.get(name) ?? [])])
    const samples = [...series].map(([key, value]) => ({ labels: labelsFrom(definition, key), value }))
    return { name: definition.name, help, type: 'counter', samples }
  })
}

function histogramFamilies(observed: Map<HistogramName, Map<string, Observed>>): MetricFamily[] {
  return (Object.keys(HISTOGRAMS) as HistogramName[]).map((name) => {
    const definition: Definition & { buckets: readonly number[] } = HISTOGRAMS[name]
    const samples = [...(observed.get(name) ?? [])].flatMap(([key, series]) =>
      histogramSamples(labelsFrom(definition, key), definition.buckets, series),
    )
    return { name: definition.name, help: definition.help, type: 'histogram', samples }
  })
}

function histogramSamples(
  labels: string,
  buckets: readonly number[],
  { counts, sum }: Observed,
): MetricSample[] {
  let total = 0
  const bounds = [...buckets, Number.POSITIVE_INFINITY].map((bound, index): MetricSample => {
    total += counts[index] ?? 0
    const le = `le="${writeBound(bound)}"`
    return { labels: labels === '' ? le : `${labels},${le}`, value: total, ending: '_bucket' }
  })
  return [...bounds, { labels, value: sum, ending: '_sum' }, { labels, value: total, ending: '_count' }]
}
