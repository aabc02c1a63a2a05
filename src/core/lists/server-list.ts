import { phrase } from '../language/phrase.ts'
import { LIVE_STATUS_WORDS, LiveStatus } from '../monitors/status.ts'
import { CHOSEN, list, oneOf, searched, TAGGED } from './list.ts'

export const SERVER_LIST = list({
  filters: {
    search: searched(phrase('Name or host name')),
    status: oneOf(LiveStatus, { label: phrase('Status'), words: LIVE_STATUS_WORDS }),
    tags: TAGGED,
    ids: CHOSEN,
  },
  // The worst come first in an order by a figure.
  sorts: {
    attention: { label: phrase('Problems first'), first: 'asc' },
    name: { label: phrase('Name'), first: 'asc' },
    cpu: { label: 'CPU', first: 'desc' },
    memory: { label: phrase('Memory'), first: 'desc' },
    disk: { label: phrase('Fullest disk'), first: 'desc' },
    load: { label: phrase('Load'), first: 'desc' },
    last_report_at: { label: phrase('Last report'), first: 'desc' },
  },
})
