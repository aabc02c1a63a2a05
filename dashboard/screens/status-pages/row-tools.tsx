import { ArrowDown, ArrowUp, Settings2, X } from 'lucide-react'
import type { Direction, Place } from '../../forms/status-pages/layout-draft.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'

const SQUARE = 'w-9 px-0'

/** The buttons of a row: they do what dragging does, for the keyboard and for screen readers. */
export function RowTools({
  row,
  name,
  isOpen,
  ways,
  onMove,
  onOpen,
  onRemove,
}: {
  row: string
  name: string
  isOpen: boolean
  /** Where each direction leads; null where it leads nowhere. */
  ways: Record<Direction, Place | null>
  onMove: (direction: Direction) => void
  onOpen: () => void
  /** Null where something else decides that the row is there. */
  onRemove: (() => void) | null
}) {
  return (
    <div data-tools={row} className="flex shrink-0 gap-1">
      {(['up', 'down'] as const).map((direction) => {
        const Icon = direction === 'up' ? ArrowUp : ArrowDown
        return (
          <Button
            key={direction}
            size="small"
            tone="quiet"
            className={SQUARE}
            data-move={direction}
            aria-label={t(direction === 'up' ? 'Move {name} up' : 'Move {name} down', { name })}
            // Not disabled: it would lose the focus at the last step.
            aria-disabled={ways[direction] === null}
            onClick={() => onMove(direction)}
          >
            <Icon aria-hidden size={16} />
          </Button>
        )
      })}
      <Button
        size="small"
        tone="quiet"
        className={SQUARE}
        aria-label={t('Edit {name}', { name })}
        aria-expanded={isOpen}
        onClick={onOpen}
      >
        <Settings2 aria-hidden size={16} />
      </Button>
      {onRemove && (
        <Button
          size="small"
          tone="quiet"
          className={SQUARE}
          aria-label={t('Remove {name}', { name })}
          onClick={onRemove}
        >
          <X aria-hidden size={16} />
        </Button>
      )}
    </div>
  )
}
