import { phrase } from '../language/phrase.ts'
import { LIVE_STATUS_WORDS, LiveStatus } from '../monitors/status.ts'
import { CHOSEN, list, oneOf, searched, TAGGED } from './list.ts'

export const SITE_LIST = list({
  filters: {
    search: searched(phrase('Name or address')),
    status: oneOf(LiveStatus, { label: phrase('Status'), words: LIVE_STATUS_WORDS }),
    tags: TAGGED,
    ids: CHOSEN,
  },
  sorts: { name: { label: phrase('Name'), first: 'asc' } },
})
