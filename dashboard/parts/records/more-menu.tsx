import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { MenuButton } from '../menu.tsx'

/** The actions on a record that are no buttons of their own. */
export function MoreMenu({ children }: { children: ReactNode }) {
  return (
    <MenuButton
      button={
        <Button className="px-2.5" aria-label={t('More actions')}>
          <Ellipsis aria-hidden size={18} />
        </Button>
      }
    >
      {children}
    </MenuButton>
  )
}
