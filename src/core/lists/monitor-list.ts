import { phrase } from '../language/phrase.ts'
import { MONITOR_TYPES, MonitorType } from '../monitors/monitor-types.ts'
import { LIVE_STATUS_WORDS, LiveStatus } from '../monitors/status.ts'
import { CHOSEN, list, oneOf, searched, TAGGED } from './list.ts'

const TYPE_WORDS = Object.fromEntries(MonitorType.options.map((type) => [type, MONITOR_TYPES[type].word]))

export const MONITOR_LIST = list({
  filters: {
    search: searched(phrase('Name or address')),
    status: oneOf(LiveStatus, { label: phrase('Status'), words: LIVE_STATUS_WORDS }, '9rem'),
    type: oneOf(
      MonitorType,
      { label: phrase('Type'), words: TYPE_WORDS as Record<MonitorType, string> },
      '9rem',
    ),
    tags: TAGGED,
    ids: CHOSEN,
  },
  sorts: {
    attention: { label: phrase('Problems first'), first: 'asc' },
    name: { label: phrase('Name'), first: 'asc' },
    last_checked_at: { label: phrase('Last check'), first: 'asc' },
    created_at: { label: phrase('Oldest first'), first: 'asc' },
  },
})
