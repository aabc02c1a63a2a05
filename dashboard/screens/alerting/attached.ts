import { t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'

type Counts = { monitors_count: number; servers_count: number; sites_count: number }

/** Everything that a contact is attached to: `1 monitor, 2 servers and 1 site`; null for nothing. */
export function sayAttachments({
  monitors_count: monitors,
  servers_count: servers,
  sites_count: sites,
}: Counts): string | null {
  const said = [
    monitors > 0 && t('{count, plural, one {# monitor} other {# monitors}}', { count: monitors }),
    servers > 0 && t('{count, plural, one {# server} other {# servers}}', { count: servers }),
    sites > 0 && t('{count, plural, one {# site} other {# sites}}', { count: sites }),
  ].filter((words) => words !== false)
  return said.length > 0 ? sayList(said) : null
}
