import { sql } from 'kysely'
import { SITE_LIST } from '../../core/lists/site-list.ts'
import { hasWords, isAmong } from '../lists/conditions.ts'
import { naturalOrder, type SubjectList } from '../lists/subject-list.ts'
import { carriesAll } from '../tags/selecting.ts'
import { LIVE_SITE_STATUS, WORST_AREA } from './overview.ts'

const NAME = naturalOrder('s.name')

/** A value and no join: the areas are read only where it is asked for. */
const STATUS = `(SELECT ${LIVE_SITE_STATUS} FROM (VALUES (1)) AS one ${WORST_AREA})`

export const SITE_ROWS: SubjectList<typeof SITE_LIST> = {
  list: SITE_LIST,
  from: 'sites s',
  subject: 's',
  liveStatus: STATUS,
  name: NAME,
  conditions: {
    search: (text) => hasWords(['s.name', 's.url'], text),
    status: (status) => sql`${sql.raw(STATUS)} = ${status}`,
    tags: (selectors) => carriesAll('s.tags', selectors),
    ids: (ids) => isAmong('s.id', ids),
  },
  sorts: { name: NAME },
}
