import { X } from 'lucide-react'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'

/** Takes a line out of a list of fields; where the fields stand in a row, it is a cross. */
export function RemoveButton({
  name,
  disabled,
  onClick,
}: {
  name: string
  disabled: boolean
  onClick: () => void
}) {
  return (
    <div className="xl:mt-7">
      <Button tone="quiet" aria-label={t('Remove {name}', { name })} disabled={disabled} onClick={onClick}>
        <X aria-hidden size={16} />
        <span className="xl:sr-only">{t('Remove')}</span>
      </Button>
    </div>
  )
}
