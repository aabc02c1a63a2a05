import { Download, Ellipsis } from 'lucide-react'
import type { CsvList } from '../../../src/core/reports/csv-list.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../button.tsx'
import { MenuButton, MenuLink } from '../menu.tsx'
import { csvAddress } from './csv-link.tsx'

/** The menu of a list: what it shows, with its filter, as a file. */
export function ListMenu({
  list,
  query = {},
  label = t('More for this list'),
}: {
  list: CsvList
  query?: Record<string, string | number | undefined>
  label?: string
}) {
  const { id } = useTeam()
  return (
    <MenuButton
      button={
        <button type="button" aria-label={label} className={buttonLook('quiet')}>
          <Ellipsis aria-hidden size={18} />
        </button>
      }
    >
      <MenuLink>
        <a href={csvAddress(id, list, { ...query, page: undefined })} download>
          <Download aria-hidden size={16} />
          {t('Download CSV')}
        </a>
      </MenuLink>
    </MenuButton>
  )
}
