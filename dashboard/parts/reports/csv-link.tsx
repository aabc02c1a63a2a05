import type { CsvList } from '../../../src/core/reports/csv-list.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../button.tsx'

type Filter = Record<string, string | number | undefined>

/** The address of a list as a file, with the filter that the screen shows. */
export function csvAddress(team: number, list: CsvList, query: Filter = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return `/app/teams/${team}/csv/${list}${search && `?${search}`}`
}

/** Saves a list as a file, with the filter that the screen shows. */
export function CsvLink({ list, query, small = false }: { list: CsvList; query?: Filter; small?: boolean }) {
  const { id } = useTeam()
  return (
    <a href={csvAddress(id, list, query)} download className={buttonLook('plain', small ? 'small' : 'usual')}>
      {t('Download CSV')}
    </a>
  )
}
