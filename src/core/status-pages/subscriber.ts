import type { SubscriberRow } from './shown-post.ts'

/** Of a page, unconfirmed ones included. */
export const MAX_SUBSCRIBERS = 50_000

const COLUMNS = ['type', 'address', 'state', 'component_ids', 'created_at', 'confirmed_at'] as const

/** A file for spreadsheets (RFC 4180); none of its fields is read as a formula. */
export function subscribersCsv(rows: readonly SubscriberRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => csvField(row[column])).join(','))
  return [COLUMNS.join(','), ...lines, ''].join('\r\n')
}

function csvField(value: string | readonly number[] | null): string {
  const text = typeof value === 'string' ? value : (value?.join(' ') ?? '')
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
