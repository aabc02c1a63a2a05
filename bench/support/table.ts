import { median } from './statistics.ts'

/** One round: what Upbeat took or did, and the reference right after it. */
export type Pair = { ours: number; reference: number }

export type Row = { name: string; ratio: string; ours: string; reference: string; referenceIs: string }

const HEADINGS: Row = {
  name: 'What',
  ratio: 'Ratio (rounds)',
  ours: 'Upbeat',
  reference: 'Reference',
  referenceIs: 'The reference',
}

/**
 * A row of medians. The ratio is the median of the rounds' ratios, with the smallest and largest of them; a round whose
 * reference is 0 has none.
 */
export function compare(name: string, unit: string, referenceIs: string, pairs: Pair[]): Row {
  const compared = pairs.filter(({ reference }) => reference > 0)
  const ratios = compared.map(({ ours, reference }) => ours / reference)
  const spread =
    ratios.length > 1 ? ` (${twoDigits(Math.min(...ratios))}–${twoDigits(Math.max(...ratios))})` : ''
  return {
    name,
    ratio: ratios.length === 0 ? '–' : `${twoDigits(median(ratios))}×${spread}`,
    ours: figure(median(pairs.map(({ ours }) => ours)), unit),
    reference: figure(median(pairs.map(({ reference }) => reference)), unit),
    referenceIs,
  }
}

/** A row without anything to compare with. */
export function alone(name: string, unit: string, values: number[]): Row {
  return { name, ratio: '–', ours: figure(median(values), unit), reference: '–', referenceIs: '–' }
}

export function renderTable(rows: Row[]): string {
  const columns = Object.keys(HEADINGS) as (keyof Row)[]
  return renderCells([HEADINGS, ...rows].map((row) => columns.map((column) => row[column])))
}

/** Markdown that lines up in a terminal, too; the first line holds the headings. */
export function renderCells(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  )
  const [headings, ...rows] = lines.map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`,
  )
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [headings, rule, ...rows].join('\n')
}

function figure(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  // Two decimals would make nothing of less.
  const precision = value < 0.01 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: digits }
  return `${value.toLocaleString('en-US', precision)} ${unit}`
}

function twoDigits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)))
}
