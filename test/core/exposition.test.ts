import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  formatFor,
  labelsOf,
  type MetricFamily,
  writeBound,
  writeExposition,
} from '../../src/core/exposition.ts'
import { parseExposition } from '../support/documents/exposition.ts'

const ODD = 'a "quoted" \\ back\\nslash\nline, {braces} ü😀'

const FAMILIES: MetricFamily[] = [
  {
    name: 'jobs_done',
    help: 'Jobs \\ done,\nall of them.',
    type: 'counter',
    samples: [
      { labels: labelsOf({ name: ODD, id: 1 }), value: 3 },
      { labels: labelsOf({ name: 'plain', id: 2 }), value: 0 },
    ],
  },
  { name: 'nothing', help: 'It has no sample.', type: 'gauge', samples: [] },
  { name: 'build', help: 'What it is.', type: 'info', samples: [{ labels: labelsOf({ v: '1' }), value: 1 }] },
  {
    name: 'level',
    help: 'Any number.',
    type: 'gauge',
    samples: [-1.5, 1e21, 2 ** -40, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value, n) => ({
      labels: labelsOf({ n }),
      value,
    })),
  },
  {
    name: 'took_seconds',
    help: 'How long.',
    type: 'histogram',
    samples: [
      { labels: `le="${writeBound(1)}"`, value: 1, ending: '_bucket' },
      { labels: `le="${writeBound(Number.POSITIVE_INFINITY)}"`, value: 2, ending: '_bucket' },
      { labels: '', value: 3.5, ending: '_sum' },
      { labels: '', value: 2, ending: '_count' },
    ],
  },
]

describe('the text that Prometheus reads', () => {
  it('is written in its own format', () => {
    const text = writeExposition(FAMILIES, 'prometheus')
    assert.ok(
      text.startsWith(
        '# HELP jobs_done_total Jobs \\\\ done,\\nall of them.\n# TYPE jobs_done_total counter\n',
      ),
    )
    const families = parseExposition(text)
    assert.deepEqual([...families.keys()], ['jobs_done_total', 'build_info', 'level', 'took_seconds'])
    assert.equal(families.get('build_info')?.type, 'gauge')
    assert.deepEqual(families.get('jobs_done_total')?.samples[0], {
      name: 'jobs_done_total',
      labels: { name: ODD, id: '1' },
      value: 3,
    })
    assert.deepEqual(
      families.get('level')?.samples.map(({ value }) => value),
      [-1.5, 1e21, 2 ** -40, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    )
  })

  it('is written as OpenMetrics, where families are named without the ending of their type', () => {
    const families = parseExposition(writeExposition(FAMILIES, 'openmetrics'), 'openmetrics')
    assert.deepEqual([...families.keys()], ['jobs_done', 'build', 'level', 'took_seconds'])
    assert.deepEqual([families.get('build')?.type, families.get('jobs_done')?.type], ['info', 'counter'])
    assert.equal(families.get('jobs_done')?.samples[1]?.name, 'jobs_done_total')
  })

  it('is nothing where there is nothing to tell', () => {
    assert.equal(writeExposition([], 'prometheus'), '')
    assert.equal(writeExposition([], 'openmetrics'), '# EOF\n')
  })
})

describe('the format that is asked for', () => {
  const PROMETHEUS_SENDS =
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
  const table: [accept: string | undefined, format: string][] = [
    [undefined, 'prometheus'],
    ['', 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/plain', 'prometheus'],
    ['application/json', 'prometheus'],
    ['application/openmetrics-text', 'openmetrics'],
    ['Application/OpenMetrics-Text; Version=1.0.0', 'openmetrics'],
    ['application/openmetrics-text;q=0', 'prometheus'],
    ['application/openmetrics-text;q=0.2, text/plain', 'prometheus'],
    ['application/openmetrics-text;q=junk', 'prometheus'],
    [PROMETHEUS_SENDS, 'openmetrics'],
  ]
  for (const [accept, format] of table) {
    test(`${accept} means ${format}`, () => assert.equal(formatFor(accept), format))
  }
})
