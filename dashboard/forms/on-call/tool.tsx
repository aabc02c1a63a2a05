import type { LucideIcon } from 'lucide-react'
import { Button } from '../../parts/button.tsx'

/** A small button with an icon. */
export function Tool({
  label,
  icon: Icon,
  disabled,
  onPress,
}: {
  label: string
  icon: LucideIcon
  disabled: boolean
  onPress: () => void
}) {
  return (
    <Button size="small" tone="quiet" aria-label={label} title={label} disabled={disabled} onClick={onPress}>
      <Icon aria-hidden size={16} />
    </Button>
  )
}
