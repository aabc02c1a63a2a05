import { joinWords } from '../../../src/core/text.ts'

type Counts = { monitors_count: number; servers_count: number; sites_count: number }

/** Everything that a contact is attached to: `1 monitor, 2 servers and 1 site`; null for nothing. */
export function sayAttachments(counts: Counts): string | null {
  const said = [
    amount(counts.monitors_count, 'monitor'),
    amount(counts.servers_count, 'server'),
    amount(counts.sites_count, 'site'),
  ].filter((words) => words !== null)
  return joinWords(said) || null
}

function amount(count: number, thing: string): string | null {
  if (count === 0) return null
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
