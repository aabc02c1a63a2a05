import type { LucideIcon } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { t } from '../language/language.ts'
import { Button } from './button.tsx'

export type ChoiceCard = { label: string; sentence: string; icon: LucideIcon }

/** Radio buttons for a few kinds, each with a sentence about it; the arrow keys move between them. */
export function ChoiceCards<Kind extends string>({
  legend,
  cards,
  value,
  first,
  onChoose,
}: {
  legend: string
  cards: Record<Kind, ChoiceCard>
  value: Kind | null
  /** Shows so many, and a button for the others. */
  first?: number
  onChoose: (kind: Kind) => void
}) {
  const id = useId()
  const fieldset = useRef<HTMLFieldSetElement>(null)
  const all = Object.entries(cards) as [Kind, ChoiceCard][]
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole || first === undefined ? all : all.slice(0, first)
  // The chosen one is always seen.
  const chosen = all.filter(([kind]) => kind === value && !shown.some(([other]) => other === kind))
  const rest = all.length - shown.length - chosen.length

  function showAll() {
    setWhole(true)
    // The button is gone: the focus goes on to what it brought.
    requestAnimationFrame(() => fieldset.current?.querySelectorAll('input')[shown.length]?.focus())
  }

  return (
    <fieldset ref={fieldset}>
      <legend className="mb-2 font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {[...shown, ...chosen].map(([kind, { label, sentence, icon: Icon }]) => (
          <label
            key={kind}
            className="flex cursor-pointer items-start gap-3 rounded-md border border-line bg-panel p-3 hover:bg-sunken has-checked:border-accent has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={id}
              checked={kind === value}
              onChange={() => onChoose(kind)}
              aria-labelledby={`${id}-${kind}`}
              aria-describedby={`${id}-${kind}-said`}
              className="mt-0.5 size-4.5 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="flex items-center justify-between gap-2">
                <span id={`${id}-${kind}`} className="font-medium">
                  {label}
                </span>
                <Icon aria-hidden size={18} className="shrink-0 text-soft" />
              </span>
              <span id={`${id}-${kind}-said`} className="mt-0.5 block text-sm text-soft">
                {sentence}
              </span>
            </span>
          </label>
        ))}
        {rest > 0 && (
          <Button tone="quiet" className="min-h-16 justify-self-start" onClick={showAll}>
            {t('Show {count} more', { count: rest })}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
