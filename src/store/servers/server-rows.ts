import { sql } from 'kysely'
import { SERVER_LIST } from '../../core/lists/server-list.ts'
import { hasWords, isAmong } from '../lists/conditions.ts'
import { naturalOrder, type SubjectList, urgencyOf } from '../lists/subject-list.ts'
import { carriesAll } from '../tags/selecting.ts'
import { LIVE_SERVER_STATUS } from './overview.ts'

const NAME = naturalOrder('s.name')

const figure = (name: string) => `(t.latest->>'${name}')::float8`

export const SERVER_ROWS: SubjectList<typeof SERVER_LIST> = {
  list: SERVER_LIST,
  from: 'servers s JOIN server_state t ON t.server_id = s.id',
  subject: 's',
  liveStatus: LIVE_SERVER_STATUS,
  name: NAME,
  conditions: {
    search: (text) => hasWords(['s.name', `t.machine->>'host_name'`], text),
    status: (status) => sql`${sql.raw(LIVE_SERVER_STATUS)} = ${status}`,
    tags: (selectors) => carriesAll('s.tags', selectors),
    ids: (ids) => isAmong('s.id', ids),
  },
  // The figures are those of core/servers/figures.ts.
  sorts: {
    attention: urgencyOf(LIVE_SERVER_STATUS),
    name: NAME,
    cpu: figure('cpu_percent'),
    memory: `CASE WHEN ${figure('memory_available_bytes')} <= ${figure('memory_total_bytes')}
      THEN round(((1 - ${figure('memory_available_bytes')} / nullif(${figure('memory_total_bytes')}, 0)) * 1000)::numeric) END`,
    disk: `(SELECT max(value::float8) FROM jsonb_each_text(t.latest) WHERE starts_with(key, 'file_system_used_percent:'))`,
    load: `round((${figure('load_5')} / nullif((t.machine->>'cpus')::int, 0) * 100)::numeric)`,
    last_report_at: 't.last_report_at',
  },
}
