/** Everything that a contact is attached to: `1 monitor and 2 servers`; null for nothing. */
export function sayAttachments(counts: { monitors_count: number; servers_count: number }): string | null {
  const said = [amount(counts.monitors_count, 'monitor'), amount(counts.servers_count, 'server')]
  return said.filter((words) => words !== null).join(' and ') || null
}

function amount(count: number, thing: string): string | null {
  if (count === 0) return null
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
